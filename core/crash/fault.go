package crash

import (
	"fmt"
	"slices"

	"crashglass/core/cpu"
)

// A fault is an access that the processor refused. The zero fault is a crash
// of another kind.
type fault struct {
	memory bool       // it is about an access to memory
	access cpu.Access // Read, Write, execute or 0
	addr   uint64     // what was accessed
	known  bool       // addr is known
	op     int        // index of the access that failed in Accesses, or -1
}

// nullPage is the part of the address space that null pointers with an offset
// lie in. Crash handlers that do not pass on siginfo report address 0 for all
// of it; the instruction tells the offset.
const nullPage = 4096

// classify finds out what kind of fault the exception is, and what it is about.
func (s *state) classify() {
	s.fault = fault{op: -1, memory: s.memoryFault()}
	if !s.fault.memory {
		return
	}
	f := &s.fault
	f.addr, f.known = s.Address, true
	if e := s.in.Exception; s.in.OS == "windows" && (e.Code == stackOverflow || e.Code == guardPage) {
		// Their address is that of the instruction; the parameters are as for
		// an access violation, where the system fills them in.
		f.addr, f.known = e.param(1), len(e.Params) >= 2
	}
	if s.unreported() {
		f.addr, f.known = 0, false
		if i := slices.IndexFunc(s.Accesses, func(a Access) bool { return nonCanonical(a.Address) }); i >= 0 {
			f.addr, f.known, f.op = s.Accesses[i].Address, true, i
		} else if u := s.IPUpdate; u != nil && nonCanonical(u.Address) {
			f.addr, f.known, f.access = u.Address, true, execute
			return
		}
	}
	if f.op < 0 && f.known {
		f.op = slices.IndexFunc(s.Accesses, func(a Access) bool { return a.covers(f.addr) })
	}
	if f.op < 0 && f.known && f.addr == 0 {
		f.op = slices.IndexFunc(s.Accesses, func(a Access) bool { return a.Address < nullPage })
		if f.op >= 0 {
			f.addr = s.Accesses[f.op].Address
		}
	}
	f.access = s.accessKind()
}

// memoryFault reports whether the exception is about an access to memory.
func (s *state) memoryFault() bool {
	e := s.in.Exception
	if e.Unknown {
		return false
	}
	switch s.in.OS {
	case "windows":
		return e.Code == accessViolation || e.Code == inPageError || e.Code == guardPage || e.Code == stackOverflow
	case "mac", "ios":
		return e.Code == excBadAccess
	case "linux", "android":
		return e.Code == sigSEGV || e.Code == sigBUS
	}
	return false
}

// unreported reports whether the system did not know the address. Besides a
// general protection fault that is an address of 0 which the instruction does
// not touch: writers of dumps that leave out si_code write 0 as well.
func (s *state) unreported() bool {
	if s.protectionFault() {
		return true
	}
	return s.in.Arch == &cpu.AMD64 && s.in.OS != "windows" && s.Address == 0 && len(s.Accesses) > 0 &&
		!slices.ContainsFunc(s.Accesses, func(a Access) bool { return a.covers(0) }) &&
		slices.ContainsFunc(s.Accesses, func(a Access) bool { return nonCanonical(a.Address) })
}

// accessKind is what was tried: what the system says, or else what the
// instruction does there.
func (s *state) accessKind() cpu.Access {
	f := &s.fault
	if op := s.windowsAccess(); op != 0 && !s.protectionFault() {
		return op
	}
	if s.in.OS == "windows" && s.in.Exception.Code == inPageError && s.in.Exception.param(0) == 1 {
		return cpu.Write
	}
	if pc, ok := s.pc(); ok && f.known && pc == f.addr {
		return execute
	}
	if f.op >= 0 {
		if s.Accesses[f.op].Kind&cpu.Write != 0 {
			return cpu.Write
		}
		return s.Accesses[f.op].Kind
	}
	return 0
}

// pc is the program counter.
func (s *state) pc() (uint64, bool) {
	if s.in.Arch == nil {
		return 0, false
	}
	return s.regs.Get(s.in.Arch.PC)
}

// sp is the stack pointer.
func (s *state) sp() (uint64, bool) {
	if s.in.Arch == nil {
		return 0, false
	}
	return s.regs.Get(s.in.Arch.SP)
}

// verb is what was done, as in "Null pointer read".
func (f *fault) verb() string {
	switch f.access {
	case cpu.Read:
		return "read"
	case cpu.Write:
		return "write"
	case execute:
		return "call"
	}
	return "access"
}

// pastTense is what was done, as in "The program wrote to 0x45".
func (f *fault) pastTense() string {
	switch f.access {
	case cpu.Read:
		return "read from"
	case cpu.Write:
		return "wrote to"
	}
	return "accessed"
}

// pointer is the register that the faulting address was made of, and its
// value: the base, or the index when there is nothing in the base.
func (s *state) pointer() (cpu.Reg, uint64, bool) {
	if s.fault.op < 0 || s.fault.op >= len(s.ops) {
		return cpu.None, 0, false
	}
	m := &s.ops[s.fault.op]
	reg := m.Base
	if v, ok := s.regs.Get(m.Index); ok && v != 0 && (reg == cpu.None || s.regs.Value(reg) == 0) {
		reg = m.Index
	}
	if reg == cpu.None || m.PCRel {
		return cpu.None, 0, false
	}
	v, ok := s.regs.Get(reg)
	return reg, v, ok
}

// mechanism is the sentence that proves it: which instruction did what to
// which address, and which register it had it from.
func (s *state) mechanism() string {
	f := &s.fault
	if f.access == execute {
		if pc, ok := s.pc(); ok && pc == f.addr {
			return fmt.Sprintf("Execution went to %s.", hex(f.addr))
		}
		return fmt.Sprintf("`%s` goes to %s.", s.Instruction, hex(f.addr))
	}
	if s.Instruction == "" || f.op < 0 {
		if !f.known {
			return ""
		}
		return fmt.Sprintf("The program %s %s.", f.pastTense(), hex(f.addr))
	}
	a := &s.Accesses[f.op]
	text := fmt.Sprintf("`%s` %s %s at %s", s.Instruction, accessVerb(a.Kind), sizeText(a.Size), hex(a.Address))
	if reg, v, ok := s.pointer(); ok {
		text += fmt.Sprintf("; %s is %s", s.in.Arch.RegName(reg), hex(v))
	}
	return text + "."
}

func accessVerb(kind cpu.Access) string {
	switch kind {
	case cpu.Read:
		return "reads"
	case cpu.Write:
		return "writes"
	}
	return "reads and writes"
}

func sizeText(size int) string {
	if size <= 0 {
		return "memory"
	}
	return bytesText(uint64(size))
}

// evidence is the mechanism and whatever else is given, without empty sentences.
func (s *state) evidence(more ...string) []string {
	if s.fault.known && s.unreported() {
		more = append(more, fmt.Sprintf("The system reports %s instead: the CPU does not tell it addresses that are not canonical.", hex(s.Address)))
	}
	return slices.DeleteFunc(append([]string{s.mechanism()}, more...), func(t string) bool { return t == "" })
}
