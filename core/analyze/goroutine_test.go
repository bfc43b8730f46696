package analyze

import (
	"testing"

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
		calls bool
		want  uint64
		state string
	}{
		{name: "the main one", tasks: []runtimes.Task{{ID: 7, Thread: 3, State: "syscall"}, {ID: 1, State: "chan receive"}}, want: 1, state: "chan receive"},
		{name: "the caller of C", tasks: []runtimes.Task{{ID: 1}, {ID: 9, Thread: 3, Running: true}, {ID: 7, Thread: 3, State: "syscall"}}, calls: true, want: 7, state: "syscall"},
		{name: "no main one", tasks: []runtimes.Task{{ID: 7}}},
		{name: "a caller on another thread", tasks: []runtimes.Task{{ID: 7, Thread: 4, State: "syscall"}}, calls: true},
		{name: "no Go program", tasks: nil},
	} {
		s.found["goroutines"] = nil
		if tt.tasks != nil {
			s.found["goroutines"] = &runtimes.Found{Tasks: tt.tasks}
		}
		g := a.goroutineOfCrash(&r, tt.calls)
		if (g == nil) != (tt.want == 0) || g != nil && (g.ID != tt.want || g.State != tt.state) {
			t.Errorf("%s: %+v, want %d", tt.name, g, tt.want)
		}
	}
}
