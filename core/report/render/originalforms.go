package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"crashglass/core/report"
)

// breakpadForm is the text of Breakpad's minidump_stackwalk.
//
// Source: PrintProcessState and PrintStack in Breakpad's stackwalk_common.cc.
var breakpadForm = originalForm{
	head:    breakpadSystem,
	crash:   breakpadCrash,
	asserts: true,
	heading: func(_ *report.Thread, n int, how string) string { return fmt.Sprintf("Thread %d%s", n, how) },
	cell: func(reg report.Register) string {
		return fmt.Sprintf("   %3s = %s", registerName(reg.Name), reg.Value)
	},
	frame:   breakpadFrame,
	warning: breakpadWarning,
	inline:  " \n    Found by: inline record", // it writes the line of the registers, but no registers
	none:    " <no frames>",
}

// rustForm is the text of minidump-stackwalk 0.27.
//
// Source: ProcessState::print in minidump-processor, CallStack::print in minidump-unwind.
var rustForm = originalForm{
	head:  rustSystem,
	crash: rustCrash,
	heading: func(t *report.Thread, n int, how string) string {
		return fmt.Sprintf("Thread %d %s%s - tid: %d", n, text(t.Name), how, t.ID)
	},
	cell:    func(reg report.Register) string { return fmt.Sprintf("%7s = %s", Escape(reg.Name), reg.Value) },
	frame:   func(_ *report.Report, f *report.Frame) string { return rustFrame(f) },
	warning: func(*report.Module) string { return "" },
	inline:  "    Found by: inlining",
	none:    "<no frames>",
	rust:    true,
}

// breakpadFrame describes a frame by its return address. It has no marks, because scripts read the names.
func breakpadFrame(r *report.Report, f *report.Frame) string {
	return describe(f, "", machineAddress(r, f)-number(f.Offset))
}

// breakpadCrash writes the reason with the address, which is 0 if it is unknown, and the parameters
// without their meanings.
func breakpadCrash(o original) {
	c := &o.r.CrashInfo
	o.printf("Crash reason:  %s\nCrash address: %#x\n", Escape(breakpadReason(o.r)), addressOf(c))
	if len(c.Parameters) > 0 {
		o.printf("Crash parameters:\n")
	}
	for _, p := range c.Parameters {
		o.printf("    value: 0x%016x  description: \n", number(p))
	}
}

// rustCrash writes the lines that the project's own text shares when there is no verdict.
func rustCrash(o original) {
	c := &o.r.CrashInfo
	o.printf("Crash reason:  %s\n", cmp.Or(text(c.Type), "unknown"))
	if c.NoAddress != nil && c.Address != nil { // it writes an address for every signal
		o.printf("Crash address: %s\n", *c.Address)
	} else {
		o.address(c)
	}
	if c.Instruction != nil && o.r.SystemInfo.Arch().IsAMD64() { // it decodes no other instructions
		o.printf("Crashing instruction: `%s`\n", text(c.Instruction))
		o.accesses(&report.CrashInfo{MemoryAccesses: rustAccesses(c.MemoryAccesses), InstructionPointerUpdate: c.InstructionPointerUpdate})
		if c.InstructionPointerUpdate == nil {
			o.printf("No instruction pointer update by instruction\n")
		}
	}
	rest := *c
	rest.Instruction = nil
	o.instruction(&rest)
}

// rustAccesses capitalizes accesses.
func rustAccesses(accesses []report.Access) []report.Access {
	out := slices.Clone(accesses)
	for i := range out {
		out[i].AccessType = map[string]string{"read": "Read", "write": "Write", "readwrite": "ReadWrite"}[strings.ToLower(out[i].AccessType)]
	}
	return out
}

func addressOf(c *report.CrashInfo) uint64 {
	if c.Address == nil {
		return 0
	}
	return number(*c.Address)
}

// breakpadReason returns the reason in Breakpad's spelling, or "" for a microdump without one.
func breakpadReason(r *report.Report) string {
	if r.CrashInfo.Type == nil {
		return ""
	}
	return machineReason(r)
}

// breakpadSystem writes the machine. Breakpad writes the plural for all counts except 1.
func breakpadSystem(o original) {
	s := &o.r.SystemInfo
	o.printf("Operating system: %s\n", text(s.OS))
	if v := machineVersion(s); v != "" {
		o.printf("                  %s\n", Escape(v))
	}
	o.printf("CPU: %s\n", text(s.CPU))
	if info := machineCPU(s); info != "" {
		o.printf("     %s\n", Escape(info))
	}
	if s.CPUCount != nil {
		o.printf("     %d %s\n", *s.CPUCount, plural(uint64(*s.CPUCount), "CPU", "CPUs"))
	}
	if g := s.GPU; g != nil {
		o.printf("\nGPU: %s\n     %s\n     %s\n\n", Escape(g.Version), Escape(g.Vendor), Escape(g.Renderer))
	} else {
		o.printf("\nGPU: UNKNOWN\n\n")
	}
}

// breakpadWarning only names the symbols that a module on a stack lacks.
func breakpadWarning(mod *report.Module) string {
	bare := *mod
	bare.Symbols = nil
	return symbolWarning(&bare)
}
