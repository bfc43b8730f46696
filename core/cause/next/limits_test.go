package next

import (
	"slices"
	"testing"

	"crashglass/core/report"
)

// Each rule at the edge of its condition: one fact more or less, and the step is gone.
func TestEdges(t *testing.T) {
	const look = "look_at, f, row 0"
	tests := []struct {
		name   string
		change func(r *report.Report)
		want   []string
	}{
		{"a stream ends with the file", func(r *report.Report) { r.Dump.Size, r.Streams = 100, []report.Stream{{Offset: 90, Size: 10}} }, []string{look}},
		{"a row below 0", func(r *report.Report) { r.Verdict.Row = ptr(-1) }, nil},
		{"no crash", func(r *report.Report) { r.Verdict.Crashed = false }, nil},
		{"the thread behind the last", func(r *report.Report) { r.CrashInfo.CrashingThread = ptr(1) }, nil},
		{"memory that the CPU found broken", func(r *report.Report) { r.Verdict.Badges = []report.Badge{{Finding: report.FindingBrokenMemory}} }, []string{"check_memory", look}},
		{"freed memory", func(r *report.Report) { r.Verdict.Finding = report.FindingPoison }, []string{"run_sanitizer", look}},
		{"a wanted file of the module behind the last", func(r *report.Report) { r.WantedSymbols = []report.Wanted{wanted(3, "gone.pdb", "missing")} }, []string{look}},
		{"a frame of the module behind the last", func(r *report.Report) {
			r.CrashInfo.Instruction, r.Threads[0].Frames[0].ModuleIndex = nil, ptr(3)
		}, []string{look}},
		{"the register is that of the innermost frame, and another one is blamed", func(r *report.Report) {
			r.Threads[0].Frames[0].Registers = report.Registers{{Name: "rdi", Value: "0x0"}}
			r.Threads[0].Frames = append(r.Threads[0].Frames, frame(1, 0, "", "g"))
			r.Verdict.Row, r.Verdict.Where = ptr(1), ptr("g")
		}, []string{"look_at, g, row 1"}},
		{"module and offset, with the register: it can be read in a debugger", func(r *report.Report) {
			r.Threads[0].Frames[0].Function = nil
			r.Threads[0].Frames[0].Registers = report.Registers{{Name: "rdi", Value: "0x0"}}
		}, []string{"look_at, f, rdi, 0x0, row 0"}},
		{"module and offset, without it: there is no code to read", func(r *report.Report) { r.Threads[0].Frames[0].Function = nil }, nil},
		{"the program's own public names are not enough", func(r *report.Report) {
			r.WantedSymbols = []report.Wanted{wanted(0, "app.pdb", report.SymbolsPublicOnly)}
		}, []string{"get_symbols, app.pdb, ABC1, build", look}},
		{"the system's public names are", func(r *report.Report) {
			r.WantedSymbols = []report.Wanted{wanted(1, "ntdll.pdb", report.SymbolsPublicOnly)}
		}, []string{look}},
		{"no names of the system, and a line in the verdict", func(r *report.Report) {
			r.Verdict.At, r.WantedSymbols = ptr("f.cc:3"), []report.Wanted{wanted(1, "ntdll.pdb", "missing")}
		}, []string{"look_at, f, f.cc:3, row 0"}},
		{"no names of the system, and no line", func(r *report.Report) { r.WantedSymbols = []report.Wanted{wanted(1, "ntdll.pdb", "missing")} },
			[]string{"get_symbols, ntdll.pdb, ABC1, microsoft", look}},
	}
	for _, tt := range tests {
		r := windows(frame(0, 0, "", "f"))
		tt.change(r)
		if got := picture(Steps(r)); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

// The step to get a file names the server that has it.
func TestServerOfAStep(t *testing.T) {
	r := windows(frame(0, 1, "!", ""))
	r.WantedSymbols = []report.Wanted{wanted(1, "ntdll.pdb", "missing")}
	if s := Steps(r); len(s) == 0 || s[0].Server != "https://msdl.microsoft.com/download/symbols" || *s[0].Module != 1 || s[0].State != "missing" {
		t.Errorf("%+v", s)
	}
	for origin := range servers {
		if Server(origin) == "" {
			t.Errorf("%s has no server", origin)
		}
	}
	if got := Server(report.FromBuild); got != "" {
		t.Errorf("a build's own symbols are at %s", got)
	}
}

// A build ID has at least 32 digits; one digit less is a time stamp and a size.
func TestShortestBuildID(t *testing.T) {
	const debug = "153C81926AD68E7091AF32DE82E6D4D10"
	for code, want := range map[string]string{
		"92813c15d66a708e91af32de82e6d4d1": "92813c15d66a708e91af32de82e6d4d1",
		"92813c15d66a708e91af32de82e6d4d":  debug,
	} {
		if got := fileID(&report.Wanted{CodeID: code, DebugID: debug}); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}
