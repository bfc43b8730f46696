package next

import (
	"slices"
	"strconv"
	"strings"

	"crashglass/core/report"
)

// lookAt names the code to read, and the register whose value is wrong.
func lookAt(c *crash) *report.NextStep {
	where := text(c.Verdict.Where)
	if !c.Verdict.Crashed || c.blamed == nil || where == "" || c.Verdict.Finding == report.FindingFromOutside {
		return nil
	}
	row := *c.Verdict.Row
	s := &report.NextStep{Kind: report.LookAt, Thread: &c.index, Row: &row, Function: where, At: text(c.Verdict.At), Module: c.blamed.ModuleIndex}
	reg := c.pointer()
	if reg != nil {
		s.Register, s.Value = reg.Name, &reg.Value
	}
	if reg == nil && c.blamed.Function == nil { // module + offset: there is nothing to look at yet
		return nil
	}
	return s
}

// pointer is the register that the address of the failed access was made of:
// of two, the one whose value lies nearer to it. Registers are those of the
// innermost frame.
func (c *crash) pointer() *report.Register {
	instruction, at := text(c.CrashInfo.Instruction), c.address()
	_, operand, ok := strings.Cut(instruction, "[")
	if !ok || at == nil || !slices.Contains(accesses, c.Verdict.Finding) || len(c.thread.Frames) == 0 || c.blamed.Index != 0 {
		return nil
	}
	operand, _, _ = strings.Cut(operand, "]")
	var best *report.Register
	for i := range c.thread.Frames[0].Registers {
		reg := &c.thread.Frames[0].Registers[i]
		if hasWord(operand, reg.Name) && (best == nil || apart(reg.Value, *at) < apart(best.Value, *at)) {
			best = reg
		}
	}
	return best
}

// address is what the instruction accessed, where only one access could be it.
func (c *crash) address() *report.Address {
	if list := c.CrashInfo.MemoryAccesses; len(list) == 1 {
		return &list[0].Address
	}
	return c.CrashInfo.Address
}

// hasWord reports whether an operand has a register's name as a word: "rax" in
// "rax + rcx * 1", but not "ax".
func hasWord(operand, name string) bool {
	for word := range strings.FieldsFuncSeq(operand, func(c rune) bool { return strings.ContainsRune(" +-*,#!", c) }) {
		if word == name {
			return true
		}
	}
	return false
}

// apart is how far two addresses are from each other.
func apart(a, b report.Address) uint64 {
	x, errX := strconv.ParseUint(string(a), 0, 64)
	y, errY := strconv.ParseUint(string(b), 0, 64)
	if errX != nil || errY != nil {
		return ^uint64(0)
	}
	return max(x, y) - min(x, y)
}

// checkMemory is for an address with one bit wrong, which memory that fails
// makes of a good one, and for memory that the CPU found to be broken.
func checkMemory(c *crash) *report.NextStep {
	for i := range c.Verdict.Badges {
		if f := c.Verdict.Badges[i].Finding; f == report.FindingBitFlip || f == report.FindingBrokenMemory {
			return &report.NextStep{Kind: report.CheckMemory}
		}
	}
	return nil
}

// runSanitizer is for defects that show themselves later, elsewhere.
func runSanitizer(c *crash) *report.NextStep {
	if f := c.Verdict.Finding; f == report.FindingHeapCorrupt || f == report.FindingPoison {
		return &report.NextStep{Kind: report.RunSanitizer}
	}
	return nil
}
