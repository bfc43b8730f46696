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
		"a dump on request":  {report.NameInside, []int{0, 1}, false, "on_request", []string{"desk::open()", "desk::close()"}},
		"a signal":           {report.NameInside, []int{0, 1}, true, report.FindingFromOutside, []string{"desk::open()", "desk::close()"}},
		"a crash":            {report.NameInside, []int{0, 1}, true, report.FindingNullPointer, nil},
		"an uncertain name":  {report.NameNearest, []int{0, 1}, false, "", nil},
		"no thread":          {report.NameInside, []int{0, 7}, false, "", nil},
		"no cycle of others": {report.NameInside, []int{0}, false, "", nil},
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
