package render

import (
	"strings"
	"testing"

	"crashglass/core/report"
)

// Rows of frames without some of their facts, and of inlined calls.
func TestMachineFrames(t *testing.T) {
	for want, f := range map[string]report.Frame{
		"0|0|||||0x10\n":        {Offset: *addr(0x10)},
		"0|0|m||||0x10\n":       {Offset: *addr(0x10), Module: ptr("m")},
		"0|0|m||||0x4\n":        {Offset: *addr(0x10), Module: ptr("m"), ModuleOffset: addr(4), FunctionOffset: addr(2)},
		"0|0|m||||0x5\n":        {Offset: *addr(0x10), Module: ptr("m"), ModuleOffset: addr(5), File: ptr("a.c"), Line: ptr(uint32(3)), LineOffset: addr(1)},
		"0|0|m|f|||0x2\n":       {Offset: *addr(0x10), Module: ptr("m"), ModuleOffset: addr(4), Function: ptr("f"), FunctionOffset: addr(2), File: ptr("")},
		"0|0|old.dll||||0x10\n": {Offset: *addr(0x10), Unloaded: []report.UnloadedModule{{Module: "old.dll"}}},
		"0|0|m|a b|c|7|0x10\n":  {Offset: *addr(0x10), Module: ptr("m"), Function: ptr("a| b\n"), File: ptr("|c"), Line: ptr(uint32(7))},
		"0|0|m|<name omitted>|||0x0\n0|1|m||||0x10\n": {Offset: *addr(0x10), Module: ptr("m"), Inlines: []report.Inline{{File: ptr("")}}},
		"0|0|m|g|a.h|0|0x3\n0|1|m||||0x10\n":          {Offset: *addr(0x10), Module: ptr("m"), LineOffset: addr(3), Inlines: []report.Inline{{Function: ptr("g"), File: ptr("a.h")}}},
	} {
		if out := formed(t, Machine, crashOf(f), Options{}); !strings.HasSuffix(out, "\n\n"+want) {
			t.Errorf("%+v: no %q at the end of\n%s", f, want, out)
		}
	}
}

// The row of the crash and the IDs of modules, with and without each of their parts.
func TestMachineParts(t *testing.T) {
	for want, r := range map[string]report.Report{
		"\nCrash|No crash||\n":                          {CrashInfo: report.CrashInfo{Assertion: ptr("")}},
		"\nCrash|p != 0||\n":                            {CrashInfo: report.CrashInfo{Type: ptr("SIGABRT"), Assertion: ptr("p != 0")}},
		"\nCrash|SIGABRT|0x0|\n":                        {Verdict: report.Verdict{Crashed: true}, CrashInfo: report.CrashInfo{Type: ptr("SIGABRT"), Address: addr(0)}},
		"\nCrash|EXCEPTION_STACK_BUFFER_OVERRUN|0x0|\n": {CrashInfo: report.CrashInfo{Type: ptr("EXCEPTION_STACK_BUFFER_OVERRUN"), Address: addr(0)}},
		"|a||||0x00000000|0x00000000|1\n":               {Modules: []report.Module{{CodeFile: "a", DebugID: strings.Repeat("0", 33), End: *addr(1)}}},
		"|a|||0A|0x00000000|0x00000000|1\n":             {Modules: []report.Module{{CodeFile: "a", DebugID: "0A", End: *addr(1)}}},
		"|a||d|00|0x00000000|0x00000000|1\n":            {Modules: []report.Module{{CodeFile: "a", DebugFile: "d", DebugID: "00", End: *addr(1)}}},
		"CPU|arm64||4\nGPU|||\n":                        {SystemInfo: report.SystemInfo{CPU: ptr("arm64"), CPUInfo: ptr("ARMv8"), CPUCount: ptr(uint32(4))}},
		"CPU|arm|ARMv7|0\nGPU|v|w|r\n":                  {SystemInfo: report.SystemInfo{CPU: ptr("arm"), CPUInfo: ptr("ARMv7"), GPU: &report.GPU{Version: "v", Vendor: "w|", Renderer: "r"}}},
	} {
		lacks(t, formed(t, Machine, &r, Options{}), want)
	}
}

// Members of a variable are shown to a depth, and the omitted elements are counted.
func TestDeepVariables(t *testing.T) {
	v := report.Variable{Name: "e"}
	for _, name := range []string{"d", "c", "b", "a"} {
		v = report.Variable{Name: name, Children: []report.Variable{v}}
	}
	list := report.Variable{Name: "list", More: 5, Children: make([]report.Variable, textElements+2)}
	evidence := &report.VariableEvidence{Rule: "r", From: "f", Registers: report.Registers{{Name: "rax", Value: "0x1"}}, More: 1}
	known := report.Variable{Name: "k", Type: "int", Value: ptr("7"), State: "unreadable", Location: ptr("rax"), Evidence: evidence}
	r := crashOf(report.Frame{Offset: "0x10", Variables: []report.Variable{v, list, known}})
	text := formed(t, Text, r, Options{Evidence: true})
	lacks(t, text, "    a\n        b\n            c\n                d\n    list\n        (anonymous)\n", "        7 more\n", "    k = 7; unreadable\n        int rax\n        rule: r, by f\n        rax = 0x1\n        1 more read\n    Found by")
	html := formed(t, HTML, r, Options{Evidence: true})
	lacks(t, html, "<b>c</b>", "<li><code><b>d</b></code> <small></small></li>", "<li><small>7 more</small></li>\n</ul></details></li>\n", "<pre>int rax\nrule: r, by f\nrax = 0x1\n1 more read</pre>")
	for form, out := range map[string]string{"text": text, "html": html} {
		if strings.Contains(out, "<b>e</b>") || strings.Contains(out, " e\n") {
			t.Errorf("%s shows a member below the depth", form)
		}
	}
	evidence.More = 2
	lacks(t, formed(t, Text, r, Options{Evidence: true}), "        2 more reads\n")
}

// What a tracker takes for the hash of a commit or an issue is code, and other words are not.
func TestCommitHashes(t *testing.T) {
	for word, code := range map[string]bool{"a1b2c3d": true, "A1B2C3D": true, "a1b2c3": false, "acceded": false, "1234567": false, "a1b2c3g": false, "deadbee1": true, "GH-12": true} {
		want := "at " + word + "."
		if code {
			want = "at `" + word + "`."
		}
		if got := mdProse("at " + word + "."); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got, want := mdProse("at ("+word+")"), "at ("+strings.TrimSuffix(want[3:], ".")+")"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
