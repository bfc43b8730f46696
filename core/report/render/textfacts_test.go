package render

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"crashglass/core/report"
)

// Each row is one fact of the machine, the process or the dump, and its lines in the text.
func TestTextFacts(t *testing.T) {
	for _, tt := range []struct {
		name   string
		report report.Report
		want   string
	}{
		{"nothing at all", report.Report{}, "Operating system: unknown\nCPU: unknown\n\nNo crash\nProcess uptime: not available\n\nLoaded modules:\n"},
		{"one processor", report.Report{SystemInfo: report.SystemInfo{CPUCount: ptr(uint32(1))}}, "CPU: unknown\n     1 CPU\n"},
		{"several processors", report.Report{SystemInfo: report.SystemInfo{CPUCount: ptr(uint32(2))}}, "CPU: unknown\n     2 CPUs\n"},
		{"the most processors that fit", report.Report{SystemInfo: report.SystemInfo{CPUCount: ptr(uint32(math.MaxUint32))}}, "     4294967295 CPUs\n"},
		{"a model after spaces", report.Report{SystemInfo: report.SystemInfo{CPUInfo: ptr("  x family 6 ")}}, "CPU: unknown\n     x family 6\n\n"},
		{"no second of uptime", report.Report{ProcessUptime: ptr(uint64(0))}, "Process uptime: 0 seconds\n"},
		{"one second of uptime", report.Report{ProcessUptime: ptr(uint64(1))}, "Process uptime: 1 second\n"},
		{"the longest uptime", report.Report{ProcessUptime: ptr(uint64(math.MaxUint64))}, "Process uptime: 18446744073709551615 seconds\n"},
		{"a process", report.Report{PID: ptr(uint32(0))}, "No crash\nProcess ID: 0\nProcess uptime"},
		{"an unloaded range at the end of memory", report.Report{Unloaded: []report.Unloaded{{Base: "0xfffffffffffff000", End: "0x0000000000000000", CodeFile: "x"}}}, "0xfffffffffffff000 - 0xffffffffffffffff  x\n"},
		{"a module without a version", report.Report{Modules: []report.Module{{Base: *addr(0), End: *addr(1), CodeFile: "a\nb"}}, MainModule: 1}, "0x00000000 - 0x00000000  a\\x0ab  ???\n"},
		{
			"symbols that could not be read, and why", report.Report{Modules: []report.Module{{End: *addr(1), DebugFile: "a.pdb", DebugID: "1\x00", CorruptSymbols: true, Symbols: &report.Symbols{Why: ptr("line 3: bad\x1b")}}}},
			"???  (main)  (WARNING: Corrupt symbols, a.pdb, 1\\x00: line 3: bad\\x1b)\n",
		},
		{"symbols that are corrupt and missing", report.Report{Modules: []report.Module{{End: *addr(1), CorruptSymbols: true, MissingSymbols: true}}}, "(WARNING: Corrupt symbols, , )\n"},
		{"a reduced range", report.Report{Modules: []report.Module{{End: *addr(1), Overlap: ptr("ends at 0x1")}}}, "(main)  (ends at 0x1)\n"},
		{"a macOS record", report.Report{MacCrashInfo: &report.MacCrash{Records: []report.MacCrashRecord{{}, {AbortCause: addr(2), Backtrace: ptr("a\nb"), Message2: ptr("m")}}}}, "Mac Crash Info:\n  Record 0\n  Record 1\n    abort cause: 0x0000000000000002\n    backtrace: a\\x0ab\n    message2: m\n"},
		{"arguments of the kernel", report.Report{MacBootArgs: ptr("")}, "not available\nMac Boot Args: \n"},
		{"an annotation of a module", report.Report{Annotations: []report.Annotation{{Name: "k=", Value: "=v", Module: ptr("a.so")}}}, "\nAnnotations:\na.so: k= = =v\n"},
		{"an annotation without a value", report.Report{Annotations: []report.Annotation{{Name: "k"}}}, "\nAnnotations:\nk = \n"},
		{"no soft errors", report.Report{SoftErrors: json.RawMessage("[]")}, "Loaded modules:\n"},
		{"soft errors of another shape", report.Report{SoftErrors: json.RawMessage(`{"a":"\u001b"}`)}, "\nSoft errors when the dump was written:\n{\"a\":\"\\u001b\"}\n"},
		{"one missing frame", report.Report{WantedSymbols: []report.Wanted{{DebugFile: "a", DebugID: "1", Frames: 1}}}, "\nSymbols that would help:\na  1  (1 frame)\n"},
		{"no missing frame", report.Report{WantedSymbols: []report.Wanted{{DebugFile: "a", DebugID: "1"}}}, "a  1  (0 frames)\n"},
		{
			"commands for paths that a shell can take", report.Report{WantedSymbols: []report.Wanted{
				{DebugFile: "a", Frames: 2, Paths: []string{"a/../a.sym"}}, {DebugFile: "b", Frames: 2, Paths: []string{"b/1/b.sym", "b/2"}}, {DebugFile: "c", Frames: 2}, {DebugFile: "d", Frames: 2, Paths: []string{"d/1/d.sym"}},
			}},
			"a    (2 frames)\nb    (2 frames)\nc    (2 frames)\nd    (2 frames)\n" +
				"To download them, run crashglass fetch with this dump. Or set SYMBOL_SERVER to the address of your symbol server and run:\n" +
				"    curl -fL --create-dirs -o 'symbols/b/1/b.sym' \"$SYMBOL_SERVER/b/1/b.sym\"\n    curl -fL --create-dirs -o 'symbols/d/1/d.sym' \"$SYMBOL_SERVER/d/1/d.sym\"\n",
		},
		{"no command without a safe path", report.Report{WantedSymbols: []report.Wanted{{DebugFile: "a", Paths: []string{"../a.sym"}}}, MadeBy: "x"}, "a    (0 frames)\n\nMade by x\n"},
		{
			"a public server", report.Report{WantedSymbols: []report.Wanted{{DebugFile: "xul.pdb", Paths: []string{"xul.pdb/1/xul.sym"}, Origin: report.FromMozilla, Server: "https://moz"}}},
			"run crashglass fetch with this dump. Or run:\n    curl -fL --create-dirs -o 'symbols/xul.pdb/1/xul.sym' 'https://moz/xul.pdb/1/xul.sym'\n",
		},
		{"one of several dumps", report.Report{Dump: report.Dump{File: "a\x1b.dmp"}, Verdict: report.Verdict{What: "W"}}, "What happened: W\nDump: a\\x1b.dmp\n\nOperating"},
		{"a note at the first byte", report.Report{Notes: []report.Note{{Where: "header", Text: "bad", Offset: ptr(int64(0)), Count: 1}}}, "\nNotes:\nheader at 0x0: bad\n"},
		{"a note of two times", report.Report{Notes: []report.Note{{Where: "w", Text: "t", Count: 2}}}, "\nNotes:\nw: t (2 times)\n"},
		{"the program that made it", report.Report{MadeBy: "Crashglass 1\x1b"}, "Loaded modules:\n\nMade by Crashglass 1\\x1b\n"},
		{
			"variables outside of functions", report.Report{Globals: []report.Globals{{Module: "a\x01", Variables: []report.Variable{{Name: "g", Kind: report.Global, State: "known", Value: ptr("1")}}}, {Module: "b"}}},
			"\nGlobal variables of a\\x01\n    g = 1\n\nGlobal variables of b\n\nLoaded modules:\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) { lacks(t, formed(t, Text, &tt.report, Options{}), tt.want) })
	}
}

// The lines of an exception, below its reason.
func TestTextCrash(t *testing.T) {
	flip := []report.BitFlip{
		{Address: *addr(0x30), Confidence: ptr(0.25)}, {Address: *addr(0x20), Confidence: ptr(0.25)}, {Address: *addr(0x40)},
		{Address: *addr(0x10), Confidence: ptr(0.9996), SourceRegister: ptr("rax\x1b")},
	}
	bitFlip := report.Verdict{What: "W", Badges: []report.Badge{{Kind: report.BadgePlain}, {Kind: report.BadgeDoubt, Finding: report.FindingBitFlip}}}
	offset := &report.Adjusted{Kind: "null-pointer", Offset: addr(0x18)}
	canonical := &report.Adjusted{Kind: "non-canonical", Address: addr(0xdead << 48)}
	for _, tt := range []struct {
		name    string
		info    report.CrashInfo
		verdict report.Verdict
		want    string
	}{
		{"a reason alone", report.CrashInfo{}, report.Verdict{}, "Process uptime"},
		{"the reason for people", report.CrashInfo{Reason: ptr("a better\x1b name")}, report.Verdict{}, "a better\\x1b name\nProcess uptime"},
		{"an address", report.CrashInfo{Address: addr(0x18)}, report.Verdict{}, "Crash address: 0x0000000000000018\nProcess"},
		{"no address", report.CrashInfo{Address: addr(0x18), NoAddress: ptr("sent by process 1\x1b")}, report.Verdict{}, "Crash address: none: sent by process 1\\x1b\nProcess"},
		{"no address, and one of the original", report.CrashInfo{Address: addr(0x18), AdjustedAddress: offset, NoAddress: ptr("sent")}, report.Verdict{}, "Crash address: none: sent\nProcess"},
		{"a small address without a verdict", report.CrashInfo{Address: addr(0x18), AdjustedAddress: offset}, report.Verdict{}, "Crash address: 0x0000000000000018 **\n    ** Null pointer detected with offset: 0x0000000000000018\nProcess"},
		{
			"a small address of a null pointer", report.CrashInfo{Address: addr(0x18), AdjustedAddress: offset}, report.Verdict{What: "W", Finding: report.FindingNullPointer},
			"Crash address: 0x0000000000000018 **\n    ** Null pointer detected with offset: 0x0000000000000018\nProcess",
		},
		{
			"a small address that the verdict explains otherwise", report.CrashInfo{Address: addr(0x18), AdjustedAddress: offset}, report.Verdict{What: "W", Finding: report.FindingPoison},
			"Crash address: 0x0000000000000018\nProcess",
		},
		{
			"a non-canonical address, whatever the verdict", report.CrashInfo{Address: addr(1), AdjustedAddress: canonical}, report.Verdict{What: "W", Finding: report.FindingPoison},
			"Crash address: 0x0000000000000001 **\n    ** Non-canonical address detected: 0xdead000000000000\nProcess",
		},
		{"an adjustment without a number", report.CrashInfo{Address: addr(1), AdjustedAddress: &report.Adjusted{}}, report.Verdict{}, "Crash address: 0x0000000000000001 **\nProcess"},
		{
			"parameters with and without a meaning", report.CrashInfo{Parameters: []report.Address{*addr(8), *addr(1)}, ParameterMeanings: []string{"", "write\x1b"}}, report.Verdict{},
			"Crash parameters:\n    value: 0x0000000000000008\n    value: 0x0000000000000001  description: write\\x1b\nProcess",
		},
		{"an instruction that did not fail", report.CrashInfo{NoAddress: ptr("abort"), Instruction: ptr("ret")}, report.Verdict{}, "Instruction at the program counter: `ret`\nProcess"},
		{"an instruction without access", report.CrashInfo{Instruction: ptr("ud2")}, report.Verdict{}, "Crashing instruction: `ud2`\nNo memory accessed by instruction\nProcess"},
		{
			"a jump into a guard page", report.CrashInfo{Instruction: ptr("call rax"), InstructionPointerUpdate: &report.IPUpdate{Address: *addr(0x10), LikelyGuard: true}}, report.Verdict{},
			"Crashing instruction: `call rax`\nNo memory accessed by instruction\nInstruction pointer update done by instruction:\n  Address: 0x0000000000000010\n     This address falls in a likely guard page.\nProcess",
		},
		{
			"a jump elsewhere", report.CrashInfo{Instruction: ptr("call rax"), InstructionPointerUpdate: &report.IPUpdate{Address: *addr(0x10)}}, report.Verdict{},
			"Crashing instruction: `call rax`\nNo memory accessed by instruction\nInstruction pointer update done by instruction:\n  Address: 0x0000000000000010\nProcess",
		},
		{
			"flipped bits: the likeliest first, then by address", report.CrashInfo{PossibleBitFlips: flip}, report.Verdict{},
			"Crashing address may be the result of a flipped bit:\n  0. Valid address: rax\\x1b=0x0000000000000010 (1.000)\n  1. Valid address: 0x0000000000000020 (0.250)\n  2. Valid address: 0x0000000000000030 (0.250)\n  3. Valid address: 0x0000000000000040 (0.000)\nProcess",
		},
		{"flipped bits that the verdict doubts", report.CrashInfo{PossibleBitFlips: flip[:1]}, bitFlip, "Crashing address may be the result of a flipped bit:\n  0. Valid address: 0x0000000000000030 (0.250)\nProcess"},
		{"flipped bits that the verdict does not have", report.CrashInfo{PossibleBitFlips: flip}, report.Verdict{What: "W", Badges: bitFlip.Badges[:1]}, "Process"},
		{"records that disagree", report.CrashInfo{Inconsistencies: []string{"a", "b\x1b"}}, report.Verdict{}, "Crash is inconsistent:\n  a\n  b\\x1b\nProcess"},
		{"records that disagree, which a badge says", report.CrashInfo{Inconsistencies: []string{"a"}}, report.Verdict{What: "W"}, "Process"},
		{"an assertion", report.CrashInfo{Assertion: ptr("p\n")}, report.Verdict{}, "Assertion: p\\x0a\nProcess"},
		{"an empty assertion", report.CrashInfo{Assertion: ptr("")}, report.Verdict{}, "Process"},
		{"an assertion that the verdict quotes", report.CrashInfo{Assertion: ptr("p")}, report.Verdict{What: "W", Detail: "It said: p."}, "Process"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.info.Reason == nil {
				tt.want = "T\n" + tt.want
			}
			tt.info.Type = ptr("T")
			lacks(t, formed(t, Text, &report.Report{CrashInfo: tt.info, Verdict: tt.verdict}, Options{}), "Crash reason:  "+tt.want)
		})
	}
}

// The title of a verdict: what, the place with its uncertainty, and the line.
func TestVerdictLines(t *testing.T) {
	for _, tt := range []struct {
		verdict              report.Verdict
		text, markdown, html string
	}{
		{report.Verdict{What: "W"}, "W", "### W", "<h1>W</h1>"},
		{report.Verdict{What: "W", Where: ptr("f<x>")}, "W in f<x>", "### W in `f<x>`", "<h1>W in <code>f&lt;x&gt;</code></h1>"},
		{report.Verdict{What: "W", Where: ptr("f"), Guess: true}, "W, probably in f", "### W, probably in `f`", "<h1>W, probably in <code>f</code></h1>"},
		{report.Verdict{What: "W", Where: ptr("f"), At: ptr("a.c:1")}, "W in f at a.c:1", "### W in `f` at `a.c:1`", "<h1>W in <code>f</code> at <code>a.c:1</code></h1>"},
		{report.Verdict{What: "W", At: ptr("a.c:1")}, "W at a.c:1", "### W at `a.c:1`", "<h1>W at <code>a.c:1</code></h1>"},
		{report.Verdict{What: "W", Guess: true}, "W", "### W", "<h1>W</h1>"},
		{report.Verdict{What: "W @x\x1b", Crashed: true}, "W @x\\x1b", "### W `@x\\x1b`", "<h1 class=\"crashed\">W @x\\x1b</h1>"},
	} {
		r := &report.Report{Verdict: tt.verdict}
		if out := formed(t, Text, r, Options{}); !strings.HasPrefix(out, "What happened: "+tt.text+"\n") {
			t.Errorf("the headline is not the first line of\n%s", out)
		}
		lacks(t, formed(t, Markdown, r, Options{}), tt.markdown+"\n\n")
		lacks(t, formed(t, HTML, r, Options{}), tt.html)
	}
}

// A confidence is a share of 1, shown in whole percent.
func TestPercent(t *testing.T) {
	for in, want := range map[float32]string{0: " (confidence 0 %)", 0.004: " (confidence 0 %)", 0.006: " (confidence 1 %)", 0.25: " (confidence 25 %)", 0.494: " (confidence 49 %)", 0.999: " (confidence 100 %)", 1: " (confidence 100 %)"} {
		if got := percent(&in); got != want {
			t.Errorf("%v: %q, want %q", in, got, want)
		}
	}
	if got := percent(nil); got != "" {
		t.Errorf("an unknown confidence is %q", got)
	}
}

// Claims: the cause is the title already, so only its evidence is written.
func TestBadges(t *testing.T) {
	sure := ptr(float32(0.5))
	for _, tt := range []struct {
		name                 string
		badge                report.Badge
		text, markdown, html string
	}{
		{
			"the cause with evidence", report.Badge{Kind: report.BadgeCause, Text: "T", Evidence: []string{"`rax` is 0.", "So it is."}, Confidence: sure},
			"W\n    `rax` is 0.\n    So it is.\n\nOperating", "\n- `rax` is 0. So it is.\n", "</h1>\n<p><code>rax</code> is 0.</p>\n<p>So it is.</p>\n</header>",
		},
		{"the cause alone", report.Badge{Kind: report.BadgeCause, Text: "T"}, "W\n\nOperating", "### W\n\n\n**Details", "</h1>\n</header>"},
		{
			"a claim with evidence", report.Badge{Kind: report.BadgePlain, Text: "T", Evidence: []string{"E."}}, "W\n    - T\n        E.\n\nOperating", "\n- T: E.\n",
			`<details class="badge plain"><summary>T</summary><ul><li>E.</li></ul></details>`,
		},
		{"a claim alone", report.Badge{Kind: report.BadgePlain, Text: "T"}, "W\n    - T\n\nOperating", "\n- T\n\n", `<details class="badge plain"><summary>T</summary><ul></ul></details>`},
		{
			"a doubt with a confidence", report.Badge{Kind: report.BadgeDoubt, Text: "T <", Confidence: sure}, "W\n    - T < (confidence 50 %)\n\nOperating", "\n- T `<` (confidence 50 %)\n\n",
			`<details class="badge doubt"><summary>T &lt; (confidence 50 %)</summary>`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &report.Report{Verdict: report.Verdict{What: "W", Badges: []report.Badge{tt.badge}}}
			lacks(t, formed(t, Text, r, Options{}), "What happened: "+tt.text)
			lacks(t, formed(t, Markdown, r, Options{}), tt.markdown)
			lacks(t, formed(t, HTML, r, Options{}), tt.html)
		})
	}
}

// A text for the crashing thread alone counts the other threads, and leaves out the modules.
func TestTextBrief(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "\n1 other thread is left out\n", 2: "\n2 other threads are left out\n"} {
		r := crashOf(report.Frame{Offset: *addr(0x10)})
		for range n {
			r.Threads = append(r.Threads, report.Thread{ID: 8, End: report.End{Kind: report.NotWalked}})
		}
		r.Modules = []report.Module{{CodeFile: "app"}}
		out := formed(t, Text, r, Options{NoModules: true})
		if _, after, _ := strings.Cut(out, "    Found by: \n"); after != want {
			t.Errorf("%d other threads: %q, want %q", n, after, want)
		}
	}
}
