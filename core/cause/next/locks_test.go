package next

import (
	"slices"
	"testing"

	"crashglass/core/report"
)

// Threads that wait for each other are named by the program's functions, and only by certain names.
func TestCompareLocks(t *testing.T) {
	frame := func(name string, system bool, certainty report.Certainty) report.Frame {
		zero := 0
		return report.Frame{Function: &name, System: system, Certainty: certainty, ModuleIndex: &zero}
	}
	thread := func(own string, certainty report.Certainty) report.Thread {
		return report.Thread{Frames: []report.Frame{frame("pthread_mutex_lock", true, report.NameInside), frame(own, false, certainty)}}
	}
	for name, tt := range map[string]struct {
		second  report.Certainty
		cycle   []int
		crashed bool
		finding report.FindingKind
		want    []string
	}{
		"a dump on request":  {second: report.NameInside, cycle: []int{0, 1}, finding: "on_request", want: []string{"desk::open()", "desk::close()"}},
		"a signal":           {second: report.NameInside, cycle: []int{0, 1}, crashed: true, finding: report.FindingFromOutside, want: []string{"desk::open()", "desk::close()"}},
		"a crash":            {second: report.NameInside, cycle: []int{0, 1}, crashed: true, finding: report.FindingNullPointer},
		"an uncertain name":  {second: report.NameNearest, cycle: []int{0, 1}, finding: ""},
		"no thread":          {second: report.NameInside, cycle: []int{0, 7}, finding: ""},
		"no cycle of others": {second: report.NameInside, cycle: []int{0}, finding: ""},
	} {
		r := &report.Report{Threads: []report.Thread{thread("desk::open()", report.NameInside), thread("desk::close()", tt.second)}}
		functions := []string{"desk::open()"}
		if tt.second == report.NameInside {
			functions = append(functions, "desk::close()")
		}
		r.Hang = &report.Hang{Cycles: [][]int{tt.cycle}, Functions: [][]string{functions}}
		r.Verdict.Crashed, r.Verdict.Finding = tt.crashed, tt.finding
		var got []string
		for _, s := range Steps(r) {
			if s.Kind == report.CompareLocks {
				got = s.Functions
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// A program that another process ended while a thread waited for others has the place of that wait.
func TestLookAtWait(t *testing.T) {
	at := func(kind report.WaitKind) *report.Report {
		r := windows(frame(0, 1, "!", "wait"), frame(1, 0, "", "desk::open()"))
		r.Verdict = report.Verdict{Crashed: true, Finding: report.FindingFromOutside, Where: ptr("desk::open()"), At: ptr("desk.cpp:7"), Row: ptr(1)}
		if kind != "" {
			r.Threads[0].Waits = &report.Wait{Kind: kind}
		}
		return r
	}
	for kind, want := range map[report.WaitKind]string{
		"mutex": "look_at, desk::open(), desk.cpp:7, row 1", "channel_receive": "look_at, desk::open(), desk.cpp:7, row 1", report.WaitSleep: "", report.WaitPoll: "", "": "",
	} {
		if got := picture(Steps(at(kind))); want != "" && !slices.Contains(got, want) || want == "" && slices.ContainsFunc(got, func(s string) bool { return s[:4] == "look" }) {
			t.Errorf("%s: %q", kind, got)
		}
	}
	r := at("")
	r.Verdict.Goroutine, r.Verdict.Row = ptr(uint64(1)), nil
	if got := picture(Steps(r)); !slices.Contains(got, "look_at, desk::open(), desk.cpp:7") {
		t.Errorf("a goroutine: %q", got)
	}
}

// Libraries that Wine gives a program have no PDB, which Microsoft's server would have.
func TestWinesLibraries(t *testing.T) {
	r := windows(frame(0, 0, "", "f"), frame(1, 1, "!?", ""))
	r.WantedSymbols = []report.Wanted{{Module: 1, CodeFile: "ntdll.dll", CodeID: "63f14e2b361000", State: report.SymbolsMissing}}
	for _, s := range Steps(r) {
		if s.Kind == report.GetSymbols {
			t.Errorf("%+v", s)
		}
	}
}

// The kernel's code in a process has no file that could be fetched.
func TestKernelsModule(t *testing.T) {
	for _, file := range []string{"linux-gate.so", "linux-vdso.so.1", "[vdso]"} {
		r := windows(frame(0, 0, "", "f"), frame(1, 1, "!?", ""))
		r.WantedSymbols = []report.Wanted{wanted(1, file, report.SymbolsMissing)}
		r.WantedSymbols[0].CodeFile = file
		for _, s := range Steps(r) {
			if s.Kind == report.GetSymbols {
				t.Errorf("%s: %+v", file, s)
			}
		}
	}
}
