package render

import (
	"encoding/json"
	"testing"

	"crashglass/core/report"
)

// The tests of a form compare whole texts, written by hand from the sources: PrintProcessState in
// Breakpad's stackwalk_common.cc, and ProcessState::print in minidump-processor 0.27 with
// CallStack::print in minidump-unwind 0.27.

// original32 is a crash on Windows, with what the two programs write differently: inlined calls, flags,
// a frame in an unloaded module, a thread without frames, and a thread that wrote the dump. Only
// rust-minidump counts that thread.
func original32() *report.Report {
	addr := func(v uint64) *report.Address { return ptr(report.Addr(v, 4)) }
	regs := func(pairs ...any) (out report.Registers) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, report.Register{Name: pairs[i].(string), Value: *addr(uint64(pairs[i+1].(int)))})
		}
		return out
	}
	app := func(f report.Frame) report.Frame {
		f.Module, f.ModuleOffset = ptr("app.exe"), addr(number(f.Offset)-0x400000)
		return f
	}
	innermost := app(report.Frame{
		Trust: report.TrustContext, FoundBy: report.ByContext, Offset: *addr(0x401012), Function: ptr("crash(int)"), FunctionOffset: addr(0x12),
		File: ptr(`c:\src\app.cc`), Line: ptr(uint32(9)), LineOffset: addr(0x2), Registers: regs("eip", 0x401012, "esp", 0x12fe84, "eflags", 0x10246),
		Inlines: []report.Inline{{Function: ptr("deep()"), File: ptr("/src/in.h"), Line: ptr(uint32(3))}},
	})
	caller := app(report.Frame{
		Trust: report.TrustCFI, FoundBy: report.ByWin, Offset: *addr(0x401100), ReturnAddress: addr(0x401101), Function: ptr("main"), FunctionOffset: addr(0x40),
		Registers: regs("eip", 0x401101),
	})
	gone := report.Frame{
		Trust: report.TrustScan, FoundBy: report.ByScan, Offset: *addr(0x600010), ReturnAddress: addr(0x600011),
		Unloaded: []report.UnloadedModule{{Module: "gone.dll", Offsets: []report.Address{*addr(0x10), *addr(0x110)}}, {Module: "old.dll", Offsets: []report.Address{*addr(0x20)}}},
	}
	return &report.Report{
		ProcessUptime: ptr(uint64(1)),
		SystemInfo:    report.SystemInfo{OS: ptr("Windows NT"), OSVersion: ptr("5.1.2600 Service Pack 2"), CPU: ptr("x86"), CPUInfo: ptr("GenuineIntel family 6"), CPUCount: ptr(uint32(1))},
		CrashInfo:     report.CrashInfo{Type: ptr("EXCEPTION_ACCESS_VIOLATION_WRITE"), Address: addr(0x45), CrashingThread: ptr(1), Parameters: []report.Address{*addr(1)}, ParameterMeanings: []string{"write"}},
		Threads: []report.Thread{
			{ID: 100, Writer: true, Frames: []report.Frame{innermost}},
			{ID: 101, Name: ptr("main"), Crashed: true, Frames: []report.Frame{innermost, caller, gone}},
			{ID: 102},
			{ID: 103, Frames: []report.Frame{{Trust: report.TrustContext, FoundBy: report.ByContext, Offset: *addr(0x77)}}, End: report.End{Kind: report.NoStack}},
		},
		Modules: []report.Module{
			{Base: *addr(0x500000), End: *addr(0x501000), CodeFile: "b.dll", DebugFile: "b.pdb", DebugID: "B1", MissingSymbols: true, Symbols: &report.Symbols{Why: ptr("words of our own")}},
			{Base: *addr(0x400000), End: *addr(0x402000), CodeFile: "app.exe", Version: ptr("1.2")},
		},
		MainModule: 1,
		Unloaded:   []report.Unloaded{{Base: *addr(0x600000), End: *addr(0x601000), CodeFile: "gone.dll"}},
		Verdict:    report.Verdict{What: "words of our own", Crashed: true, Badges: []report.Badge{{Kind: report.BadgePlain, Text: "words of our own"}}},
		Notes:      []report.Note{{Where: "words", Text: "of our own"}},
	}
}

func TestBreakpadText(t *testing.T) {
	const want = `Operating system: Windows NT
                  5.1.2600 Service Pack 2
CPU: x86
     GenuineIntel family 6
     1 CPU

GPU: UNKNOWN

Crash reason:  EXCEPTION_ACCESS_VIOLATION_WRITE
Crash address: 0x45
Crash parameters:
    value: 0x0000000000000001  description: ` + `
Process uptime: 1 seconds

Thread 0 (crashed)
 0  app.exe!deep() [in.h : 3]
 ` + `
    Found by: inline record
 1  app.exe!crash(int) [app.cc : 9 + 0x2]
    eip = 0x00401012   esp = 0x0012fe84   efl = 0x00010246
    Found by: given as instruction pointer in context
 2  app.exe!main + 0x41
    eip = 0x00401101
    Found by: call frame info
 3  gone.dll + 0x11 (unloaded)
    Found by: stack scanning

Thread 1
 <no frames>

Thread 2
 0  0x77
    Found by: given as instruction pointer in context

Loaded modules:
0x00400000 - 0x00401fff  app.exe  1.2  (main)
0x00500000 - 0x00500fff  b.dll  ???  (WARNING: No symbols, b.pdb, B1)

Unloaded modules:
0x00600000 - 0x00600fff  gone.dll
`
	if got := formed(t, Breakpad, original32(), Options{}); got != want {
		t.Errorf("%s", firstDifference(got, want))
	}
}

func TestRustText(t *testing.T) {
	const want = `Operating system: Windows NT
                  5.1.2600 Service Pack 2
CPU: x86
     GenuineIntel family 6
     1 CPU

Crash reason:  EXCEPTION_ACCESS_VIOLATION_WRITE
Crash address: 0x00000045
Process uptime: 1 seconds

Thread 1 main (crashed) - tid: 101
 0  app.exe!deep() [in.h : 3]
    Found by: inlining
 1  app.exe!crash(int) [app.cc : 9 + 0x2]
     eip = 0x00401012    esp = 0x0012fe84 eflags = 0x00010246
    Found by: given as instruction pointer in context
 2  app.exe!main + 0x40
     eip = 0x00401101
    Found by: call frame info
 3  0x600010 (unloaded gone.dll@0x10|0x110) (unloaded old.dll@0x20)
    Found by: stack scanning

Thread 2  - tid: 102
<no frames>
Thread 3  - tid: 103
 0  0x77
    Found by: given as instruction pointer in context

Loaded modules:
0x00400000 - 0x00401fff  app.exe  1.2  (main)
0x00500000 - 0x00500fff  b.dll  ???

Unloaded modules:
0x00600000 - 0x00600fff  gone.dll
`
	if got := formed(t, Rust, original32(), Options{}); got != want {
		t.Errorf("%s", firstDifference(got, want))
	}
}

// Each row is one fact, and the lines of both programs for it.
func TestOriginalFacts(t *testing.T) {
	for _, tt := range []struct {
		name           string
		change         func(*report.Report)
		breakpad, rust []string
	}{
		{
			"no exception, no thread", func(r *report.Report) { *r = report.Report{} },
			[]string{"Operating system: \nCPU: \n\nGPU: UNKNOWN\n\nNo crash\nProcess uptime: not available\n\nLoaded modules:\n"},
			[]string{"Operating system: unknown\nCPU: unknown\n     0 CPU\n\nNo crash\nProcess uptime: not available\n\n\nLoaded modules:\n\nUnloaded modules:\n"},
		},
		{
			"a dump on request", func(r *report.Report) {
				r.CrashInfo.Type, r.Verdict.Crashed, r.Threads[1].Crashed = nil, false, false
			},
			[]string{"\nNo crash\n", "\nThread 0 (requested dump, did not crash)\n"},
			[]string{"\nNo crash\n", "main (requested dump, did not crash) - tid: 101\n"},
		},
		{
			"a crash without a reason", func(r *report.Report) { r.CrashInfo.Type, r.CrashInfo.Address = nil, nil },
			[]string{"\nCrash reason:  \nCrash address: 0x0\n"}, []string{"\nCrash reason:  unknown\nProcess uptime"},
		},
		{
			"an assertion, which minidump-stackwalk never has", func(r *report.Report) { r.CrashInfo.Assertion = ptr("p != 0\x1b") },
			[]string{"\nAssertion: p != 0\\x1b\nProcess uptime"}, []string{"0x00000045\nProcess uptime"},
		},
		{
			"an empty assertion", func(r *report.Report) { r.CrashInfo.Assertion = ptr("") },
			[]string{"description: \nProcess uptime"}, []string{"0x00000045\nProcess uptime"},
		},
		{
			"several processors", func(r *report.Report) { r.SystemInfo.CPUCount = ptr(uint32(2)) }, []string{"\n     2 CPUs\n"}, []string{"\n     2 CPUs\n"},
		},
		{
			"no processor, as LLDB writes: Breakpad's plural is of all but 1, minidump-stackwalk's of more than 1",
			func(r *report.Report) { r.SystemInfo.CPUCount = ptr(uint32(0)) }, []string{"\n     0 CPUs\n"}, []string{"\n     0 CPU\n"},
		},
		{
			"what LLDB did not set", func(r *report.Report) {
				r.Dump.Writer = ptr("LLDB")
				r.SystemInfo.OSVersion, r.SystemInfo.CPUInfo = ptr("2066750736.32765.0"), ptr("family 0 model 0 stepping 0")
			},
			[]string{"\n                  2066750736.32765.0\n", "\n     family 0 model 0 stepping 0\n"},
			[]string{"\n                  2066750736.32765.0\n", "\n     family 0 model 0 stepping 0\n"},
		},
		{
			"the version as the stream has it", func(r *report.Report) { r.SystemInfo.OSRaw = ptr("0.0.0 Linux\n") },
			[]string{"\n                  0.0.0 Linux\\x0a\n"}, []string{"\n                  5.1.2600 Service Pack 2\n"},
		},
		{
			"a graphics driver, of a microdump", func(r *report.Report) {
				r.SystemInfo.GPU = &report.GPU{Version: "ES 3", Vendor: "ARM", Renderer: "Mali\a"}
			},
			[]string{"\nGPU: ES 3\n     ARM\n     Mali\\x07\n\nCrash reason"}, []string{"1 CPU\n\nCrash reason"},
		},
		{
			"a distribution", func(r *report.Report) {
				r.LSBRelease = &report.LSBRelease{ID: "Ubuntu", Release: "24.04", Codename: "noble", Description: "LTS"}
			},
			[]string{"1 CPU\n\nGPU"}, []string{"1 CPU\nLinux Ubuntu 24.04 - noble (LTS)\n\nCrash reason"},
		},
		{
			"a count of mappings", func(r *report.Report) { r.MapCount = ptr(30) },
			[]string{"1 seconds\n\nThread 0"}, []string{"1 seconds\n\nLinux memory map count: 30\n\nThread 1"},
		},
		{
			"corrupt symbols", func(r *report.Report) { r.Modules[0].MissingSymbols, r.Modules[0].CorruptSymbols = false, true },
			[]string{"b.dll  ???  (WARNING: Corrupt symbols, b.pdb, B1)\n"}, []string{"b.dll  ???\n"},
		},
		{
			"an unloaded module with its folder", func(r *report.Report) { r.Unloaded[0].CodeFile = "/usr/lib/gone.so" },
			[]string{"/usr/lib/gone.so\n"}, []string{"0x00600fff  gone.so\n"},
		},
		{
			"no unloaded modules", func(r *report.Report) { r.Unloaded = nil }, []string{"B1)\n"}, []string{"b.dll  ???\n\nUnloaded modules:\n"},
		},
		{
			"a stack that was not walked", func(r *report.Report) { r.Threads[2].End.Kind = report.NotWalked },
			[]string{"stack scanning\n\nThread 2\n"}, []string{"stack scanning\n\nThread 3  - tid: 103\n"},
		},
		{
			"a crash inside an address that no module has", func(r *report.Report) { r.Threads[1].Frames = r.Threads[3].Frames },
			[]string{"Thread 0 (crashed)\n 0  0x77\n"}, []string{"- tid: 101\n 0  0x77\n"},
		},
		{
			"no address, because a process sent the signal", func(r *report.Report) { r.CrashInfo.NoAddress = ptr("sent by process 4") },
			[]string{"\nCrash address: 0x45\n"}, []string{"\nCrash address: 0x00000045\n"},
		},
	} {
		for program, want := range map[string][]string{"breakpad": tt.breakpad, "rust": tt.rust} {
			t.Run(tt.name+" in "+program, func(t *testing.T) {
				r := original32()
				tt.change(r)
				if program == "breakpad" {
					lacks(t, formed(t, Breakpad, r, Options{}), want...)
				} else {
					lacks(t, formed(t, Rust, r, Options{}), want...)
				}
			})
		}
	}
}

// minidump-stackwalk explains the instruction on amd64 only. It capitalizes accesses, and says when
// there is none.
func TestRustInstruction(t *testing.T) {
	for _, tt := range []struct {
		name string
		cpu  string
		info report.CrashInfo
		want string
	}{
		{"another CPU", "arm64", report.CrashInfo{Instruction: ptr("ldr x0, [x1]")}, ""},
		{
			"nothing accessed", "amd64", report.CrashInfo{Instruction: ptr("ud2")},
			"Crashing instruction: `ud2`\nNo memory accessed by instruction\nNo instruction pointer update by instruction\n",
		},
		{
			"a read and a write", "amd64", report.CrashInfo{Instruction: ptr("movs"), MemoryAccesses: []report.Access{
				{Address: *addr(8), Size: ptr(uint8(4)), AccessType: "read"}, {Address: *addr(16), AccessType: "write", LikelyGuard: true}, {Address: *addr(24), AccessType: "readwrite"}, {Address: *addr(32)},
			}},
			"Crashing instruction: `movs`\nMemory accessed by instruction:\n" +
				"  0. Address: 0x0000000000000008\n     Size: 4\n     Access type: Read\n" +
				"  1. Address: 0x0000000000000010\n     Size: Unknown\n     This address falls in a likely guard page.\n     Access type: Write\n" +
				"  2. Address: 0x0000000000000018\n     Size: Unknown\n     Access type: ReadWrite\n" +
				"  3. Address: 0x0000000000000020\n     Size: Unknown\n" +
				"No instruction pointer update by instruction\n",
		},
		{
			"a jump", "amd64", report.CrashInfo{Instruction: ptr("jmp rax"), InstructionPointerUpdate: &report.IPUpdate{Address: *addr(0x10), LikelyGuard: true}},
			"Crashing instruction: `jmp rax`\nNo memory accessed by instruction\nInstruction pointer update done by instruction:\n  Address: 0x0000000000000010\n     This address falls in a likely guard page.\n",
		},
		{
			"a flipped bit on a CPU without instructions", "ppc64", report.CrashInfo{PossibleBitFlips: []report.BitFlip{{Address: *addr(0), Confidence: ptr(0.4375)}}},
			"Crashing address may be the result of a flipped bit:\n  0. Valid address: 0x0000000000000000 (0.438)\n",
		},
		{
			"records that disagree", "amd64", report.CrashInfo{Inconsistencies: []string{"int_div_by_zero_not_possible"}},
			"Crash is inconsistent:\n  int_div_by_zero_not_possible\n",
		},
		{
			"a non-canonical address", "amd64", report.CrashInfo{Address: addr(1 << 63), AdjustedAddress: &report.Adjusted{Kind: "non-canonical", Address: addr(0xdead << 48)}},
			"Crash address: 0x8000000000000000 **\n    ** Non-canonical address detected: 0xdead000000000000\n",
		},
		{
			"a small address, as for every one of these", "amd64", report.CrashInfo{Address: addr(0x18), AdjustedAddress: &report.Adjusted{Kind: "null-pointer", Offset: addr(0x18)}},
			"Crash address: 0x0000000000000018 **\n    ** Null pointer detected with offset: 0x0000000000000018\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.info.Type = ptr("SIGSEGV")
			r := &report.Report{SystemInfo: report.SystemInfo{CPU: &tt.cpu}, CrashInfo: tt.info}
			lacks(t, formed(t, Rust, r, Options{}), "Crash reason:  SIGSEGV\n"+tt.want+"Process uptime")
		})
	}
}

// The thread of macOS in a record is decimal behind "0x" in the original.
func TestRustMac(t *testing.T) {
	r := &report.Report{
		MacCrashInfo: &report.MacCrash{Count: 2, Records: []report.MacCrashRecord{
			{Thread: addr(0x1000), DialogMode: addr(2), AbortCause: addr(10), Module: ptr("/usr/lib/a\x1b"), Message: ptr("m"), Signature: ptr("s"), Backtrace: ptr("b"), Message2: ptr("m2")},
			{},
		}},
		MacBootArgs: ptr("-v debug=0x100"),
	}
	lacks(t, formed(t, Rust, r, Options{}), "No crash\nMac Crash Info:\n  Record 0\n"+
		"    thread: 0x4096\n    dialog mode: 0x2\n    abort_cause: 0x10\n    module: /usr/lib/a\\x1b\n    message: m\n    signature string: s\n    backtrace: b\n    message2: m2\n"+
		"  Record 1\n\nMac Boot Args: -v debug=0x100\n\nProcess uptime: not available\n\n\nLoaded modules:\n")
}

// rustUnread are streams by name alone; other streams without a name have their vendor, which the
// upper half of the type tells.
func TestRustStreams(t *testing.T) {
	r := &report.Report{Streams: []report.Stream{
		{Type: 3, Name: "ThreadListStream", Offset: 0x10},
		{Type: 0x15, Name: "SystemMemoryInfoStream", Offset: 0x20}, {Type: 0x47670008, Name: "LinuxAuxv", Offset: 0x123456789},
		{Type: 0xffff, Offset: 0x30}, {Type: 0x47670099, Offset: 0x40}, {Type: 0x4d7a0099, Offset: 0x50}, {Type: 0x43500099, Offset: 0x60}, {Type: 0xdead0001, Offset: 0x70},
	}}
	const want = `
Unloaded modules:

Unimplemented streams encountered:
Stream 0x00000015 SystemMemoryInfoStream (Official) @ 0x00000020
Stream 0x47670008 LinuxAuxv (Google Extension) @ 0x123456789

Unknown streams encountered:
Stream 0x0000ffff (Official) @ 0x00000030
Stream 0x47670099 (Google Extension) @ 0x00000040
Stream 0x4d7a0099 (Mozilla Extension) @ 0x00000050
Stream 0x43500099 (Crashpad Extension) @ 0x00000060
Stream 0xdead0001 (Unknown Extension) @ 0x00000070
`
	lacks(t, formed(t, Rust, r, Options{}), want)
}

// Soft errors are a list, indented by two spaces; other JSON is not written.
func TestRustSoftErrors(t *testing.T) {
	const title = "\nSoft errors were encountered when minidump was written:\n"
	for in, want := range map[string]string{
		`[]`: "Unloaded modules:\n", `null`: "Unloaded modules:\n", `{"a":1}`: "Unloaded modules:\n", `"[1]"`: "Unloaded modules:\n",
		`[{"Stop":"<\u202e>"},1]`: "Unloaded modules:\n" + title + "[\n  {\n    \"Stop\": \"<\\u202e>\"\n  },\n  1\n]\n",
	} {
		out := formed(t, Rust, &report.Report{SoftErrors: json.RawMessage(in)}, Options{})
		if _, got, _ := cut(out, "Unloaded modules:\n"); "Unloaded modules:\n"+got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// BreakpadBrief has the line of each frame, and neither registers nor a system.
func TestBreakpadBrief(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*report.Report)
		want   string
	}{
		{"a crash", func(*report.Report) {}, "Thread 0 (crashed)\n 0  app.exe!deep() [in.h : 3]\n 1  app.exe!crash(int) [app.cc : 9 + 0x2]\n 2  app.exe!main + 0x41\n 3  gone.dll + 0x11 (unloaded)\n"},
		{"no thread", func(r *report.Report) { r.CrashInfo.CrashingThread = nil }, " <no crashing or requesting dump thread identified>\n"},
		{"a thread that is not there", func(r *report.Report) { r.CrashInfo.CrashingThread = ptr(9) }, " <no crashing or requesting dump thread identified>\n"},
		{"the thread that wrote the dump", func(r *report.Report) { r.CrashInfo.CrashingThread = ptr(0) }, " <no crashing or requesting dump thread identified>\n"},
		{"a dump on request", func(r *report.Report) { r.Threads[1] = report.Thread{} }, "Thread 0 (requested dump, did not crash)\n"},
	} {
		r := original32()
		tt.change(r)
		if got := formed(t, brief, r, Options{}); got != tt.want {
			t.Errorf("%s: got\n%swant\n%s", tt.name, got, tt.want)
		}
	}
}

// The words behind a frame are asked for with its caller. The outermost frame has none.
func TestBreakpadStackContents(t *testing.T) {
	behind := func(f, caller *report.Frame) string {
		return "from " + short(&f.Offset) + " to " + short(&caller.Offset) + "\n"
	}
	lacks(t, formed(t, Breakpad, original32(), Options{Behind: behind}),
		"pointer in context\nfrom 0x401012 to 0x401100\n 2  ", "call frame info\nfrom 0x401100 to 0x600010\n 3  ", "stack scanning\n\nThread 1")
}

// Brief texts end behind the stacks.
func TestOriginalBrief(t *testing.T) {
	r := original32()
	for i := range r.Threads {
		r.Threads[i].End.Kind = report.NotWalked
	}
	lacks(t, formed(t, Breakpad, r, Options{NoModules: true}), " 3  gone.dll + 0x11 (unloaded)\n    Found by: stack scanning\n")
	for name, out := range map[string]string{"breakpad": formed(t, Breakpad, r, Options{NoModules: true}), "rust": formed(t, Rust, r, Options{NoModules: true})} {
		if _, after, _ := cut(out, "stack scanning\n"); after != map[string]string{"breakpad": "", "rust": "\n"}[name] {
			t.Errorf("%s ends in %q", name, after)
		}
	}
}

// The flags of amd64 are in no text of the original programs, those of x86 are.
func TestOriginalFlags(t *testing.T) {
	for cpu, want := range map[string]string{"amd64": "    rip = 0x0000000000000010\n", "x86": "    rip = 0x0000000000000010   efl = 0x0000000000000246\n"} {
		r := crashOf(report.Frame{Offset: *addr(0x10), Registers: regs("rip", 0x10, "eflags", 0x246)})
		r.SystemInfo.CPU = &cpu
		lacks(t, formed(t, Breakpad, r, Options{}), " 0  0x10\n"+want)
	}
}
