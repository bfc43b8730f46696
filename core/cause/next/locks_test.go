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
