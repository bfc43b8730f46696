package crash

import (
	"strings"
	"testing"

	"crashglass/core/report"
)

// changed is a change of code 2 bytes into the function `middle`, where the scene failed.
func changed(kind report.CodeChangeKind, was, is string) report.CodeChange {
	name, off := "middle", report.Address("0x2")
	return report.CodeChange{Kind: kind, Address: report.Hex(codeAddr + 2), Module: "app", ModuleOffset: "0x1002", Function: &name, FunctionOffset: &off, Shipped: was, Captured: is}
}

// What a change of code means for the crash.
func TestChangedCode(t *testing.T) {
	flip, elsewhere := changed(report.CodeFlipped, "83", "93"), changed(report.CodeFlipped, "83", "93")
	elsewhere.Address, elsewhere.Function, elsewhere.FunctionOffset = report.Hex(libBase+0x500), nil, nil
	elsewhere.Module, elsewhere.ModuleOffset, elsewhere.ModuleIndex = "libc.so.6", "0x500", 1
	hook := changed(report.CodeHook, "5548", "e900")
	edr, index, lead := "edr.so", 1, report.Address(report.Hex(libBase+0x40))
	hook.Target, hook.TargetModule, hook.TargetIndex = &lead, &edr, &index
	own, program := hook, 0
	own.TargetIndex = &program
	stray := hook
	stray.TargetModule, stray.TargetIndex = nil, nil
	many := []report.CodeChange{hook, hook, hook, hook, hook, hook}
	condition := changed(report.CodeFlipped, "74", "75")
	tests := []struct {
		name, want, evidence string
		code                 []report.CodeChange
	}{
		{"nothing", "unmapped! 1.00", "", nil},
		{"a flipped bit where it failed", "flipped_code! 0.90, unmapped 1.00",
			"At 0x401002, `middle` + 0x2 of app, memory has 93, and the file has 83. One bit differs: memory of the machine, or a disk, has probably failed.", []report.CodeChange{flip}},
		{"elsewhere", "unmapped! 1.00, flipped_code 0.90",
			"At 0x7f0000000500, libc.so.6 + 0x500, memory has 93, and the file has 83. One bit differs: memory of the machine, or a disk, has probably failed.", []report.CodeChange{elsewhere}},
		{"the opposite condition", "flipped_code! 0.50, unmapped 1.00", "The bit inverts a condition: somebody may have changed it on purpose.", []report.CodeChange{condition}},
		{"a hook", "unmapped! 1.00, hooked_code 0.90", "memory has e9 00, and the file has 55 48. It leads to edr.so + 0x40.", []report.CodeChange{hook}},
		{"many hooks", "unmapped! 1.00, hooked_code 0.90", "It leads to edr.so + 0x40. Further functions are changed in the same way: 2.", many},
		{"a hook of the program itself", "unmapped! 1.00", "", []report.CodeChange{own}},
		{"a hook that leads to no module", "unmapped! 1.00, hooked_code 0.90", "It leads to " + string(lead) + ".", []report.CodeChange{stray}},
		{"a breakpoint", "unmapped! 1.00, breakpoint 0.90", "A debugger or a tracer writes such an instruction.", []report.CodeChange{changed(report.CodeBreakpoint, "55", "cc")}},
		{"other code", "unmapped! 1.00, changed_code 0.90", "memory has 0f 0b, and the file has 55 48.", []report.CodeChange{changed(report.CodeOther, "5548", "0f0b")}},
	}
	for _, tt := range tests {
		s := store(t, 0x10_0000_0000)
		s.Code = FindInCode(tt.code)
		for i := range s.Frames {
			off := report.Address(report.Hex(0))
			s.Frames[i].FunctionOffset = &off
		}
		if got := found(t, s); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		var text []string
		for _, f := range Analyze(s.Input).Findings {
			text = append(text, f.Evidence...)
		}
		if !strings.Contains(strings.Join(text, " "), tt.evidence) {
			t.Errorf("%s:\n got %q\nwant %s", tt.name, text, tt.evidence)
		}
	}
}
