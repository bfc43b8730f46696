package triage

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"crashglass/core/report"
)

func text(s string) *string { return &s }

// The most frequent value comes first; others stay in the order of their texts.
func TestTallyValues(t *testing.T) {
	got := Tally{"b": 2, "a": 1, "d": 3, "c": 2}.Values()
	if want := []string{"d", "b", "c", "a"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := (Tally)(nil).Values(); len(got) != 0 {
		t.Errorf("nothing has the values %q", got)
	}
}

// A full tally keeps the first values in sorted order, for any order of adding, with exact counts.
func TestTallyKeepsTheFirst(t *testing.T) {
	var up, down, all Tally
	for i := range 2 * mostValues {
		up = up.plus(one(fmt.Sprintf("%02d", i)))
		down = down.plus(one(fmt.Sprintf("%02d", 2*mostValues-1-i)))
	}
	if !reflect.DeepEqual(up, down) || len(up) != mostValues || up["00"] != 1 || up["15"] != 1 {
		t.Errorf("%v and %v", up, down)
	}
	wide := Tally{}
	for i := range mostValues + 1 {
		wide[fmt.Sprintf("%02d", i)] = 5
	}
	if all = all.plus(wide); len(all) != mostValues || all["15"] != 5 {
		t.Errorf("a tally of another machine that keeps more: %v", all)
	}
	if len(wide) != mostValues+1 {
		t.Error("adding changed what was added")
	}
}

// A sum leaves its parts as they were: groups are merged again elsewhere.
func TestPlusLeavesItsParts(t *testing.T) {
	a, b := Tally{"x": 1}, Tally{"x": 2, "y": 1}
	if got := a.plus(b); !reflect.DeepEqual(got, Tally{"x": 3, "y": 1}) {
		t.Errorf("%v", got)
	}
	if !reflect.DeepEqual(a, Tally{"x": 1}) || !reflect.DeepEqual(b, Tally{"x": 2, "y": 1}) {
		t.Errorf("now %v and %v", a, b)
	}
	if one("") != nil {
		t.Error("no text is a value")
	}
}

// The first and last time of a group; 0 is no time.
func TestTimes(t *testing.T) {
	for _, tt := range []struct{ a, b, first, last uint32 }{
		{0, 0, 0, 0}, {5, 0, 5, 5}, {0, 5, 5, 5}, {7, 5, 5, 7}, {5, 7, 5, 7},
	} {
		sum := Group{First: tt.a, Last: tt.a}.plus(Group{First: tt.b, Last: tt.b})
		if sum.First != tt.first || sum.Last != tt.last {
			t.Errorf("%d and %d: %d to %d", tt.a, tt.b, sum.First, sum.Last)
		}
	}
	at := uint32(9)
	if g := Of("x", &report.Report{Dump: report.Dump{Time: &at}}, Own); g.First != 9 || g.Last != 9 {
		t.Errorf("%d to %d", g.First, g.Last)
	}
}

// The text of the first own frame.
func TestOwnFrame(t *testing.T) {
	offset := report.Address("0x0000000000000123")
	own := func(f report.Frame) Tally {
		zero := 0
		f.Module = text("app")
		return Of("x", &report.Report{CrashInfo: report.CrashInfo{CrashingThread: &zero}, Threads: []report.Thread{{Frames: []report.Frame{
			{Function: text("no module")}, {Module: text("libc.so.6"), System: true}, f,
		}}}}, Own).Own
	}
	for want, f := range map[string]report.Frame{
		"app!run":                 {Function: text("run"), ModuleOffset: &offset},
		"app!inlined":             {Function: text("run"), Inlines: []report.Inline{{Function: text("inlined")}, {Function: text("outer")}}},
		"app!outer":               {Function: text("outer"), Inlines: []report.Inline{{}}},
		"app + " + string(offset): {ModuleOffset: &offset},
		"app":                     {},
	} {
		if got := own(f); !reflect.DeepEqual(got, Tally{want: 1}) {
			t.Errorf("%v, want %q", got, want)
		}
	}
}

// A native module that a script calls is named together with the script's function; the runtime's functions and its library's are not the program's.
func TestOwnRows(t *testing.T) {
	native := func(module, function string, library bool) report.Frame {
		return report.Frame{Module: text(module), Function: text(function), Library: library}
	}
	calls := func(f report.Frame, kind report.FrameKind, list ...string) report.Frame {
		for _, name := range list {
			name, library := strings.CutPrefix(name, "library:")
			f.Inlines = append(f.Inlines, report.Inline{Function: text(name), Kind: kind, Library: library})
		}
		return f
	}
	made := report.Frame{Function: text("query"), File: text("/srv/query.c"), Certainty: report.NameInside}
	for name, tt := range map[string]struct {
		frames []report.Frame
		want   Tally
	}{
		"a script": {[]report.Frame{native("node", "v8::base::OS::Abort()", true), calls(report.Frame{}, report.ScriptFrame, "library:emit", "answer"),
			native("node", "main", true)}, Tally{"javascript!answer": 1}},
		"a native module": {[]report.Frame{native("addon.node", "Write", false), native("node", "Call", true),
			calls(native("node", "Trampoline", true), report.ScriptFrame, "save", "main")}, Tally{"addon.node!Write": 1, "javascript!save": 1}},
		"of Python":             {[]report.Frame{native("ext.so", "work", false), calls(native("python3", "_PyEval", true), report.PythonFrame, "app.run")}, Tally{"ext.so!work": 1, "python!app.run": 1}},
		"the library inlined":   {[]report.Frame{calls(native("app", "f", false), "", "library:std::vector::at")}, Tally{"app!f": 1}},
		"registered code":       {[]report.Frame{made, native("app", "main", false)}, Tally{"query.c!query": 1}},
		"only a runtime":        {[]report.Frame{native("node", "v8::Start", true)}, Tally{"node!v8::Start": 1}},
		"code without a module": {[]report.Frame{{Function: text("f")}}, nil},
	} {
		zero := 0
		r := &report.Report{CrashInfo: report.CrashInfo{CrashingThread: &zero}, Threads: []report.Thread{{Frames: tt.frames}}}
		if got := Of("x", r, Own).Own; !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
	number, where := uint64(7), "main.work"
	r := &report.Report{Verdict: report.Verdict{Goroutine: &number, Where: &where}}
	if got := Of("x", r, Own).Own; !reflect.DeepEqual(got, Tally{"main.work": 1}) {
		t.Errorf("a goroutine: %v", got)
	}
}

// A report's numbers may lead nowhere: it may come from another program.
func TestOddReports(t *testing.T) {
	for _, n := range []int{-1, 0, 5} {
		r := &report.Report{CrashInfo: report.CrashInfo{CrashingThread: &n}, MainModule: n}
		if g := Of("x", r, Own); g.Own != nil || g.Modules != nil || g.Systems != nil {
			t.Errorf("thread and module %d: %+v", n, g)
		}
	}
	zero := 0
	all := &report.Report{CrashInfo: report.CrashInfo{CrashingThread: &zero}, Threads: []report.Thread{{Frames: []report.Frame{{Module: text("libc"), System: true}}}}}
	if g := Of("x", all, Own); g.Own != nil {
		t.Errorf("a stack of the system's libraries has the own frame %v", g.Own)
	}
	for want, info := range map[string]report.SystemInfo{"Linux": {OS: text("Linux")}, "Linux arm": {OS: text("Linux"), CPU: text("arm")}, " arm": {CPU: text("arm")}} {
		if got := Of("x", &report.Report{SystemInfo: info}, Own).Systems; !reflect.DeepEqual(got, Tally{want: 1}) {
			t.Errorf("%v, want %q", got, want)
		}
	}
}

// A dump that gave no report is a group of its own by the reason.
func TestFailed(t *testing.T) {
	var s Set
	s.Add(Failed("a.dmp", "no dump"))
	s.Add(Failed("b.dmp", "no dump"))
	s.Add(crash("no dump", "c.dmp"))
	got := s.Groups()
	if len(got) != 2 || got[0].Kind != Crash || got[1].Kind != Unreadable || got[1].Count != 2 || !reflect.DeepEqual(got[1].Examples, Tally{"a.dmp": 1, "b.dmp": 1}) {
		t.Errorf("%+v", got)
	}
}

// Without a baseline no group has a state.
func TestAgainstNothing(t *testing.T) {
	var now Set
	now.Add(crash("a", "x"))
	if got := now.Against(nil); len(got) != 1 || got[0].State != "" || got[0].Before != 0 || got[0].Count != 1 {
		t.Errorf("%+v", got)
	}
	if got := now.Against(&Set{}); len(got) != 1 || got[0].State != New {
		t.Errorf("an empty baseline: %+v", got)
	}
	if got := (&Set{}).Against(&now); len(got) != 1 || got[0].State != Gone || got[0].Before != 1 || got[0].Count != 0 {
		t.Errorf("nothing now: %+v", got)
	}
	// A group that was gone in the baseline itself is not gone again.
	was := Set{}
	was.Add(Group{Kind: Crash, Signature: "long gone"})
	if got := now.Against(&was); len(got) != 1 || got[0].Signature != "a" {
		t.Errorf("gone before: %+v", got)
	}
}

// A document and lines may follow each other; an empty document adds nothing.
func TestReadDocuments(t *testing.T) {
	var s Set
	in := `{"groups":[{"kind":"crash","signature":"a","count":2},{"kind":"crash","signature":"b","count":1}]}
{"kind":"crash","signature":"a","count":3}{"groups":[]}`
	if err := ReadLines(strings.NewReader(in), &s); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range s.Groups() {
		got = append(got, fmt.Sprintf("%s %d", g.Signature, g.Count))
	}
	if want := []string{"a 5", "b 1"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A signature is written as it is, also where HTML has a meaning for it, and an
// error of the writer is the result.
func TestWriteLines(t *testing.T) {
	var out strings.Builder
	if err := WriteLines(&out, []Group{crash("std::vector<int>&", "x")}); err != nil || !strings.Contains(out.String(), `"signature":"std::vector<int>&"`) {
		t.Errorf("%s, %v", out.String(), err)
	}
	if err := WriteLines(broken{}, []Group{{}}); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Counts come from files. A sum that is too large stays at the largest number, in any order.
func TestSumsDoNotWrap(t *testing.T) {
	large := Group{Kind: Crash, Signature: "f", Count: 1<<64 - 2, What: Tally{"read": 1<<64 - 2}}
	for _, order := range [][]uint64{{1, 3, 5}, {5, 3, 1}} {
		var s Set
		s.Add(large)
		for _, n := range order {
			s.Add(Group{Kind: Crash, Signature: "f", Count: n, What: Tally{"read": n}})
		}
		if g := s.Groups()[0]; g.Count != 1<<64-1 || g.What["read"] != 1<<64-1 {
			t.Errorf("%v: %d dumps, %d reads", order, g.Count, g.What["read"])
		}
	}
}
