package crash

import (
	"testing"

	"crashglass/core/machine/cpu"
)

// What Visual C++'s C library writes into a message box is what happened.
func TestMessageBoxes(t *testing.T) {
	const at = stackLow + 0x1400
	const assertion = "Assertion failed!\n\nProgram: C:\\app.exe\nFile: src\\a.c\nLine: 14\n\nExpression: n < 10\n\nFor information on how your program can cause an assertion"
	const program = "\n\nProgram: C:\\app.exe\n\n"
	ended := func(function, text string) *scene {
		return crashAt(t, "cc").raise("windows", 0x8000_0003, 0).stack(function, "work").wide(at, text)
	}
	for _, tt := range []struct {
		name, want, says string
		s                *scene
	}{
		{"an assertion", "Assertion failed", "The assertion is `n < 10`, at src\\a.c:14.", ended("!abort", assertion)},
		{"an assertion in single bytes", "Assertion failed", "The assertion is `n < 10`, at src\\a.c:14.", ended("!abort", "").text(at, assertion+"\x00")},
		{"of the debug library", "Assertion failed", "The assertion is `n < 10`, at src\\a.c:14.", ended("!_CrtDbgReportW", "Debug "+assertion)},
		{"a pure virtual call", "Pure virtual function called", "The message is: R6025 - pure virtual function call.", ended("!abort", "Runtime Error!"+program+"R6025\n- pure virtual function call\n")},
		{"a check of the stack", "Stack buffer overrun", "The message is: Run-Time Check Failure #2 - Stack around the variable 'a' was corrupted.",
			ended("!abort", "Debug Error!"+program+"Run-Time Check Failure #2 - Stack around the variable 'a' was corrupted.\n\n(Press Retry to debug the application)\n")},
		{"what abort says", "Breakpoint", "", ended("!abort", "Debug Error!"+program+"abort() has been called\n\n(Press Retry to debug the application)\n")},
		{"another title", "Breakpoint", "", ended("!abort", "Error!"+program+"R6025\n- pure virtual function call\n")},
		{"a text without an end", "Breakpoint", "", ended("!abort", "Runtime Error!"+program)},
		{"no end of the program", "Breakpoint", "", ended("middle", assertion)},
		{"a fault behind a box that was ignored", "Null pointer + 0x8", "",
			crashAt(t, "8b 00").windows(0, 8).reg(cpu.RAX, 8).stack("!abort", "work").wide(at, assertion)},
	} {
		f := Analyze(tt.s.Input).Findings[0]
		if f.Text != tt.want || tt.says != "" && f.Evidence[0] != tt.says {
			t.Errorf("%s: %s %q", tt.name, f.Text, f.Evidence)
		}
	}
}
