package analyze

import (
	"fmt"
	"testing"

	"crashglass/core/report"
	"crashglass/core/runtimes"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// A runtime that finds calls by the walked stacks gets all of them, and its calls stand in the frames that it names.
func TestWalked(t *testing.T) {
	seen := ""
	opt := Options{Runtimes: []runtimes.Runtime{{
		Name: "V8", Task: string(report.ScriptThread), Frame: string(report.ScriptFrame), Native: "none",
		Walked: func(t *runtimes.Target) *runtimes.Found {
			for _, s := range t.Stacks {
				seen += fmt.Sprintf("%d: %#x, ", s.Thread, s.Frames[0].Instruction)
			}
			t.Data(0x5000, "", func(string, uint64) { seen += "a name of no module, " })
			seen += fmt.Sprint(t.Bytes(0x5000, 2))
			return &runtimes.Found{Tasks: []runtimes.Task{{
				Thread: 7, Whole: true, Frames: []int{0}, Runs: [][]runtimes.Call{{{Function: "f", File: "/srv/a.js", Line: 3, Column: 9}, {Function: "g"}}},
				Exception: &runtimes.Exception{Name: "TypeError", Message: "no"},
			}}}
		},
	}}}
	r, err := deadlocked(t).Report(nil, opt)
	if err != nil {
		t.Fatal(err)
	}
	if want := "3: 0x401007, 7: 0x401007, [2 0]"; seen != want {
		t.Errorf("%s, want %s", seen, want)
	}
	calls := r.Threads[1].Frames[0].Inlines
	if len(calls) != 2 || *calls[0].Function != "f" || *calls[0].Line != 3 || *calls[0].Column != 9 || calls[0].Kind != report.ScriptFrame || calls[1].Line != nil {
		t.Errorf("%+v", calls)
	}
	if len(r.Tasks) != 1 || *r.Tasks[0].Frames[0].Column != 9 || *r.Tasks[0].Exception != (report.TaskException{Type: "TypeError", Message: "no"}) {
		t.Errorf("%+v", r.Tasks)
	}
}

// A frame has a word of the stack if that is between its stack pointer and its caller's. Runs whose frames are not all known have none.
func TestFramesWith(t *testing.T) {
	a := deadlocked(t).analysis(nil, Options{})
	for i, sp := range []uint64{0x1000, 0x1040, 0x10c0, 0x1100} {
		var f unwind.Frame
		f.Regs.Set(a.p.Arch.SP, sp)
		f.Guess = i == 3
		a.walked[0] = append(a.walked[0], f)
	}
	for _, tt := range []struct {
		words []uint64
		want  string
	}{
		{[]uint64{0x1008}, "[0]"}, {[]uint64{0x1000, 0x10b8}, "[0 1]"}, {[]uint64{0x1040}, "[1]"}, {[]uint64{0x1048, 0x1050}, "[]"}, {[]uint64{0x1050, 0x1008}, "[]"},
		{[]uint64{0}, "[]"}, {[]uint64{0xff8}, "[]"}, {[]uint64{0x10c0}, "[]"}, {[]uint64{0x1200}, "[]"}, {nil, "[]"},
	} {
		if got := fmt.Sprint(a.framesWith(tt.words, 0)); got != tt.want {
			t.Errorf("%#x: frames %s, want %s", tt.words, got, tt.want)
		}
	}
	if at := a.framesWith([]uint64{0x1008}, 1); at != nil {
		t.Errorf("frames %d of a thread that was not walked", at)
	}
}

// A report whose CPU is not known has no walked stacks.
func TestWalkedWithoutCPU(t *testing.T) {
	s := deadlocked(t)
	s.p.Arch = nil
	r, err := s.Report(nil, Options{Runtimes: []runtimes.Runtime{{Name: "V8", Native: "none", Walked: func(*runtimes.Target) *runtimes.Found { return nil }}}})
	if err != nil || len(r.Notes) > 0 {
		t.Errorf("%+v, %v", r.Notes, err)
	}
}

// Code that a process made at run time has the names of its own perf map.
func TestGenerated(t *testing.T) {
	s := deadlocked(t)
	s.p.PID = ptr(uint32(12))
	opt := Options{Generated: func(pid uint32, addr uint64) (symbolize.Location, bool) {
		return symbolize.Location{Function: fmt.Sprintf("made by %d", pid), Start: 0x401000, Size: 0x20}, addr == 0x401007
	}}
	r, err := s.Report(nil, opt)
	if err != nil {
		t.Fatal(err)
	}
	if f := &r.Threads[0].Frames[0]; f.Function == nil || *f.Function != "made by 12" || f.Certainty != report.NameInside || number(f.FunctionOffset) != 7 {
		t.Errorf("%+v", f)
	}
}

func number(a *report.Address) uint64 {
	if a == nil {
		return 0
	}
	return a.Number()
}
