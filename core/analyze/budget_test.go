package analyze

import (
	"crashglass/core/testkit/symbolsource"
	"strings"
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// sharedStack is a process of n threads that all have the same stack, a chain
// of frame records with depth frames.
func sharedStack(t *testing.T, n, depth int) *dump.Builder {
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	stack := asm.At(0x7fff_0000)
	for i := range depth {
		next := stack.Here() + 16
		if i == depth-1 {
			next = 0
		}
		stack.U64(next, 0x40_0100)
	}
	b.Memory(0x7fff_0000, stack.Build(t))
	b.Module(dump.Module{Base: 0x40_0000, Size: 0x1000, Name: "/opt/app"})
	context := b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x40_0200, "rsp": 0x7fff_0000, "rbp": 0x7fff_0000})
	for i := range n {
		b.Thread(dump.Thread{ID: uint32(i), Context: context})
	}
	return b
}

// Threads that share a stack cannot have more frames than the stack has words. Otherwise a small
// dump would give a report of gigabytes.
func TestSharedStack(t *testing.T) {
	const threads, depth = 500, 1000
	r := reportOf(t, sharedStack(t, threads, depth))
	total := 0
	for i := range r.Threads {
		total += len(r.Threads[i].Frames)
	}
	if words := depth * 2; total > words+threads*framesWithoutStack {
		t.Errorf("%d frames of a stack of %d words and %d threads", total, words, threads)
	}
	if first := len(r.Threads[0].Frames); first != depth+1 {
		t.Errorf("the first thread has %d frames, want %d", first, depth+1)
	}
	last := r.Threads[threads-1]
	if len(last.Frames) != framesWithoutStack || last.End.Complete || last.End.Kind != "frame_limit" || last.End.Limit != 2 {
		t.Errorf("the last thread has %d frames and ends %+v", len(last.Frames), last.End)
	}
}

// Evidence ends at its limit; the stacks do not.
func TestEvidenceBounded(t *testing.T) {
	r, err := Dump(source(sharedStack(t, 3, 200).Build(t)), nil, Options{Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Threads[1].Frames[1].Evidence) == 0 {
		t.Error("the second thread has no evidence")
	}
	s, err := Open(source(sharedStack(t, 3, 200).Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	a := s.analysis(nil, Options{Explain: true})
	a.budget.evidence = 1
	first, second := a.thread(0), a.thread(1)
	if len(first.Frames[1].Evidence) == 0 || second.Frames[1].Evidence != nil || len(second.Frames) < 2 {
		t.Errorf("evidence of the first thread %v, of the second %v", first.Frames[1].Evidence, second.Frames[1].Evidence)
	}
}

func TestUnloadedMap(t *testing.T) {
	mods := []module.Module{
		{Base: 0x3000, Size: 0x1000, CodeFile: "c"},
		{Base: 0x1000, Size: 0x5000, CodeFile: "a"},
		{Base: 0x2000, Size: 0x100, CodeFile: "b"},
		{Base: 0x3000, Size: 0x800, CodeFile: "c"},
		{Base: 0x9000, Size: 0, CodeFile: "nothing"},
		{Base: ^uint64(0) - 0xf, Size: 0x100, CodeFile: "top"},
	}
	m := newUnloadedMap(mods)
	tests := []struct {
		addr uint64
		want string
	}{
		{0, ""}, {0xfff, ""}, {0x1000, "a"}, {0x2000, "a b"}, {0x20ff, "a b"}, {0x2100, "a"},
		{0x3000, "a c c"}, {0x3800, "a c"}, {0x5fff, "a"}, {0x6000, ""}, {0x9000, ""}, {^uint64(0), "top"},
	}
	for _, tt := range tests {
		var names []string
		m.at(tt.addr, func(mod *module.Module) bool {
			names = append(names, mod.CodeFile)
			return true
		})
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("at %#x: %q, want %q", tt.addr, got, tt.want)
		}
	}
}

// A module that was loaded and unloaded ten thousand times is listed once in each frame.
func TestUnloadedBounded(t *testing.T) {
	a := &analysis{Session: &Session{width: 8}}
	var unloaded []module.Module
	for i := range 10_000 {
		unloaded = append(unloaded, module.Module{Base: uint64(0x10_0000 - i), Size: 0x10_0000, CodeFile: "x.dll"})
	}
	a.unloadedMap = newUnloadedMap(unloaded)
	got := a.unloadedAt(0x10_1000)
	if len(got) != 1 || len(got[0].Offsets) != maxUnloaded {
		t.Errorf("%d modules, %d offsets; want 1 and %d", len(got), len(got[0].Offsets), maxUnloaded)
	}
}

// inlined are symbols with a hundred inlined calls at every address.
type inlined struct{ asked map[uint64]int }

func (inlined) CallFrame(uint64) (unwind.CallFrame, bool) { return unwind.CallFrame{}, false }
func (inlined) WinFrame(uint64) (unwind.WinFrame, bool)   { return unwind.WinFrame{}, false }
func (inlined) HasNames() bool                            { return true }
func (inlined) HasCode() bool                             { return false }
func (inlined) Function(uint64) (unwind.Function, bool)   { return unwind.Function{}, false }

func (s inlined) For(*module.Module) (Source, report.Symbols) {
	return symbolsource.Bare{Source: s}, report.Symbols{State: report.SymbolsMatched}
}

func (s inlined) Locate(rel uint64) (symbolize.Location, bool) {
	s.asked[rel]++
	loc := symbolize.Location{Function: strings.Repeat("f", 1000), Start: rel, File: "a.c", Line: 1}
	for range 100 {
		loc.Inlines = append(loc.Inlines, symbolize.Inline{Function: strings.Repeat("g", 100), File: "a.c", Line: 1})
	}
	return loc, true
}

// A frame of a recursion has its names and inlined calls as long as a report has room. Beyond that
// every frame still has the beginning of its name.
func TestInlinesTimesFrames(t *testing.T) {
	const depth = 20000
	session, err := Open(source(sharedStack(t, 1, depth).Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	syms := inlined{map[uint64]int{}}
	r, err := session.Report(syms, Options{})
	if err != nil {
		t.Fatal(err)
	}
	frames, calls, names := r.Threads[0].Frames, 0, 0
	for i := range frames {
		calls += len(frames[i].Inlines)
		names += len(*frames[i].Function)
	}
	if len(frames) < depth || len(frames[1].Inlines) != 100 || calls > maxText/inlineText || names > maxText+depth*(longName+3) {
		t.Errorf("%d frames with %d inlined calls, %d bytes of names", len(frames), calls, names)
	}
	for rel, n := range syms.asked {
		if n > 1 {
			t.Errorf("%#x was asked for %d times", rel, n)
		}
	}
	if n := len(r.Notes); n == 0 || !strings.Contains(r.Notes[n-1].Text, "the frames have more names, registers and inlined calls") {
		t.Errorf("notes %+v", r.Notes)
	}
}
