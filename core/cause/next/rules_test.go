package next

import (
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/report"
)

// A report may come from another program: invalid indexes are left out.
func TestNumbersThatLeadNowhere(t *testing.T) {
	for name, change := range map[string]func(r *report.Report){
		"no such thread":     func(r *report.Report) { r.CrashInfo.CrashingThread = ptr(9) },
		"a thread below 0":   func(r *report.Report) { r.CrashInfo.CrashingThread = ptr(-1) },
		"no such row":        func(r *report.Report) { r.Verdict.Row = ptr(9) },
		"no frames":          func(r *report.Report) { r.Threads[0].Frames = nil },
		"no row":             func(r *report.Report) { r.Verdict.Row = nil },
		"no name in verdict": func(r *report.Report) { r.Verdict.Where = nil },
	} {
		r := windows(frame(0, 0, "", "f"))
		change(r)
		if got := picture(Steps(r)); slices.ContainsFunc(got, func(s string) bool { return s[:7] == "look_at" }) {
			t.Errorf("%s: %q", name, got)
		}
	}
	r := windows(frame(0, 9, "", "f"))
	r.WantedSymbols = []report.Wanted{wanted(9, "gone.pdb", "missing"), wanted(-1, "gone.pdb", "missing")}
	if got, want := picture(Steps(r)), []string{"look_at, f, row 0"}; !slices.Equal(got, want) {
		t.Errorf("a module that is not listed: %q, want %q", got, want)
	}
}

// A row counts the inlined calls before their function.
func TestRowsOfInlinedCalls(t *testing.T) {
	thread := &report.Thread{Frames: []report.Frame{
		{Index: 0, Inlines: make([]report.Inline, 2)}, // the rows 0 and 1 are inlined, 2 is the function
		{Index: 1},
		{Index: 2, Inlines: make([]report.Inline, 1)},
	}}
	for row, want := range []int{0, 0, 0, 1, 2, 2} {
		if f := frameAt(thread, row); f == nil || f.Index != want {
			t.Errorf("row %d: %+v, want frame %d", row, f, want)
		}
	}
	if f := frameAt(thread, 6); f != nil {
		t.Errorf("row 6 is frame %d", f.Index)
	}
}

// Without a crashed thread the first file that is wanted is asked for.
func TestWantedWithoutThread(t *testing.T) {
	r := windows()
	r.CrashInfo.CrashingThread = nil
	r.WantedSymbols = []report.Wanted{wanted(0, "app.pdb", "missing"), wanted(1, "ntdll.pdb", "missing")}
	if got, want := picture(Steps(r)), []string{"get_symbols, app.pdb, ABC1, build"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The code file is requested for an access whose instruction is neither in the dump nor in the
// symbols.
func TestGetCode(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(r *report.Report)
		want   bool
	}{
		{name: "an access without its instruction", change: func(*report.Report) {}, want: true},
		{name: "the instruction is there", change: func(r *report.Report) { r.CrashInfo.Instruction = ptr("ret") }},
		{name: "the code is at hand", change: func(r *report.Report) { r.Modules[0].Symbols = &report.Symbols{Code: true} }},
		{name: "symbols without code", change: func(r *report.Report) { r.Modules[0].Symbols = &report.Symbols{} }, want: true},
		{name: "no access", change: func(r *report.Report) { r.Verdict.Finding = report.FindingHeapCorrupt }},
		{name: "in no module", change: func(r *report.Report) { r.Threads[0].Frames[0].ModuleIndex = nil }},
		{name: "no frames", change: func(r *report.Report) { r.Threads[0].Frames = nil }},
		{name: "Thumb, which is not decoded", change: func(r *report.Report) {
			r.SystemInfo.CPU = ptr("arm")
			walked := &process.Frame{}
			walked.Regs.Set(cpu.ARMCPSR, 1<<5)
			f := report.FrameOf(walked)
			f.ModuleIndex = ptr(0)
			r.Threads[0].Frames[0] = f
		}, want: false},
		{name: "no thread", change: func(r *report.Report) { r.CrashInfo.CrashingThread = nil }},
	} {
		r := windows(frame(0, 0, "", "f"))
		r.CrashInfo.Instruction = nil
		tt.change(r)
		if got := getCode(newCrash(r)) != nil; got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// Drivers and injected programs by the names of their modules, in any case of
// letters, and of names that only contain them.
func TestVendors(t *testing.T) {
	for name, want := range map[string]string{
		"nvwgf2umx.dll": "NVIDIA", "NVOGLV64.DLL": "NVIDIA", "libnvidia-glcore.so.535.1": "NVIDIA",
		"atidxx64.dll": "AMD", "amdvlk64.dll": "AMD", "igd10iumd64.dll": "Intel", "ig9icd64.dll": "Intel",
		"aswhook.dll": "Avast", "RTSSHooks64.dll": "RivaTuner", "GameOverlayRenderer64.dll": "Valve",
		"app.exe": "", "mynvoglv.dll": "", "": "", "ig.dll": "",
	} {
		if got := vendorOf(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	r := windows(frame(0, 2, "!", ""))
	r.Verdict.Crashed = false
	if s := tellVendor(newCrash(r)); s != nil {
		t.Errorf("a dump that was written on request: %+v", s)
	}
}

// Each origin with a public server has its address; the others have none.
func TestServers(t *testing.T) {
	for origin, want := range map[report.Origin]string{
		report.FromMicrosoft: "https://msdl.microsoft.com/download/symbols",
		report.FromMozilla:   "https://symbols.mozilla.org",
		report.FromElectron:  "https://symbols.electronjs.org",
		report.FromDistro:    "https://debuginfod.elfutils.org",
		report.FromBuild:     "", report.FromMac: "", report.FromDevice: "", "": "",
	} {
		if got := Server(origin); got != want {
			t.Errorf("%s: %q, want %q", origin, got, want)
		}
	}
	if got := Origin(windows(), 1); got != report.FromMicrosoft {
		t.Errorf("ntdll.dll is from %s", got)
	}
}
