package crash

import (
	"cmp"
	"slices"

	"crashglass/core/cpu"
)

// maxInst is as many bytes as an instruction may have.
const maxInst = 15

// decode decodes the instruction that failed.
func (s *state) decode() {
	pc, ok := s.regs.Get(s.in.Arch.PC)
	if !ok || s.in.Decode == nil || s.in.Memory == nil || s.thumb() {
		return
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
		return
	}
	if s.Inst, s.decoded = s.in.Decode(s.in.Arch, code, pc); s.decoded {
		s.Instruction = s.Inst.Text
	}
}

// thumbBit is T of the CPSR: the processor executes Thumb, which no decoder
// of ours knows. ARM ARM, B1.3.3.
const thumbBit = 1 << 5

func (s *state) thumb() bool {
	return s.in.Arch == &cpu.ARM && s.regs.Value(cpu.ARMCPSR)&thumbBit != 0
}

// segment is the base of a segment: of the one that holds the thread
// environment block on Windows. Other systems do not put it into a dump.
func (s *state) segment(name string) (uint64, bool) {
	if s.in.OS != "windows" || s.in.TEB == 0 {
		return 0, false
	}
	return s.in.TEB, name == "gs" && s.in.Arch == &cpu.AMD64 || name == "fs" && s.in.Arch == &cpu.X86
}

// accesses lists the memory that the instruction touches: what its operands
// say, then what they do not. If one address cannot be known, none is given:
// a list that looks complete and is not would make false inconsistencies.
func (s *state) accesses() {
	if !s.decoded {
		return
	}
	list := []Access{}
	for _, m := range s.memOps() {
		addr, ok := m.Address(s.in.Arch, s.regs, s.segment)
		if !ok {
			return
		}
		s.ops = append(s.ops, m)
		list = append(list, Access{Address: addr, Size: m.Size, Kind: m.Access, null: s.nullBase(m, addr)})
	}
	s.Accesses = list
	s.collectBases()
}

// memOps are the instruction's accesses to memory.
func (s *state) memOps() []cpu.MemOp {
	var ops []cpu.MemOp
	for i := range s.Inst.Operands {
		if op := &s.Inst.Operands[i]; op.Kind == cpu.Memory && op.Mem.Access != cpu.NoAccess {
			ops = append(ops, op.Mem)
		}
	}
	return append(ops, s.Inst.Implicit...)
}

// nullBase reports whether an address was made from a null pointer: its base
// register is 0. An address without registers stands in the source.
func (s *state) nullBase(m cpu.MemOp, addr uint64) bool {
	if m.Base == cpu.None || m.PCRel || m.Segment != "" {
		return false
	}
	if m.Base == s.in.Arch.SP {
		return addr == 0
	}
	v, ok := s.regs.Get(m.Base)
	return ok && v == 0
}

// collectBases lists the registers that addresses of operands were made of,
// in the order of their names, which is that of rust-minidump's answers.
func (s *state) collectBases() {
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
	slices.SortFunc(s.baseRegs, func(a, b cpu.Reg) int {
		return cmp.Compare(s.in.Arch.RegName(a), s.in.Arch.RegName(b))
	})
}

// ipUpdate says where the instruction goes, when that is in a register or in
// memory. Where a direct branch goes is no news, and a conditional one is not
// followed.
func (s *state) ipUpdate() {
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

// target is the value that goes to the program counter.
func (s *state) target() (uint64, bool) {
	arch := s.in.Arch
	if s.Inst.HasTarget {
		return 0, false
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

// word reads a pointer.
func (s *state) word(addr uint64) (uint64, bool) {
	if s.in.Memory == nil {
		return 0, false
	}
	return s.in.Memory.Word(addr, s.in.Arch.Word)
}

// adjust finds an address that says more than the reported one: an offset from
// a null pointer, or the address that the processor did not report.
func (s *state) adjust() {
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
	if s.in.Arch != &cpu.AMD64 || !s.protectionFault() {
		return
	}
	if i := slices.IndexFunc(addrs, nonCanonical); i >= 0 {
		s.Adjusted = &Adjusted{Value: addrs[i]}
	}
}

// nonCanonical reports whether an address is none that amd64 has.
func nonCanonical(addr uint64) bool { return !cpu.AMD64.Canonical(addr) }

// protectionFault reports whether the exception is what systems make of a
// general protection fault. The processor reports no address with it, and each
// system writes another placeholder. A program that really accesses the
// placeholder looks the same.
func (s *state) protectionFault() bool {
	e := s.e
	switch s.in.OS {
	case "windows":
		return e.Code == accessViolation && len(e.Params) > 0 && e.Params[0] == 0 && s.at() == ^uint64(0)
	case "mac":
		return e.Code == excBadAccess && e.Flags == i386GPFault && s.at() == 0
	case "linux", "android":
		return (e.Code == sigSEGV || e.Code == sigBUS) && e.Flags == siKernel && s.at() == 0
	}
	return false
}
