package breakpad

import (
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/symbolsource"
)

// everything has a record of each kind, in the order in which no writer writes
// them, so that nothing depends on it.
const everything = "MODULE windows x86 0102030405060708090A0B0C0D0E0F101 an app.pdb\r\n" +
	"INFO CODE_ID 5F3A2B1C12000 an app.exe\n" +
	"INFO GENERATOR by hand\n" +
	"STACK CFI INIT 1000 40 .cfa: $esp 4 + .ra: .cfa 4 - ^\n" +
	"STACK CFI 1010 .cfa: $esp 12 +\n" +
	"STACK CFI 1001 .cfa: $esp 8 + $ebp: .cfa 8 - ^\n" +
	"STACK WIN 4 2000 100 6 2 8 4 10 0 1 $T0 $ebp = $eip $T0 4 + ^ =\n" +
	"STACK WIN 0 2000 200 0 0 c 0 20 0 0 1\n" +
	"STACK WIN 3 1000 1000 0 0 0 0 0 0 0 0\n" +
	"FUNC m 2000 80 8 void f<int, 3>(char const*)\n" +
	"2000 10 20 0\n" +
	"2010 8 0 1\n" +
	"2020 20 21 7\n" +
	"FUNC 1000 40 0 main\n" +
	"INLINE 0 12 1 1 1010 10 1030 8\n" +
	"INLINE 1 33 0 0 1018 8\n" +
	"INLINE 2 44 0 9 101c 4\n" +
	"1000 10 10 1\r\n" +
	"1010 8 30 0\n" +
	"1018 8 50 2\n" +
	"1030 8 31 0\n" +
	"PUBLIC 0 0 nowhere\n" +
	"PUBLIC 3000 c _public@12\n" +
	"PUBLIC m 1800 0 folded\n" +
	"PUBLIC 2000 0 hidden by the function\n" +
	"FILE 0 c:\\src\\a file.h\n" +
	"FILE 1 c:\\src\\main.cc\n" +
	"FILE 2 c:\\src\\größe.h\n" +
	"INLINE_ORIGIN 0 inner()\n" +
	"INLINE_ORIGIN 1 outer(int, char)\n"

func TestEverything(t *testing.T) {
	testEverything(t, Options{})
}

// testEverything runs the conformance suite.
func testEverything(t *testing.T, opt Options) {
	src := "c:\\src\\"
	main := symbolize.Location{Function: "main", Start: 0x1000, Size: 0x40}
	with := func(l symbolize.Location, file string, line uint32, start uint64, inlines ...symbolize.Inline) symbolize.Location {
		l.File, l.Line, l.LineStart, l.Inlines = file, line, start, inlines
		return l
	}
	f := symbolize.Location{Function: "void f<int, 3>(char const*)", Start: 0x2000, Size: 0x80, Multiple: true}
	symbolsource.Test(t, symbolsource.Suite{
		Open: func(t *testing.T) symbolsource.Source { return openString(t, everything, opt) },
		Known: []symbolsource.Known{
			{Rel: 0xfff, None: true},
			{Rel: 0x1000, Location: with(main, src+"main.cc", 10, 0x1000)},
			{Rel: 0x100f, Location: with(main, src+"main.cc", 10, 0x1000)},
			{Rel: 0x1010, Location: with(main, src+"main.cc", 12, 0x1010, symbolize.Inline{Function: "outer(int, char)", File: src + "a file.h", Line: 30})},
			{Rel: 0x1018, Location: with(main, src+"main.cc", 12, 0x1018,
				symbolize.Inline{Function: "inner()", File: src + "größe.h", Line: 50},
				symbolize.Inline{Function: "outer(int, char)", File: src + "a file.h", Line: 33})},
			{Rel: 0x101f, Location: with(main, src+"main.cc", 12, 0x1018,
				symbolize.Inline{Function: "", File: src + "größe.h", Line: 50}, // no such origin
				symbolize.Inline{Function: "inner()", File: src + "a file.h", Line: 44},
				symbolize.Inline{Function: "outer(int, char)", File: src + "a file.h", Line: 33})},
			{Rel: 0x1020, Location: main}, // no line
			{Rel: 0x1037, Location: with(main, src+"main.cc", 12, 0x1030, symbolize.Inline{Function: "outer(int, char)", File: src + "a file.h", Line: 31})},
			{Rel: 0x1040, None: true},
			{Rel: 0x17ff, None: true},
			{Rel: 0x1800, Location: symbolize.Location{Function: "folded", Start: 0x1800, Public: true, Multiple: true}},
			{Rel: 0x1fff, Location: symbolize.Location{Function: "folded", Start: 0x1800, Public: true, Multiple: true}},
			{Rel: 0x2000, Location: with(f, src+"a file.h", 20, 0x2000)},
			{Rel: 0x2010, Location: with(f, src+"main.cc", 0, 0x2010)},
			{Rel: 0x2020, Location: with(f, "", 21, 0x2020)}, // no such file
			{Rel: 0x2080, None: true}, // a public symbol at the start of a function is none behind it
			{Rel: 0x3000, Location: symbolize.Location{Function: "_public@12", Start: 0x3000, Public: true}},
			{Rel: 1 << 40, Location: symbolize.Location{Function: "_public@12", Start: 0x3000, Public: true}},
		},
	})
}

func TestModule(t *testing.T) {
	f := openString(t, everything, Options{})
	want := Module{"windows", "x86", "0102030405060708090A0B0C0D0E0F101", "an app.pdb", "5F3A2B1C12000", "an app.exe"}
	if f.Module() != want {
		t.Errorf("got %+v, want %+v", f.Module(), want)
	}
	m, utf16, err := Identify(f.t.src)
	if m != want || utf16 || err != nil {
		t.Errorf("Identify: got %+v, %v, %v, want %+v", m, utf16, err, want)
	}
	st := f.Stats()
	st.IndexBytes = 0
	if want := (Stats{Bytes: int64(len(everything)), Funcs: 2, Publics: 3, CFI: 1, Win: 2, Lines: true, Inlines: true}); st != want {
		t.Errorf("got %+v, want %+v", st, want)
	}
}

func TestRules(t *testing.T) {
	f := openString(t, everything, Options{})
	cfa := func(expr string) unwind.Rule { return unwind.Rule{Reg: unwind.CFA, From: unwind.ParseValue(expr)} }
	ra, ebp := unwind.Rule{Reg: unwind.RA, From: unwind.Word(unwind.CFA, -4)}, unwind.Rule{Reg: "$ebp", From: unwind.Word(unwind.CFA, -8)}
	for _, tt := range []struct {
		rel  uint64
		want []unwind.Rule
	}{
		{0xfff, nil},
		{0x1000, []unwind.Rule{cfa("$esp 4 +"), ra}},
		{0x1001, []unwind.Rule{cfa("$esp 8 +"), ra, ebp}},
		{0x100f, []unwind.Rule{cfa("$esp 8 +"), ra, ebp}},
		{0x103f, []unwind.Rule{cfa("$esp 12 +"), ra, ebp}},
		{0x1040, nil},
	} {
		got, ok := f.CallFrame(tt.rel)
		if ok != (tt.want != nil) || len(got.Rules) != len(tt.want) {
			t.Errorf("CallFrame(%#x) = %+v, %v, want %+v", tt.rel, got, ok, tt.want)
			continue
		}
		for i := range tt.want {
			if !got.Rules[i].Equal(tt.want[i]) {
				t.Errorf("CallFrame(%#x): rule %d is %+v, want %+v", tt.rel, i, got.Rules[i], tt.want[i])
			}
		}
	}
	data := unwind.WinFrame{Start: 0x2000, Size: 0x100, Prolog: 6, FrameData: true, ParamSize: 8, SavedRegs: 4, Locals: 16, Program: "$T0 $ebp = $eip $T0 4 + ^ ="}
	if got, ok := f.WinFrame(0x20ff); !ok || got != data {
		t.Errorf("WinFrame(0x20ff) = %+v, %v, want %+v", got, ok, data)
	}
	fpo := unwind.WinFrame{Start: 0x2000, Size: 0x200, ParamSize: 12, Locals: 32, AllocatesEBP: true}
	if got, ok := f.WinFrame(0x2100); !ok || got != fpo {
		t.Errorf("WinFrame(0x2100) = %+v, %v, want %+v", got, ok, fpo)
	}
	if got, ok := f.WinFrame(0x1000); ok {
		t.Errorf("WinFrame(0x1000) = %+v, want none: no writer uses type 3", got)
	}
	if got, _ := f.Function(0x3001); got != (unwind.Function{Name: "_public@12", Start: 0x3000, ParamSize: 12, Public: true}) {
		t.Errorf("Function(0x3001) = %+v", got)
	}
}
