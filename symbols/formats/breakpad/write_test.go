package breakpad

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// each lists values as a source does.
func each[T any](values ...T) func(func(T) error) error {
	return func(add func(T) error) error {
		for _, v := range values {
			if err := add(v); err != nil {
				return err
			}
		}
		return nil
	}
}

func rules(text string) (out []unwind.Rule) {
	for part := range strings.SplitSeq(text, ", ") {
		reg, expr, _ := strings.Cut(part, ": ")
		out = append(out, unwind.Rule{Reg: reg, From: unwind.ParseValue(expr)})
	}
	return out
}

var written = Content{
	Module: Module{OS: "Linux", Arch: "x86_64", ID: "0102", Name: "app", CodeID: "AA", CodeFile: "app.exe"},
	Functions: each(
		&symbolize.Function{Name: "_Zmain", Start: 0x1000, Size: 0x30, ParamSize: 8,
			Lines: []symbolize.Line{{Start: 0x1000, Size: 0x10, File: "a.c", Line: 7}, {Start: 0x1010, Size: 0x20, File: "b.h", Line: 2}},
			Inlines: []symbolize.InlineCall{
				{Depth: 0, Function: "in", CallFile: "a.c", CallLine: 8, Ranges: []symbolize.Range{{Start: 0x1010, Size: 8}, {Start: 0x1020, Size: 4}}},
				{Depth: 1, Function: "_Zin", CallLine: 9, Ranges: []symbolize.Range{{Start: 0x1014, Size: 2}}}, // looks the same
				{Depth: 0, Function: "none of its code is left"},
			}},
		&symbolize.Function{Name: "two\nlines", Start: 0x1100, Size: 4, Multiple: true, Lines: []symbolize.Line{{Start: 0x1100, Size: 4, File: "b.h", Line: 9}}},
		&symbolize.Function{Name: "no code", Start: 0x1200},
		&symbolize.Function{Start: 0x1300, Size: 1},
	),
	Publics: each(symbolize.Public{Name: "later", Start: 0x3000, Stated: 0x36}, symbolize.Public{Name: "sooner", Start: 0x2000, ParamSize: 4, Multiple: true}),
	Frames: each(
		&unwind.CallFrameTable{Start: 0x1000, Size: 0x30, Rules: rules(".ra: .cfa 8 - ^, .cfa: $rsp 8 +"), Rows: []unwind.CallFrameRow{
			{Addr: 0x1001, Rules: rules(".cfa: $rsp 16 +, $rbp: .cfa 16 - ^")},
			{Addr: 0x1004, Rules: rules("$rbx: $rsp 8 .and ^")},         // the register is lost
			{Addr: 0x1010, Rules: rules(".cfa: $rsp $rip 15 .and + 8")}, // nothing can be said
			{Addr: 0x1018, Rules: rules("$rbx: $rbx")},
			{Addr: 0x1020, Rules: rules(".cfa: $rbp 16 +")},
			{Addr: 0x1030, Rules: rules(".cfa: beyond the end")},
		}},
		&unwind.CallFrameTable{Start: 0x1100, Size: 4, Rules: rules(".cfa: $rsp 8 .shl, .ra: .cfa 8 - ^")},
	),
	WinFrames: each(
		unwind.WinFrame{Start: 0x1000, Size: 0x10, FrameData: true, ParamSize: 4, SavedRegs: 8, Locals: 12, Program: "$eip .raSearch ^ ="},
		unwind.WinFrame{Start: 0x1010, Size: 0x10, AllocatesEBP: true},
		unwind.WinFrame{Start: 0x1020, Size: 0x10},
	),
	Name: func(name string) string { return strings.TrimPrefix(name, "_Z") },
}

const writtenText = `MODULE Linux x86_64 0102 app
INFO CODE_ID AA app.exe
FILE 0 a.c
FILE 1 b.h
INLINE_ORIGIN 0 in
FILE 2 <unknown>
INLINE_ORIGIN 1 none of its code is left
FUNC 1000 30 8 main
INLINE 0 8 0 0 1010 8 1020 4
INLINE 1 9 2 0 1014 2
1000 10 7 0
1010 20 2 1
FUNC m 1100 4 0 two lines
1100 4 9 1
FUNC 1300 1 0 <name omitted>
PUBLIC m 2000 4 sooner
PUBLIC 3000 0 later
INFO PUBLIC_SIZE 36
STACK CFI INIT 1000 10 .cfa: $rsp 8 + .ra: .cfa -8 + ^
STACK CFI 1001 .cfa: $rsp 16 + $rbp: .cfa -16 + ^
STACK CFI 1004 $rbx: .undef
STACK CFI INIT 1020 10 .cfa: $rbp 16 + .ra: .cfa -8 + ^ $rbp: .cfa -16 + ^ $rbx: $rbx
STACK WIN 4 1000 10 0 0 4 8 c 0 1 $eip .raSearch ^ =
STACK WIN 0 1010 10 0 0 0 0 0 0 0 1
STACK WIN 0 1020 10 0 0 0 0 0 0 0 0
`

func TestWrite(t *testing.T) {
	var text strings.Builder
	if err := Write(&text, written); err != nil {
		t.Fatal(err)
	}
	if text.String() != writtenText {
		t.Errorf("got\n%s\nwant\n%s", text.String(), writtenText)
	}
}

// TestWriteIsRead reads what was written: no note, and the same answers.
func TestWriteIsRead(t *testing.T) {
	f, err := Open(bin.NewSource(strings.NewReader(writtenText), int64(len(writtenText))), Options{})
	if err != nil || len(f.Notes()) > 0 {
		t.Fatal(err, f.Notes())
	}
	loc, _ := f.Locate(0x1012)
	if loc.Function != "main" || loc.File != "a.c" || loc.Line != 8 || len(loc.Inlines) != 1 || loc.Inlines[0].Function != "in" || loc.Inlines[0].Line != 2 {
		t.Errorf("got %+v", loc)
	}
	sooner, _ := f.Locate(0x2000)
	continued, _ := f.Locate(0x3100)
	if want := (symbolize.Location{Function: "sooner", Start: 0x2000, Public: true, Multiple: true}); !reflect.DeepEqual(sooner, want) {
		t.Errorf("got %+v, want %+v", sooner, want)
	}
	if want := (symbolize.Location{Function: "later", Start: 0x3000, Public: true, Stated: 0x36}); !reflect.DeepEqual(continued, want) {
		t.Errorf("got %+v, want %+v", continued, want)
	}
	if frame, ok := f.CallFrame(0x1014); ok {
		t.Errorf("rules where none can be said: %+v", frame)
	}
	if frame, ok := f.CallFrame(0x1024); !ok || len(frame.Rules) != 4 {
		t.Errorf("got %+v, %v, want four rules", frame, ok)
	}
	if win, ok := f.WinFrame(0x1008); !ok || win.Program != "$eip .raSearch ^ =" || win.Locals != 12 {
		t.Errorf("got %+v, %v", win, ok)
	}
}

// TestWriteOdd writes what has no record, in part or at all.
func TestWriteOdd(t *testing.T) {
	fn := func(f symbolize.Function) Content {
		f.Name, f.Start, f.Size = "f", 0x10, 8
		return Content{Functions: each(&f)}
	}
	frame := func(text string, rows ...unwind.CallFrameRow) Content {
		return Content{Frames: each(&unwind.CallFrameTable{Start: 0x10, Size: 8, Rules: rules(text), Rows: rows})}
	}
	for _, tt := range []struct {
		name string
		in   Content
		want string
	}{
		{"a line without code", fn(symbolize.Function{Lines: []symbolize.Line{{Start: 0x10, File: "a", Line: 1}, {Start: 0x10, Size: 8, File: "a", Line: 2}}}), "FILE 0 a\nFUNC 10 8 0 f\n10 8 2 0\n"},
		{"a line without file", fn(symbolize.Function{Lines: []symbolize.Line{{Start: 0x10, Size: 8, Line: 1}}}), "FUNC 10 8 0 f\n"},
		{"an inlined function without name, first of all", fn(symbolize.Function{Inlines: []symbolize.InlineCall{{CallFile: "a", Ranges: []symbolize.Range{{Start: 0x10, Size: 8}}}}}),
			"FILE 0 a\nINLINE_ORIGIN 0 <name omitted>\nFUNC 10 8 0 f\nINLINE 0 0 0 0 10 8\n"},
		{"characters that end a line or are none", Content{Publics: each(symbolize.Public{Name: "a\x00\x1f\x7f ~\u00e9z", Start: 1})}, "PUBLIC 1 0 a    ~\u00e9z\n"},
		{"an expression of more than one register", frame(".cfa: $rsp $rax + 8 +, .ra: .cfa $rax + ^"), "STACK CFI INIT 10 8 .cfa: $rsp $rax + 8 + .ra: .cfa $rax + ^\n"},
		{"a return address that cannot be expressed", frame(".cfa: $rsp 8 +, .ra: .cfa 8 .and ^"), ""},
		{"no return address", frame(".cfa: $rsp 8 +"), ""},
		{"no frame", frame(".ra: .cfa 8 - ^"), ""},
		{"nothing is left of the first part", frame(".cfa: $rsp 8 +, .ra: .cfa 8 - ^", unwind.CallFrameRow{Addr: 0x10, Rules: rules(".cfa: $rsp 8 .shl")}, unwind.CallFrameRow{Addr: 0x14, Rules: rules(".cfa: $rsp 16 +")}),
			"STACK CFI INIT 14 4 .cfa: $rsp 16 + .ra: .cfa -8 + ^\n"},
	} {
		var text strings.Builder
		if err := Write(&text, tt.in); err != nil {
			t.Fatal(err)
		}
		if _, got, _ := strings.Cut(text.String(), "\n"); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// full refuses to take anything.
type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteFails(t *testing.T) {
	if err := Write(full{}, written); !errors.Is(err, errFull) {
		t.Errorf("got %v, want %v", err, errFull)
	}
	broken := errors.New("broken")
	for name, c := range map[string]Content{
		"functions": {Functions: func(func(*symbolize.Function) error) error { return broken }},
		"publics":   {Publics: func(func(symbolize.Public) error) error { return broken }},
		"frames":    {Frames: func(func(*unwind.CallFrameTable) error) error { return broken }},
		"win":       {WinFrames: func(func(unwind.WinFrame) error) error { return broken }},
	} {
		if err := Write(&strings.Builder{}, c); !errors.Is(err, broken) {
			t.Errorf("%s: got %v, want %v", name, err, broken)
		}
	}
}
