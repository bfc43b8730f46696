package crash

import "crashglass/core/cpu"

// armTarget returns what an instruction of ARM writes to pc: a register, or a word of memory. Sums are
// not evaluated, and neither is pc as a source, which reads as the address plus 8. ARM ARM (DDI 0406),
// A2.3.
func (s *state) armTarget() (uint64, bool) {
	ops := s.Inst.Operands
	if len(ops) > 0 && ops[0].Kind == cpu.Register && ops[0].Reg == cpu.ARMPC { // mov pc, r3
		if s.Inst.Mnemonic != "mov" && s.Inst.Mnemonic != "ldr" {
			return 0, false
		}
		ops = ops[1:]
	}
	if len(ops) == 1 && ops[0].Kind == cpu.Register && ops[0].Reg != cpu.ARMPC {
		return s.regs.Get(ops[0].Reg)
	}
	list := s.memOps()
	if len(list) != 1 {
		return 0, false
	}
	addr, ok := list[0].Address(s.in.Arch, s.regs, s.segment)
	if !ok {
		return 0, false
	}
	// pc is the last register of a list: A8.8.58 (LDM).
	return s.word(addr + uint64(list[0].Size) - uint64(s.in.Arch.Word))
}
