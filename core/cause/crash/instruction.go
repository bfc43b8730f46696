package crash

import (
	"cmp"
	"slices"

	"crashglass/core/base/sorting"
	"crashglass/core/machine/cpu"
)

const maxInst = 15

func (s *facts) decode() {
	pc, ok := s.regs.Get(s.in.Arch.PC)
	if !ok {
		return
	}
	if s.Inst, s.decoded = s.decodeAt(pc); s.decoded {
		s.Instruction = s.Inst.Text
	}
}

// decodeAt decodes captured code.
func (s *facts) decodeAt(pc uint64) (inst cpu.Inst, ok bool) {
	if s.in.Decode == nil || s.in.Memory == nil || s.thumb() {
		return inst, false
	}
	var code []byte
	for i := range uint64(maxInst) {
		b, ok := s.in.Memory.Word(pc+i, 1)
		if !ok {
			break
		}
		code = append(code, byte(b))
	}
	if len(code) == 0 {
		return inst, false
	}
	return s.in.Decode(s.in.Arch, code, pc)
}

// thumbBit is T of the CPSR: the processor executes Thumb, for which there is no decoder. ARM ARM,
// B1.3.3.
const thumbBit = 1 << 5

func (s *facts) thumb() bool { return Thumb(s.in.Arch, s.regs) }

// Thumb reports whether registers are those of Thumb code.
func Thumb(arch *cpu.Arch, regs *cpu.Regs) bool {
	return arch != nil && arch.IsARM() && regs.Value(cpu.ARMCPSR)&thumbBit != 0
}

// segment returns the base of the segment of Windows' thread environment block. Dumps of other
// systems do not have the base of any segment.
func (s *facts) segment(name string) (uint64, bool) {
	if !s.in.OS.IsWindows() || s.in.TEB == 0 {
		return 0, false
	}
	return s.in.TEB, name == "gs" && s.in.Arch.IsAMD64() || name == "fs" && s.in.Arch.Is386()
}

// accesses lists the instruction's accesses to memory: those of its operands, then the implicit
// ones. If one address is unknown, the list is empty, because an incomplete list would cause false
// inconsistencies.
func (s *facts) accesses() {
	if !s.decoded {
		return
	}
	list := []Access{}
	for _, m := range s.memOps() {
		addr, ok := m.Address(s.in.Arch, s.regs, s.segment)
		if !ok {
			return
		}
		addr = s.accessedAt(addr)
		s.ops = append(s.ops, m)
		list = append(list, Access{Address: addr, Size: m.Size, Kind: m.Access, null: s.nullBase(m, addr)})
	}
	s.Accesses = list
	s.collectBases()
}

func (s *facts) memOps() []cpu.MemOp {
	var ops []cpu.MemOp
	for i := range s.Inst.Operands {
		if op := &s.Inst.Operands[i]; op.Kind == cpu.Memory && op.Mem.Access != cpu.NoAccess {
			ops = append(ops, op.Mem)
		}
	}
	return append(ops, s.Inst.Implicit...)
}

// nullBase reports whether an address was made from a null pointer: its base register is 0. An
// address without registers is a constant of the program.
func (s *facts) nullBase(m cpu.MemOp, addr uint64) bool {
	if m.Base == cpu.None || m.PCRel || m.Segment != "" {
		return false
	}
	if m.Base == s.in.Arch.SP {
		return addr == 0
	}
	v, ok := s.regs.Get(m.Base)
	return ok && v == 0
}

// collectBases lists the registers in the addresses of operands, sorted by name as in
// rust-minidump's answers.
func (s *facts) collectBases() {
	for i := range s.Inst.Operands {
		op := &s.Inst.Operands[i]
		if op.Kind != cpu.Memory || op.Mem.Width != 0 {
			continue
		}
		for _, r := range []cpu.Reg{op.Mem.Base, op.Mem.Index} {
			if r != cpu.None && !slices.Contains(s.baseRegs, r) {
				s.baseRegs = append(s.baseRegs, r)
			}
		}
	}
	sorting.Stable(s.baseRegs, func(a, b cpu.Reg) int {
		return cmp.Compare(s.in.Arch.RegName(a), s.in.Arch.RegName(b))
	})
}

// ipUpdate returns the target of the instruction, if that is in a register or in memory. The target
// of a direct branch is in the text already, and a conditional one is not evaluated.
func (s *facts) ipUpdate() {
	if !s.decoded {
		return
	}
	switch s.Inst.Flow {
	case cpu.Call, cpu.Jump, cpu.Ret:
		if addr, ok := s.target(); ok {
			s.IPUpdate = &IPUpdate{Address: addr}
		}
	}
}

// target returns the next value of the program counter.
func (s *facts) target() (uint64, bool) {
	arch := s.in.Arch
	if s.Inst.HasTarget {
		return 0, false
	}
	if arch.IsARM() {
		return s.armTarget()
	}
	for i := range s.Inst.Operands {
		switch op := &s.Inst.Operands[i]; op.Kind {
		case cpu.Register:
			return s.regs.Get(op.Reg)
		case cpu.Memory:
			addr, ok := op.Mem.Address(arch, s.regs, s.segment)
			if !ok {
				return 0, false
			}
			return s.word(addr)
		}
	}
	if s.Inst.Flow != cpu.Ret {
		return 0, false
	}
	if arch.LR != cpu.None {
		return s.regs.Get(arch.LR)
	}
	sp, ok := s.regs.Get(arch.SP)
	if !ok {
		return 0, false
	}
	return s.word(sp)
}

func (s *facts) word(addr uint64) (uint64, bool) {
	if s.in.Memory == nil {
		return 0, false
	}
	return s.in.Memory.Word(addr, s.in.Arch.Word)
}

// adjust finds an address that explains more than the reported one: an offset from a null pointer,
// or the address that the processor did not report.
func (s *facts) adjust() {
	if s.Accesses == nil {
		return
	}
	addrs := make([]uint64, 0, len(s.Accesses)+1)
	for _, a := range s.Accesses {
		if a.null {
			s.Adjusted = &Adjusted{Null: true, Value: a.Address}
			return
		}
		addrs = append(addrs, a.Address)
	}
	if u := s.IPUpdate; u != nil {
		if u.Address == 0 {
			s.Adjusted = &Adjusted{Null: true}
			return
		}
		addrs = append(addrs, u.Address)
	}
	if !s.in.Arch.IsAMD64() || !s.protectionFault() {
		return
	}
	if i := slices.IndexFunc(addrs, nonCanonical); i >= 0 {
		s.Adjusted = &Adjusted{Value: addrs[i]}
	}
}

// nonCanonical reports whether an address is not canonical on amd64.
func nonCanonical(addr uint64) bool { return !cpu.AMD64.Canonical(addr) }

// protectionFault reports whether the exception stands for a general protection fault. The
// processor reports no address with it, and each system writes another placeholder. An access to
// the placeholder's address looks the same. The kernel of Windows also reports it as a write: so amdppm.sys failed at a device's
// register, in a small dump of Windows 10 under Hyper-V.
func (s *facts) protectionFault() bool {
	return systemOf(s.in.OS).protectionFault(s.e, s.at()) || s.in.Stop != nil && s.windowsAccess() == cpu.Write && s.at() == ^uint64(0)
}

// armTarget returns what an instruction of ARM writes to pc: a register, or a word of memory. Sums are
// not evaluated, and neither is pc as a source, which reads as the address plus 8. ARM ARM (DDI 0406),
// A2.3.
func (s *facts) armTarget() (uint64, bool) {
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
