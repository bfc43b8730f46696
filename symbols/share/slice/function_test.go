package slice

import (
	"crashglass/core/testkit/symbolsource"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// at is what a source says of an address: a line and the calls that are inlined
// there, the innermost first.
func at(file string, line uint32, start uint64, inlines ...symbolize.Inline) *symbolize.Location {
	return &symbolize.Location{Function: "f", Start: 0x1000, Size: 0x100, File: file, Line: line, LineStart: start, Inlines: inlines}
}

// drawn is a function as a picture: its lines and its inlined calls.
func drawn(f *symbolize.Function) string {
	var out []string
	for _, l := range f.Lines {
		out = append(out, fmt.Sprintf("%x+%x %s:%d", l.Start, l.Size, l.File, l.Line))
	}
	for _, c := range f.Inlines {
		text := fmt.Sprintf("%d %s of %s:%d", c.Depth, c.Function, c.CallFile, c.CallLine)
		for _, r := range c.Ranges {
			text += fmt.Sprintf(" %x+%x", r.Start, r.Size)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// A line goes from where it begins up to the last address that was queried.
func TestFunctionLines(t *testing.T) {
	type queried struct {
		rel uint64
		loc *symbolize.Location
	}
	for _, tt := range []struct {
		name    string
		queried []queried
		want    string
	}{
		{"one", []queried{{0x1004, at("a.c", 1, 0x1000)}}, "1000+5 a.c:1"},
		{"twice in one line", []queried{{0x1004, at("a.c", 1, 0x1000)}, {0x1009, at("a.c", 1, 0x1000)}}, "1000+a a.c:1"},
		{"the line goes on behind another entry", []queried{{0x1004, at("a.c", 1, 0x1000)}, {0x1009, at("a.c", 1, 0x1005)}}, "1000+a a.c:1"},
		{"with a gap", []queried{{0x1004, at("a.c", 1, 0x1000)}, {0x1009, at("a.c", 1, 0x1006)}}, "1000+5 a.c:1, 1006+4 a.c:1"},
		{"another line", []queried{{0x1004, at("a.c", 1, 0x1000)}, {0x1009, at("a.c", 2, 0x1008)}}, "1000+5 a.c:1, 1008+2 a.c:2"},
		{"another file", []queried{{0x1004, at("a.c", 1, 0x1000)}, {0x1009, at("b.c", 1, 0x1005)}}, "1000+5 a.c:1, 1005+5 b.c:1"},
		{"one that began before the last", []queried{{0x1004, at("a.c", 1, 0x1000)}, {0x1009, at("a.c", 2, 0x1002)}}, "1000+5 a.c:1, 1005+5 a.c:2"},
		{"one that begins before the function", []queried{{0x1004, at("a.c", 1, 0xff0)}}, "1000+5 a.c:1"},
		{"one that begins behind the address", []queried{{0x1004, at("a.c", 1, 0x1008)}}, "1004+1 a.c:1"},
		{"no line", []queried{{0x1004, at("", 0, 0)}}, ""},
		{"a line without a file", []queried{{0x1004, at("", 7, 0x1004)}}, "1004+1 :7"},
		{"a file without a line", []queried{{0x1004, at("a.c", 0, 0x1004)}}, "1004+1 a.c:0"},
	} {
		f := newFunction(tt.queried[0].loc, "f", 8)
		for _, a := range tt.queried {
			f.add(a.rel, a.loc)
		}
		made := f.made()
		if got := drawn(made); got != tt.want || made.Name != "f" || made.Start != 0x1000 || made.Size != 0x100 || made.ParamSize != 8 {
			t.Errorf("%s: %s, want %s; %+v", tt.name, got, tt.want, made)
		}
	}
}

// Of inlined calls, those are one that agree in depth, name, and where they were
// called. The outermost has the line of the location, the innermost is the line.
func TestFunctionInlines(t *testing.T) {
	inner := symbolize.Inline{Function: "inner", File: "in.h", Line: 3}
	outer := symbolize.Inline{Function: "outer", File: "out.h", Line: 8}
	f := newFunction(at("a.c", 10, 0x1000), "f", 0)
	f.add(0x1010, at("a.c", 10, 0x1010, outer))
	f.add(0x1011, at("a.c", 10, 0x1011, inner, outer))
	f.add(0x1012, at("a.c", 10, 0x1012, inner, outer))
	f.add(0x1014, at("a.c", 10, 0x1014, inner, outer))
	f.add(0x1015, at("a.c", 11, 0x1015, inner)) // another call, from another place
	want := "1010+1 out.h:8, 1011+2 in.h:3, 1014+2 in.h:3, " +
		"0 outer of a.c:10 1010+3 1014+1, 0 inner of a.c:11 1015+1, 1 inner of out.h:8 1011+2 1014+1"
	if got := drawn(f.made()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for range 20 { // maps have no order
		if got := drawn(f.made()); got != want {
			t.Fatalf("again: %s", got)
		}
	}
}

// initials masks all but the first letter.
type initials struct{}

func (initials) Path(s string) string   { return "path " + s[:1] }
func (initials) Symbol(s string) string { return "name " + s[:1] }

// Names and paths are masked in all that a slice has, and only there.
func TestMask(t *testing.T) {
	f := newFunction(at("a.c", 10, 0x1000), "f", 0)
	f.add(0x1010, at("a.c", 10, 0x1010, symbolize.Inline{Function: "outer", File: "out.h", Line: 8}))
	open := f.made()
	before := drawn(open)
	c := &content{mask: initials{}}
	masked := c.masked(f.made())
	if got, want := masked.Name+": "+drawn(masked), "name f: 1010+1 path o:8, 0 name o of path a:10 1010+1"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if drawn(open) != before || drawn(f.made()) != before {
		t.Errorf("the function itself is %s", drawn(f.made()))
	}
	if c.symbol("public") != "name p" || (&content{}).symbol("public") != "public" {
		t.Error("a public symbol has another name")
	}
	if kept := (&content{}).masked(open); kept != open {
		t.Error("without a mask a function is copied")
	}
}

// Names that walks go by stay when names are withheld, and so does what says
// that a function is a part of another one.
func TestWithheldNames(t *testing.T) {
	c := &content{anonymous: true}
	for name, want := range map[string]string{
		"secret()":      withheld,
		"secret().cold": withheld + ".cold",
		"_start":        "_start",
	} {
		if got := c.spell(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if got := (&content{}).spell(name); got != name {
			t.Errorf("%s is kept as %s", name, got)
		}
	}
}

// The system is called as MODULE records call it; a report may not know it.
func TestSystems(t *testing.T) {
	for system, want := range map[string]string{"Windows NT": "windows", "Mac OS X": "mac", "iOS": "ios", "Linux": "Linux", "Android": "Android", "": ""} {
		got := word(&system)
		if got != want {
			t.Errorf("%s: %s, want %s", system, got, want)
		}
	}
}

// A build of a module is one whatever the case of its names and its folder.
func TestKeys(t *testing.T) {
	one := keyOf(&module.Module{DebugFile: `C:\Build\App.pdb`, DebugID: "AB1"})
	for _, m := range []module.Module{{DebugFile: "app.PDB", DebugID: "ab1"}, {DebugFile: "/x/app.pdb", DebugID: "Ab1"}} {
		if keyOf(&m) != one {
			t.Errorf("%+v is another build", m)
		}
	}
	for _, m := range []module.Module{{DebugFile: "app.pdb", DebugID: "ab2"}, {DebugFile: "lib.pdb", DebugID: "AB1"}} {
		if keyOf(&m) == one {
			t.Errorf("%+v is the same build", m)
		}
	}
}

// Records are written in the order of addresses, and writing ends at an error.
func TestEach(t *testing.T) {
	full := errors.New("full")
	var met []int
	add := func(v int) error {
		if met = append(met, v); v == 2 {
			return full
		}
		return nil
	}
	if err := each(map[uint64]int{9: 3, 1: 1, 5: 2}, add); err != full || !slices.Equal(met, []int{1, 2}) {
		t.Errorf("%v, %v", met, err)
	}
	met = nil
	if err := eachOf([]int{3, 1, 2, 4}, add); err != full || !slices.Equal(met, []int{3, 1, 2}) {
		t.Errorf("%v, %v", met, err)
	}
}

// A recording remembers the address of a query, in each of the four ways, and answers
// as what it stands before.
func TestRecording(t *testing.T) {
	r := recording{Source: symbolsource.Bare{Source: fixed{}}, queried: map[uint64]bool{}}
	loc, _ := r.Locate(1)
	cfi, _ := r.CallFrame(2)
	win, _ := r.WinFrame(3)
	fn, _ := r.Function(4)
	if loc.Function != "f" || cfi.Start != 2 || win.Start != 3 || fn.Start != 4 {
		t.Errorf("%+v, %+v, %+v, %+v", loc, cfi, win, fn)
	}
	if len(r.queried) != 4 || !r.queried[1] || !r.queried[2] || !r.queried[3] || !r.queried[4] {
		t.Errorf("%v", r.queried)
	}
}

// fixed answers with the address of the query.
type fixed struct{}

func (fixed) Locate(uint64) (symbolize.Location, bool) {
	return symbolize.Location{Function: "f"}, true
}
func (fixed) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	return unwind.CallFrame{Start: rel}, true
}
func (fixed) WinFrame(rel uint64) (unwind.WinFrame, bool) { return unwind.WinFrame{Start: rel}, true }
func (fixed) Function(rel uint64) (unwind.Function, bool) { return unwind.Function{Start: rel}, true }
func (fixed) HasNames() bool                              { return true }
func (fixed) HasCode() bool                               { return false }
