package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

// A dump without an exception has what its file and its writer say, and no cause.
func TestFindingsWithoutException(t *testing.T) {
	for want, in := range map[string]*Input{
		"": {},
		"on_request 1.00: The file has no signal, and gdb wrote it, which stops a process for that.": {Debugger: "gdb"},
		"on_request 1.00: The dump has no exception, and names the thread that requested it.":        {Requested: true},
		"assertion 1.00: The queue is empty.":                                                        {Assertion: "The queue is empty."},
	} {
		a := Analyze(in)
		got := ""
		if len(a.Findings) > 0 {
			got = found(t, &scene{Input: in}) + ": " + strings.Join(a.Findings[0].Evidence, " ")
		}
		if got != want || causeOf(a) != nil {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}

// What a dump without a crash says depends on its parts, in this order: a lost exception, threads
// that wait for each other, a debugger, a request, a truncated file, a damaged one.
func TestOrderWithoutException(t *testing.T) {
	ring := Waits{Waiting: 2, Threads: 2, Rings: [][]uint32{{1, 2}}}
	whole := File{Size: 10, Threads: 1, System: true}
	frames := rows([]spot{{Function: "main", Module: "app"}})
	tests := []struct {
		name, what, detail string
		in                 Input
	}{
		{"lost, and a ring", "The exception cannot be read", "This dump has one, but that part of the file is damaged or missing, so the cause is not known.",
			Input{Lost: true, Waits: ring, File: whole}},
		{"a ring, and a debugger", "No crash: 2 of 2 threads wait; threads 1 and 2 wait for each other", "", Input{Debugger: "gdb", Waits: ring, File: whole}},
		{"a debugger, and a request", "No crash: gdb had stopped the process", "The first thread was in `main` of app.",
			Input{Debugger: "gdb", Requested: true, File: whole, Frames: frames}},
		{"a debugger, and no threads", "No threads in this dump", "It has neither threads nor an exception, so there is nothing to analyze.",
			Input{Debugger: "gdb", File: File{Size: 10, System: true}}},
		{"a debugger, and no frames", "No crash: gdb had stopped the process", "", Input{Debugger: "gdb", File: whole}},
		{"a request, of a truncated file", "No exception in this dump: written on request", "The requesting thread was in `main` of app.",
			Input{Requested: true, File: File{Size: 10, Need: 20, Threads: 1, System: true}, Frames: frames}},
		{"truncated, and damaged", "The dump is truncated",
			"The lost part may show whether something crashed. The file is truncated: 10 bytes of at least 20 bytes. Ask for the file again.",
			Input{File: File{Size: 10, Need: 20, Defect: "x", Threads: 1, System: true}}},
		{"as long as it needs to be", "No exception in this dump", "Nothing in it shows a crash: most likely it was written on request, of a running or hung process.",
			Input{File: File{Size: 20, Need: 20, Threads: 1, System: true}}},
		{"no system, but threads", "No exception in this dump", "Nothing in it shows a crash: most likely it was written on request, of a running or hung process.",
			Input{File: File{Size: 20, Threads: 1}}},
		{"a defect, and threads", "No exception in this dump", "Nothing in it shows a crash: most likely it was written on request, of a running or hung process. The first defect: odd.",
			Input{File: File{Size: 20, Threads: 1, System: true, Defect: "odd."}}},
		{"an assertion", "No exception in this dump", "Nothing in it shows a crash: most likely it was written on request, of a running or hung process. The queue is empty.",
			Input{File: whole, Assertion: "The queue is empty."}},
		{"frames, and no request", "No exception in this dump", "Nothing in it shows a crash: most likely it was written on request, of a running or hung process.",
			Input{File: whole, Frames: frames}},
		{"a simulated exception", "No crash: the dump was written on request", "The requesting thread was in `main` of app.",
			Input{OS: "windows", Exception: &Exception{Code: simulatedWindows}, File: whole, Frames: frames}},
		{"10 KiB are given as KiB", "The dump is truncated",
			"The lost part may show whether something crashed. The file is truncated: 10239 bytes of at least 10 KiB. Ask for the file again.",
			Input{File: File{Size: 10<<10 - 1, Need: 10 << 10, Threads: 1, System: true}}},
		{"a byte more is given as 11", "The dump is truncated",
			"The lost part may show whether something crashed. The file is truncated: 10 KiB of at least 11 KiB. Ask for the file again.",
			Input{File: File{Size: 10 << 10, Need: 10<<10 + 1, Threads: 1, System: true}}},
	}
	for _, tt := range tests {
		if v := Verdict(&tt.in, Analyze(&tt.in)); v.What != tt.what || v.Detail != tt.detail || v.Crashed || v.Frame != -1 {
			t.Errorf("%s:\n got %s. %s\nwant %s. %s", tt.name, v.What, v.Detail, tt.what, tt.detail)
		}
	}
}

// A debugger's stop is told as one, and a process that was killed while it hung says what it hung
// on.
func TestStopsAndHangs(t *testing.T) {
	stopped := crashAt(t, "").raise("linux", sigTRAP, 2).with(debugged)
	if got := found(t, stopped); got != "on_request 1.00" || Analyze(stopped.Input).Findings[0].Text != "Stopped by gdb" {
		t.Errorf("a step: %s, %+v", got, Analyze(stopped.Input).Findings)
	}
	ring := func(in *Input) { in.Waits = Waits{Waiting: 2, Threads: 2, Rings: [][]uint32{{3, 4}}} }
	const hang = "Threads 3 and 4 wait for each other."
	for name, tt := range map[string]struct {
		s    *scene
		want bool
	}{
		"killed by a watchdog": {s: crashAt(t, "").fault(77).raise("linux", sigABRT, siUser).stack("work").with(ring), want: true},
		"a fault":              {s: load(t, 0x10).with(ring)},
		"abort":                {s: crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "work").with(ring)},
	} {
		if got := strings.HasSuffix(Verdict(tt.s.Input, Analyze(tt.s.Input)).Detail, hang); got != tt.want {
			t.Errorf("%s: %s", name, Verdict(tt.s.Input, Analyze(tt.s.Input)).Detail)
		}
	}
}

// Badges have the confidence of estimates alone; less than 0.6 is doubt.
func TestBadgeKinds(t *testing.T) {
	for _, tt := range []struct {
		f    Finding
		kind string
		has  bool
	}{
		{f: Finding{Kind: Poison, Confidence: 0.3, Cause: true}, kind: "cause", has: true},
		{f: Finding{Kind: FirstOwn, Confidence: 1}, kind: "plain"},
		{f: Finding{Kind: FirstOwn, Confidence: 0.6}, kind: "plain", has: true},
		{f: Finding{Kind: FirstOwn, Confidence: 0.5}, kind: "doubt", has: true},
		{f: Finding{Kind: UntrustedStack, Confidence: 1}, kind: "doubt"},
		{f: Finding{Kind: BitFlipped, Confidence: 0.97}, kind: "doubt", has: true},
	} {
		b := badges(&Analysis{Findings: []Finding{tt.f}})[0]
		if b.Kind != tt.kind || b.HasConfidence != tt.has || b.Finding != tt.f.Kind || b.Confidence != tt.f.Confidence {
			t.Errorf("%+v: %+v", tt.f, b)
		}
	}
}

// Reasons that are no access to memory, and have no instruction to look at.
func TestOtherReasons(t *testing.T) {
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"the shadow stack", "Return address changed", crashAt(t, ret).raise("linux", sigSEGV, segvControl)},
		{"its number of SIGBUS", "Access to address 0x600000", crashAt(t, "").fault(heapBase).raise("linux", sigBUS, segvControl)},
		{"a floating-point overflow", "Arithmetic error", crashAt(t, "f2 0f 58 c1").raise("linux", sigFPE, 4)},
		{"a code 0 without anything", "Crash of an unknown kind", crashAt(t, "").raise("mac", 0, 0)},
		{"EXC_CRASH without a signal", "Abnormal end of the process", crashAt(t, "").raise("mac", excCrash, 0)},
		{"EXC_CORPSE_NOTIFY", "Abnormal end of the process", crashAt(t, "").raise("mac", excCorpse, 0)},
		{"another system", "Crash: SIGSEGV", crashAt(t, "").raise("solaris", sigSEGV, 0)},
		{"a Lua error", "Lua error", crashAt(t, "").raise("windows", 0xe24c_4a02, 0)},
		{"an access violation that the program raised", "EXCEPTION_ACCESS_VIOLATION_READ raised by the program", crashAt(t, "").windows(0, 0).stack("!RaiseException", "work")},
		{"a privileged instruction of Windows at another one", "Privileged instruction", crashAt(t, movRegister).reg(cpu.RAX, 0).raise("windows", privInstruction, 0)},
	}
	for _, tt := range tests {
		if got := Verdict(tt.s.Input, Analyze(tt.s.Input)).What; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
