package analyze

import (
	"errors"
	"io"
	"slices"
	"testing"

	"crashglass/core/cause/crash"
	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/runtimes"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/dump"
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

// goMemory are symbols that have no files, and count the searches for Go's table in memory, which has a function at 0x1000.
type goMemory struct {
	searched map[uint64]int
}

func (goMemory) For(*module.Module) (Source, report.Symbols) {
	return nil, report.Symbols{State: report.SymbolsMissing}
}
func (goMemory) Image(io.ReaderAt, int64) unwind.Rules { return nil }
func (goMemory) FunctionTable(io.ReaderAt, *cpu.Arch, []byte) unwind.EntryRules {
	return nil
}
func (m goMemory) GoTable(_ io.ReaderAt, _ int64, base uint64, _ string) Names {
	m.searched[base]++
	return goNames{}
}

type goNames struct{ unwind.NoWinFrames }

func (goNames) CallFrame(uint64) (unwind.CallFrame, bool) { return unwind.CallFrame{}, false }
func (goNames) Function(uint64) (unwind.Function, bool)   { return unwind.Function{}, false }
func (goNames) HasNames() bool                            { return false }
func (goNames) HasCode() bool                             { return false }

func (goNames) Locate(uint64) (symbolize.Location, bool) {
	return symbolize.Location{Function: "main.f", Start: 0x1000, Size: 0x100, File: "/src/f.go", Line: 7}, true
}

// The program of Go without a file has the names of its table in memory, searched once; other modules, and sanitized dumps, which lack it, have not.
func TestGoTableInMemory(t *testing.T) {
	for _, tt := range []struct {
		runtime uint64
		walked  func(uint64, int, report.ReadUse)
		want    string
	}{{0x40_0000, nil, "main.f"}, {0x50_0000, nil, ""}, {0x40_0000, func(uint64, int, report.ReadUse) {}, ""}} {
		s := deadlocked(t, dump.Module{Base: 0x40_0000, Size: 0x1_0000, Name: "/srv/app"})
		s.found["goroutines"] = &runtimes.Found{Module: tt.runtime}
		symbols := goMemory{map[uint64]int{}}
		r, err := s.Report(symbols, Options{Walked: tt.walked})
		if err != nil {
			t.Fatal(err)
		}
		f := &r.Threads[0].Frames[0]
		if got := report.Text(f.Function); got != tt.want || (f.Certainty == report.NameInside) != (tt.want != "") {
			t.Errorf("%#x: %q %s, want %q", tt.runtime, got, f.Certainty, tt.want)
		}
		if n := symbols.searched[0x40_0000]; len(symbols.searched) != n || (n == 1) != (tt.want != "") {
			t.Errorf("%#x: searched %v", tt.runtime, symbols.searched)
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
