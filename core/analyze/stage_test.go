package analyze

import (
	"crashglass/core/testkit/symbolsource"
	"strings"
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// buggy panics for a module's symbols, or for a name.
type buggy struct {
	inlined
	early bool
}

func (b buggy) For(m *module.Module) (Source, report.Symbols) {
	if b.early && m.Base == 0x50_0000 {
		panic("a password")
	}
	return symbolsource.Bare{Source: b}, report.Symbols{State: report.SymbolsMatched}
}

func (b buggy) Locate(rel uint64) (symbolize.Location, bool) {
	if rel == 0x666 {
		var none []int
		none[rel]++
	}
	return symbolize.Location{Function: "right", Start: rel, Size: 1}, true
}

// A panic for one thread, or one module, costs only that thread. The report has the others and the
// verdict, and a note locates the bug.
func TestBugs(t *testing.T) {
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	b.Module(dump.Module{Base: 0x40_0000, Size: 0x1000, Name: "/opt/app"}).Module(dump.Module{Base: 0x50_0000, Size: 0x1000, Name: "/lib/x"})
	for i, pc := range []uint64{0x40_0100, 0x40_0666, 0x50_0100, 0x40_0200} {
		stack := asm.At(0x7000).U64(0, 0).Build(t)
		b.Thread(dump.Thread{ID: uint32(i + 1), StackBase: 0x7000, Stack: stack, Context: b.Context(t, dump.AMD64, map[string]uint64{"rip": pc, "rsp": 0x7000})})
	}
	b.Exception(dump.Exception{Thread: 1, Code: 11, Address: 8, Context: b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x40_0100, "rsp": 0x7000})})
	s, err := Open(source(b.Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Report(buggy{early: true}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 0, 0, 1} {
		if n := len(r.Threads[i].Frames); n != want || r.Threads[i].ID != uint32(i+1) {
			t.Errorf("thread %d: %d frames", r.Threads[i].ID, n)
		}
	}
	said := map[string]string{}
	for _, n := range r.Notes {
		said[n.Where] = n.Text
	}
	for _, thread := range []string{"stack of thread 2", "stack of thread 3"} {
		if why := said[thread]; !strings.HasPrefix(why, "this is a bug in Crashglass (") ||
			!strings.HasSuffix(why, "please report this line, the file is not needed") || strings.Contains(why, "password") {
			t.Errorf("%s: %q", thread, why)
		}
	}
	if r.Verdict.What == "" || r.Signature == nil || !strings.Contains(*r.Signature, "right") {
		t.Errorf("what happened: %q, signature %v", r.Verdict.What, r.Signature)
	}
}
