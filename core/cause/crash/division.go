package crash

import (
	"fmt"

	"crashglass/core/machine/cpu"
)

// divisorMask returns the part of a register that a register name of x86 denotes.
func divisorMask(name string) uint64 {
	last := name[len(name)-1]
	switch {
	case last == 'b' || last == 'l':
		return 0xff
	case last == 'w':
		return 0xffff // r8w to r15w
	case name[0] == 'e' || last == 'd':
		return 0xffff_ffff
	case name[0] == 'r':
		return ^uint64(0)
	}
	return 0xffff
}

func (s *facts) divisor() (value uint64, place string, ok bool) {
	if !s.Inst.Division || len(s.Inst.Operands) == 0 {
		return 0, "", false
	}
	switch op := &s.Inst.Operands[0]; {
	case op.Kind == cpu.Register && op.Name != "" && op.Reg != cpu.None:
		v, ok := s.regs.Get(op.Reg)
		name := op.Name
		if len(name) == 2 && name[1] == 'h' { // ah to dh, which are bits 8 to 15
			return v >> 8 & 0xff, "in " + name, ok
		}
		return v & divisorMask(name), "in " + name, ok
	case op.Kind == cpu.Memory && len(s.Accesses) == 1 && s.in.Memory != nil:
		a := &s.Accesses[0]
		if a.Size == 1 || a.Size == 2 || a.Size == 4 || a.Size == 8 {
			v, ok := s.in.Memory.Word(a.Address, a.Size)
			return v, "at " + hex(a.Address), ok
		}
	}
	return 0, "", false
}

// divisorText says where the zero was. If its value is unknown, the exception of Windows proves it.
func (s *facts) divisorText() string {
	v, place, ok := s.divisor()
	switch op := s.Inst.Operands; {
	case ok:
		return fmt.Sprintf(" with %s %s", number(v), place)
	case s.eitherDivision() && !s.in.OS.IsWindows():
		return ""
	case len(op) > 0 && op[0].Kind == cpu.Memory && len(s.Accesses) == 1:
		return " with 0 at " + hex(s.Accesses[0].Address)
	case len(op) > 0 && op[0].Kind == cpu.Register:
		return " with 0 in " + op[0].Name
	}
	return ""
}

func number(v uint64) string {
	if v < 10 {
		return fmt.Sprint(v)
	}
	return hex(v)
}

// quotientTooLarge reports whether the divisor is not 0. x86 has one exception for a zero divisor
// and for a quotient that does not fit, such as the smallest number divided by -1. Intel SDM,
// volume 2, DIV and IDIV.
func (s *facts) quotientTooLarge() bool {
	v, _, ok := s.divisor()
	return ok && v != 0
}

// eitherDivision reports whether a division of x86 failed, and it is not known whether by its divisor or by its quotient: the
// instruction, or its register or memory, is not in the dump.
func (s *facts) eitherDivision() bool {
	_, _, known := s.divisor()
	return s.in.Arch.IsX86() && !known && (!s.code() && s.e.Flags == fpeIntDiv || s.Inst.Division && len(s.Inst.Operands) > 0)
}

func (s *facts) findEitherDivision() []candidate {
	why := "The CPU has one exception for two errors: the divisor is 0, which is far more frequent, or the quotient is too large for its register, " +
		"as that of the smallest number and -1."
	return statement(Finding{Kind: DivideByZero, Text: "Division by zero, or division overflow", Confidence: 0.9, Evidence: compact(why, s.instruction(DivideByZero), s.undivided())})
}

func (s *facts) undivided() string {
	if s.decoded {
		return "The divisor is not in the dump."
	}
	return "The divisor is not known: " + s.noInstruction() + "."
}

func (s *facts) findQuotient() []candidate {
	return statement(Finding{Kind: Arithmetic, Text: "Division overflow", Confidence: 1, Evidence: []string{
		"The quotient is too large for its register; the CPU reports it like a division by zero.",
		fmt.Sprintf("The instruction is `%s`%s.", s.Instruction, s.divisorText())}})
}

// divisionNote is the note of a division by zero, unless the code shows that there was none. On CPUs
// other than x86 software raises the exception, behind a comparison.
func (s *facts) divisionNote() string {
	switch {
	case s.Inst.Division:
		return "An integer was divided by zero."
	case s.in.Arch.IsX86() && s.code() && s.decodable() && !isFloat(s.Inst.Mnemonic):
		return "The system reports a division by zero, and the code at the program counter does not divide."
	}
	return s.Note
}
