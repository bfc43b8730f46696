package analyze

import (
	"reflect"
	"testing"

	"crashglass/core/report"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// deadlocked is a process of two threads without code and names: each waits for
// a mutex of glibc that the other holds.
func deadlocked(t *testing.T) *Session {
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
	s, err := Open(source(b.Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	return s
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
