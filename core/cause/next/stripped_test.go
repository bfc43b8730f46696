package next

import (
	"testing"

	"crashglass/core/report"
)

// A stripped program is asked for before the library in which the walk began to guess.
func TestStrippedProgramFirst(t *testing.T) {
	zero, program, library := 0, 0, 1
	r := &report.Report{
		CrashInfo: report.CrashInfo{CrashingThread: &zero},
		Modules:   []report.Module{{CodeFile: "/opt/app", DebugFile: "app"}, {CodeFile: "/lib/libc.so.6", DebugFile: "libc.so.6", System: true}},
		Threads:   []report.Thread{{Frames: []report.Frame{{ModuleIndex: &library, System: true}, {ModuleIndex: &program, Guess: true}}}},
		WantedSymbols: []report.Wanted{
			{Module: 1, DebugFile: "libc.so.6", State: report.SymbolsMissing, Crashing: true, Frames: 1},
			{Module: 0, DebugFile: "app", State: report.SymbolsPublicOnly, Crashing: true, Frames: 1},
		},
	}
	for state, want := range map[string]string{report.SymbolsPublicOnly: "app", report.SymbolsMissing: "libc.so.6"} {
		r.WantedSymbols[1].State = state
		steps := Steps(r)
		if len(steps) == 0 || steps[0].Kind != report.GetSymbols || steps[0].File != want {
			t.Errorf("%s: %+v, want symbols of %s first", state, steps, want)
		}
	}
}

// A program whose DWARF was split off is not wanted again: the files that have it are.
func TestSplitProgram(t *testing.T) {
	zero, program := 0, 0
	r := &report.Report{
		CrashInfo:     report.CrashInfo{CrashingThread: &zero},
		Modules:       []report.Module{{CodeFile: "/opt/app", DebugFile: "app", Symbols: &report.Symbols{Split: []string{"a.dwo"}}}},
		Threads:       []report.Thread{{Frames: []report.Frame{{ModuleIndex: &program}}}},
		WantedSymbols: []report.Wanted{{Module: 0, DebugFile: "app", State: report.SymbolsPublicOnly, Crashing: true, Frames: 1}},
	}
	for state, want := range map[string]int{report.SymbolsPublicOnly: 1, report.SymbolsWrongBuild: 0} {
		r.WantedSymbols[0].State = state
		if steps := Steps(r); len(steps) == 0 || len(steps[0].Split) != want {
			t.Errorf("%s: %+v", state, steps)
		}
	}
}
