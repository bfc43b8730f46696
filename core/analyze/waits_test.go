package analyze

import (
	"reflect"
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/symbolsource"
	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

// deadlocked is a process of two threads without code and names: each waits for
// a mutex of glibc that the other holds.
func deadlocked(t *testing.T, modules ...dump.Module) *Session {
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	waiter := func(id uint32, lock, stack uint64) {
		context := b.Context(t, dump.AMD64, map[string]uint64{
			"rip": 0x40_1007, "rcx": 0x40_1007, "rax": ^uint64(511), "rdi": lock, "rsi": 0x80, "rdx": 2, "rsp": stack,
		})
		b.Thread(dump.Thread{ID: id, StackBase: stack, Stack: asm.At(stack).U64(0, 0).Build(t), Context: context})
	}
	waiter(3, 0x5000, 0x7ffe_0000)
	waiter(7, 0x5100, 0x7fff_0000)
	b.Memory(0x5000, asm.At(0x5000).U32(2, 0, 7, 1, 0, 0).Build(t))
	b.Memory(0x5100, asm.At(0x5100).U32(2, 0, 3, 1, 0, 0).Build(t))
	for _, m := range modules {
		b.Module(m)
	}
	s, err := Open(source(b.Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A lockSource has the locks of deadlocked as variables outside of functions, and counts how often it lists them.
type lockSource struct {
	symbolsource.Bare
	listed *int
}

func (s lockSource) For(*module.Module) (Source, report.Symbols) { return s, report.Symbols{} }
func (s lockSource) Variables() variables.Symbols                { return variables.Symbols{Statics: s} }

func (s lockSource) Statics(func(string) bool, int) []variables.Variable {
	*s.listed++
	word := &types.Type{Kind: types.Unsigned, Name: "unsigned", Size: 4, Sized: true}
	return []variables.Variable{{Name: "left", Type: to(word), Rule: atAddress(0x5000)}, {Name: "right", Type: to(word), Rule: atAddress(0x5100)}}
}

func (lockSource) StaticsAt(uint64, int) []variables.Variable { return nil }

type atAddress uint64

func (atAddress) String() string { return "at an address" }
func (a atAddress) Place(*variables.Eval) (variables.Place, error) {
	return variables.Place{Pieces: []variables.Piece{{Kind: variables.InMemory, Addr: uint64(a)}}}, nil
}

// Locks outside of functions have names. The variables of a module are listed once for all locks.
func TestNamesOfLocks(t *testing.T) {
	listed := 0
	r, err := deadlocked(t, dump.Module{Base: 0x5000, Size: 0x1000, Name: "/opt/app"}).Report(lockSource{listed: &listed}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	left, right := r.Threads[0].Waits, r.Threads[1].Waits
	if left == nil || left.Name != "left" || right == nil || right.Name != "right" || listed != 1 {
		t.Errorf("%+v, %+v, listed %d times", left, right, listed)
	}
}

// A symbolSource has only symbols of data: each has the second lock 8 bytes behind its beginning.
type symbolSource struct{ symbolsource.Bare }

func (s symbolSource) For(*module.Module) (Source, report.Symbols) { return s, report.Symbols{} }
func (s symbolSource) Variables() variables.Symbols                { return variables.Symbols{Names: s} }

func (symbolSource) NameAt(rel uint64) (name string, start uint64) {
	switch {
	case rel < 8:
		return "left", 0
	case rel >= 0xf8 && rel < 0x108:
		return "bank::store", 0xf8
	}
	return "", 0
}

func (symbolSource) EachData(string, func(string, uint64)) {}

// Without debug information, locks are named by symbols of data, with the offset in a larger variable.
func TestLocksBySymbols(t *testing.T) {
	r, err := deadlocked(t, dump.Module{Base: 0x5000, Size: 0x1000, Name: "/opt/app"}).Report(symbolSource{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if left, right := r.Threads[0].Waits, r.Threads[1].Waits; left == nil || left.Name != "left" || right == nil || right.Name != "bank::store + 0x8" {
		t.Errorf("%+v, %+v", left, right)
	}
}

func TestDeadlock(t *testing.T) {
	s := deadlocked(t)
	r, err := s.Report(nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := (&report.Hang{Waiting: 2, Threads: 2, Cycles: [][]int{{0, 1}}, Functions: [][]string{{"", ""}}, Behind: []int{}}); !reflect.DeepEqual(r.Hang, want) {
		t.Errorf("hang %+v, want %+v", r.Hang, want)
	}
	if want := "No crash: 2 of 2 threads wait; threads 3 and 7 wait for each other"; r.Verdict.What != want {
		t.Errorf("verdict %q, want %q", r.Verdict.What, want)
	}
	w := r.Threads[0].Waits
	if w == nil || w.Kind != "mutex" || w.Holder != report.WaitHeld || *w.Thread != 1 || *w.ThreadID != 7 || *w.Object != "0x0000000000005000" {
		t.Errorf("thread 3 waits for %+v", w)
	}
}

// A report of the crashing thread has the hang, too.
func TestHangOfTheCrashingThread(t *testing.T) {
	r, err := deadlocked(t).Report(nil, Options{Threads: Crashing()})
	if err != nil {
		t.Fatal(err)
	}
	if want := "No crash: 2 of 2 threads wait; threads 3 and 7 wait for each other"; r.Verdict.What != want {
		t.Errorf("verdict %q, want %q", r.Verdict.What, want)
	}
	if other := &r.Threads[1]; other.Waits == nil || other.End.Kind != report.NotWalked || len(other.Frames) > 0 {
		t.Errorf("the other thread waits for %+v, ends with %v, has %d frames", other.Waits, other.End, len(other.Frames))
	}
}

// A report of one thread has no hang, because it would say that all others do not wait.
func TestNoHangOfOneThread(t *testing.T) {
	r, err := deadlocked(t).Report(nil, Options{Threads: One(0)})
	if err != nil {
		t.Fatal(err)
	}
	if r.Hang != nil || r.Threads[0].Waits == nil || r.Threads[1].Waits != nil {
		t.Errorf("hang %+v, waits %+v and %+v", r.Hang, r.Threads[0].Waits, r.Threads[1].Waits)
	}
}
