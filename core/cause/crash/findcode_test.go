package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
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
		{"a breakpoint, or a flipped bit", "unmapped! 1.00, breakpoint 0.50", "Only one bit differs: failed memory can look like this, too.",
			[]report.CodeChange{changed(report.CodeBreakpoint, "4c", "cc")}},
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

// A flipped bit behind the instruction that failed is its cause only if the code may have run before: if code behind it jumps back.
func TestFlippedCodeThatHasNotRun(t *testing.T) {
	const inst = movStore + " 90 90 90 90 90 90 90 90 90 90 90 90 90 90 90 90 " // and sixteen no-operations
	for _, tt := range []struct {
		name, code string
		at         uint64
		want       string
	}{
		{"in the instruction", inst, 1, "flipped_code! 0.90, unmapped 1.00"},
		{"behind it", inst, 8, "unmapped! 1.00, flipped_code 0.90"},
		{"behind it, before a return", inst + "c3 eb 80", 8, "unmapped! 1.00, flipped_code 0.90"},
		{"behind it, in a loop", inst + "75 e0 c3", 8, "flipped_code! 0.90, unmapped 1.00"},
		{"behind it and the loop", inst + "c3", 20, "unmapped! 1.00, flipped_code 0.90"},
		{"behind it, before a jump to another function", inst + "e9 00 f0 ff ff", 8, "unmapped! 1.00, flipped_code 0.90"},
	} {
		s := crashAt(t, tt.code).reg(cpu.RAX, 0x10_0000_0000).fault(0x10_0000_0000)
		c := changed(report.CodeFlipped, "83", "93")
		off := report.Address(report.Hex(tt.at + 8))
		c.Address, c.FunctionOffset = report.Hex(codeAddr+tt.at), &off
		s.Code = FindInCode([]report.CodeChange{c})
		for i := range s.Frames {
			off := report.Address(report.Hex(8))
			s.Frames[i].FunctionOffset = &off
		}
		if got := found(t, s); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
