package slice

import (
	"crashglass/core/testkit/symbolsource"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/symbols/formats/breakpad"
)

// store has symbols of modules by their names; queried counts how often each is queried.
type store struct {
	t       *testing.T
	texts   map[string]string
	state   map[string]string
	queried map[string]int
}

func (s store) For(m *module.Module) (analyze.Source, report.Symbols) {
	s.queried[m.DebugFile]++
	text, ok := s.texts[m.DebugFile]
	if !ok {
		return nil, report.Symbols{}
	}
	f, err := breakpad.Open(bin.NewSource(strings.NewReader(text), int64(len(text))), breakpad.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	return symbolsource.Bare{Source: f}, report.Symbols{State: s.state[m.DebugFile]}
}

// modules are loaded one behind another, 0x1000 bytes each.
func modules(names ...string) *module.Map {
	var list []module.Module
	for i, name := range names {
		list = append(list, module.Module{Base: 0x10000 + 0x1000*uint64(i), Size: 0x1000, DebugFile: name, DebugID: "AB" + fmt.Sprint(i)})
	}
	return module.NewMap(list)
}

// Addresses are remembered by the module that they are in, from its beginning,
// and symbols are looked for once.
func TestAsk(t *testing.T) {
	const text = "MODULE Linux x86_64 AB0 a\nFUNC 10 10 0 f\n"
	syms := store{t, map[string]string{"a": text, "old": text}, map[string]string{"old": report.SymbolsWrongBuild}, map[string]int{}}
	s := New()
	r := recorder{s, syms}
	mods := modules("a", "none", "old", "unused")
	for _, addr := range []uint64{0x10010, 0x10fff, 0x10010, 0x11010, 0x12010, 0x12020, 0xffff, 0x14000, 0} {
		r.record(mods, addr)
	}
	list := s.Modules()
	if len(list) != 1 || list[0].DebugFile != "a" {
		t.Fatalf("%+v", list)
	}
	if got := fmt.Sprint(s.parts[keyOf(&list[0])].queried); got != "map[16:true 4095:true]" {
		t.Errorf("queried %s", got)
	}
	if got := fmt.Sprint(syms.queried); got != "map[a:1 none:1 old:1]" {
		t.Errorf("symbols were queried: %s", got)
	}
}

// A slice is written of a module that symbols were found for, and of no other.
func TestWriteOne(t *testing.T) {
	const text = "MODULE Linux x86_64 AB0 a\nFUNC 10 10 0 f\nFUNC 40 10 0 g\n"
	s := New()
	r := recorder{s, store{t, map[string]string{"a": text}, nil, map[string]int{}}}
	mods := modules("a", "b")
	r.record(mods, 0x10044)
	r.record(mods, 0x11000)
	for i, want := range []string{"FUNC 40 10 0 g\n", ""} {
		var b strings.Builder
		if err := s.Write(&b, &mods.Modules()[i], AllNames); err != nil {
			t.Fatal(err)
		}
		_, records, _ := strings.Cut(b.String(), "\n")
		if records != want {
			t.Errorf("module %d: %q, want %q", i, records, want)
		}
	}
	masked := New()
	masked.Mask = initials{}
	rec := recorder{masked, store{t, map[string]string{"a": text}, nil, map[string]int{}}}
	rec.record(mods, 0x10044)
	var b strings.Builder
	if err := masked.Write(&b, &mods.Modules()[0], AllNames); err != nil || !strings.Contains(b.String(), "FUNC 40 10 0 name g\n") {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// A symbol without an end names what lies behind it; where the whole file has
// a nameless gap, the slice takes the function that ends the symbol's reach.
func TestKeepSilent(t *testing.T) {
	const text = "MODULE Linux x86_64 AB0 app\nPUBLIC 100 0 first\nFUNC 180 10 0 between\nFUNC 1a0 10 0 later\nPUBLIC 300 0 second\n"
	for _, tt := range []struct {
		name    string
		queried []uint64
		want    string
	}{
		{"in the reach", []uint64{0x110}, "PUBLIC 100 0 first\n"},
		{"behind one function", []uint64{0x110, 0x198}, "FUNC 180 10 0 between\nPUBLIC 100 0 first\n"},
		{"behind two", []uint64{0x110, 0x2f0}, "FUNC 180 10 0 between\nPUBLIC 100 0 first\n"},
		{"behind a function, without the symbol", []uint64{0x198}, "FUNC 0 1 0 " + nothing + "\n"},
		{"before all", []uint64{0x10, 0x110}, "PUBLIC 100 0 first\n"},
		{"two symbols", []uint64{0x110, 0x310}, "PUBLIC 100 0 first\nPUBLIC 300 0 second\n"},
	} {
		if got := sliced(t, text, AllNames, false, tt.queried...); got != tt.want {
			t.Errorf("%s: got\n%swant\n%s", tt.name, got, tt.want)
		}
	}
}

// The unwind rules that begin with a symbol prove its name as far as they reach. A slice has them for
// single addresses, and their size beside the symbol, unless an address behind them has the symbol, too.
func TestProvedSymbols(t *testing.T) {
	const text = "MODULE Linux x86_64 AB0 app\nPUBLIC 100 0 f\nPUBLIC 200 0 g\n" +
		"STACK CFI INIT 100 36 .cfa: $rsp 8 + .ra: .cfa -8 + ^\nSTACK CFI INIT 140 20 .cfa: $rsp 8 + .ra: .cfa -8 + ^\n"
	const at110, at150 = "STACK CFI INIT 110 1 .cfa: $rsp 8 + .ra: .cfa -8 + ^\n", "STACK CFI INIT 150 1 .cfa: $rsp 8 + .ra: .cfa -8 + ^\n"
	for _, tt := range []struct {
		name    string
		queried []uint64
		want    string
	}{
		{"in its rules", []uint64{0x110}, "PUBLIC 100 0 f\nINFO PUBLIC_SIZE 36\n" + at110},
		{"in others", []uint64{0x150}, "PUBLIC 100 0 f\n" + at150},
		{"in both", []uint64{0x110, 0x150}, "PUBLIC 100 0 f\n" + at110 + at150},
		{"without rules", []uint64{0x210}, "PUBLIC 200 0 g\n"},
	} {
		if got := sliced(t, text, AllNames, false, tt.queried...); got != tt.want {
			t.Errorf("%s: got\n%swant\n%s", tt.name, got, tt.want)
		}
	}
}

// Rules are those of the address that was queried, in front of those that
// changed later; a Windows record is written once.
func TestRules(t *testing.T) {
	const text = "MODULE windows x86 AB0 app\nFUNC 10 40 0 f\n" +
		"STACK WIN 4 10 20 0 0 0 0 0 0 1 one\nSTACK WIN 4 30 20 0 0 0 0 0 0 1 two\n" +
		"STACK CFI INIT 10 40 .cfa: $esp 4 + .ra: .cfa -4 + ^\nSTACK CFI 14 .cfa: $esp 8 +\n"
	want := "FUNC 10 40 0 f\n" +
		"STACK CFI INIT 13 1 .cfa: $esp 4 + .ra: .cfa -4 + ^\nSTACK CFI INIT 14 2 .cfa: $esp 8 + .ra: .cfa -4 + ^\nSTACK CFI INIT 30 1 .cfa: $esp 8 + .ra: .cfa -4 + ^\n" +
		"STACK WIN 4 10 20 0 0 0 0 0 0 1 one\nSTACK WIN 4 30 20 0 0 0 0 0 0 1 two\n"
	if got := sliced(t, text, AllNames, false, 0x13, 0x14, 0x15, 0x30); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// Stacks that are compared have what a walk found, and names where they stay.
func TestStacks(t *testing.T) {
	word := func(s string) *string { return &s }
	line := uint32(7)
	r := &report.Report{Threads: []report.Thread{
		{Frames: []report.Frame{
			{Offset: "0x1000", Trust: "context", Function: word("f"), File: word("a.c"), Line: &line, Inlines: []report.Inline{{Function: word("g"), File: word("b.h"), Line: &line}}},
			{Offset: "0x2000", Trust: "scan"},
		}}, {},
	}}
	for _, tt := range []struct {
		names bool
		mask  Mask
		want  string
	}{
		{want: "0x1000 context\n0x2000 scan\n"},
		{names: true, want: "0x1000 context\nf a.c:7\ng b.h:7\n0x2000 scan\n :0\n"},
	} {
		got := Stacks(r, tt.names, tt.mask)
		if len(got) != 2 || got[0] != tt.want || got[1] != "" {
			t.Errorf("names %v: %q, want %q", tt.names, got, tt.want)
		}
	}
}
