package analyze

import (
	"errors"
	"slices"
	"testing"

	"crashglass/core/cause/crash"
	"crashglass/core/machine/cpu"
	"crashglass/core/runtimes"
)

// A deadlock's place is in the main goroutine, and that of C code in the goroutine that called it: it has the crashing thread, but does not run.
func TestGoroutineOfCrash(t *testing.T) {
	s := deadlocked(t)
	s.p.Subject = 0 // thread 3
	a := s.analysis(nil, Options{Threads: Crashing()})
	r := s.base
	for _, tt := range []struct {
		name  string
		tasks []runtimes.Task
		which crash.WhichGoroutine
		want  uint64
		state string
	}{
		{name: "the main one", tasks: []runtimes.Task{{ID: 7, Thread: 3, State: "syscall"}, {ID: 1, State: "chan receive"}}, want: 1, state: "chan receive"},
		{name: "the caller of C", tasks: []runtimes.Task{{ID: 1}, {ID: 9, Thread: 3, Running: true}, {ID: 7, Thread: 3, State: "syscall"}}, which: crash.CallingGoroutine, want: 7, state: "syscall"},
		{name: "the one that runs", tasks: []runtimes.Task{{ID: 1}, {ID: 7, Thread: 3}, {ID: 9, Thread: 3, Running: true, State: "running"}}, which: crash.CrashingGoroutine, want: 9, state: "running"},
		{name: "no main one", tasks: []runtimes.Task{{ID: 7}}},
		{name: "a caller on another thread", tasks: []runtimes.Task{{ID: 7, Thread: 4, State: "syscall"}}, which: crash.CallingGoroutine},
		{name: "no Go program", tasks: nil},
	} {
		s.found["goroutines"] = nil
		if tt.tasks != nil {
			s.found["goroutines"] = &runtimes.Found{Tasks: tt.tasks}
		}
		g := a.goroutineOfCrash(&r, tt.which)
		if (g == nil) != (tt.want == 0) || g != nil && (g.ID != tt.want || g.State != tt.state) {
			t.Errorf("%s: %+v, want %d", tt.name, g, tt.want)
		}
	}
}

// Thousands of goroutines take seconds: the caller learns of each, and may cancel between two. The scan of a goroutine's stack ends where the stack does.
func TestStacksOfTasks(t *testing.T) {
	s := deadlocked(t)
	var regs cpu.Regs
	regs.Set(cpu.AMD64.PC, 0x40_1000)
	regs.Set(cpu.AMD64.SP, 0x7ffe_0000)
	one := runtimes.Task{ID: 1, Regs: regs, Low: 0x7ffd_0000, High: 0x7ffe_0008}
	s.found["goroutines"] = &runtimes.Found{Tasks: []runtimes.Task{one, one, one}}
	if top := s.analysis(nil, Options{}).taskInput(&one).Top; top != one.High {
		t.Errorf("the stack ends at %#x, want %#x", top, one.High)
	}
	var seen [][2]int
	r, err := s.Report(nil, Options{Progress: func(done, total int) { seen = append(seen, [2]int{done, total}) }})
	if err != nil || len(r.Tasks) != 3 {
		t.Fatalf("%v, %+v", err, r)
	}
	if want := [][2]int{{0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}}; !slices.Equal(seen, want) {
		t.Errorf("progress %v, want %v", seen, want)
	}
	seen = nil
	progress := func(done, total int) { seen = append(seen, [2]int{done, total}) }
	_, err = s.Report(nil, Options{Progress: progress, Cancelled: func() bool { return len(seen) == 4 }})
	if !errors.Is(err, ErrCancelled) || len(seen) != 4 {
		t.Errorf("cancelled after %d stacks: %v", len(seen), err)
	}
}
