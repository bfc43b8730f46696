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
	by     Witness    // of addr
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
	f.addr, f.known, f.by = s.at(), true, ByRecord
	if e := s.e; s.in.OS == "windows" && (e.Code == stackOverflow || e.Code == guardPage) {
		// Their address is that of the instruction; the parameters are as for
		// an access violation, where the system fills them in.
		f.addr, f.known = e.param(1), len(e.Params) >= 2
	}
	switch {
	case s.pcInPlace():
		s.believe(s.refused())
	case s.unreported():
		s.findUnreported()
	default:
		s.reconcile()
	}
	if f.op < 0 && f.known {
		f.op = slices.IndexFunc(s.Accesses, func(a Access) bool { return a.reaches(f.addr) })
	}
	if f.access == 0 {
		f.access = s.accessKind()
	}
}

// memoryFault reports whether the exception is about an access to memory.
func (s *state) memoryFault() bool {
	e := s.e
	if s.Event.Kind != Faulted {
		return false
	}
	switch s.in.OS {
	case "windows":
		return e.Code == accessViolation || e.Code == inPageError || e.Code == guardPage || e.Code == stackOverflow
	case "mac", "ios":
		return e.Code == excBadAccess
	case "linux", "android":
		return s.signal() == sigSEGV || s.signal() == sigBUS
	}
	return false
}

// pcInPlace reports whether the writer of the dump put the program counter
// where the address belongs, as LLDB does (MinidumpFileBuilder.cpp,
// AddExceptions): code can be executed there, so that it is not what failed.
// The kernel's word that execution failed there stands against it.
func (s *state) pcInPlace() bool {
	pc, ok := s.pc()
	if !s.unix() || !ok || pc == 0 || s.at() != pc || s.e.Flags != siUser {
		return false
	}
	if len(s.in.Regions) > 0 {
		g := s.regionAt(pc)
		return g != nil && g.Exec
	}
	return s.in.Modules.IndexAt(pc) >= 0
}

// unreported reports whether the system did not know the address. Besides a
// general protection fault that is an address of 0 which the instruction does
// not touch: writers of dumps that leave out si_code write 0 as well.
func (s *state) unreported() bool {
	if s.protectionFault() || s.hiddenByCrashpad() {
		return true
	}
	return s.in.Arch == &cpu.AMD64 && s.in.OS != "windows" && s.at() == 0 && len(s.Accesses) > 0 &&
		!slices.ContainsFunc(s.Accesses, func(a Access) bool { return a.covers(0) }) &&
		slices.ContainsFunc(s.Accesses, func(a Access) bool { return nonCanonical(a.Address) })
}

// hiddenByCrashpad reports whether Crashpad wrote the program counter because
// the kernel had no address: for a general protection fault, and for the odd
// code that is VM_PROT_READ | VM_PROT_EXECUTE (exception_snapshot_mac.cc).
func (s *state) hiddenByCrashpad() bool {
	return s.apple() && macFamilyOf(s.in.Arch) == x86Mac && s.e.Code == excBadAccess &&
		(s.e.Flags == i386GPFault || s.e.Flags == vmReadExecute) && s.pcAt(s.at())
}

// findUnreported takes the address that is not canonical out of the instruction.
func (s *state) findUnreported() {
	s.believe(slices.IndexFunc(s.Accesses, func(a Access) bool { return nonCanonical(a.Address) }))
	if u := s.IPUpdate; s.fault.op < 0 && u != nil && nonCanonical(u.Address) {
		s.fault.addr, s.fault.known, s.fault.access = u.Address, true, execute
	}
}

// reconcile compares the address of the record with what the instruction
// accesses, where that is known for sure. Where they contradict each other, the
// instruction is believed if it has an access that must have failed.
func (s *state) reconcile() {
	f := &s.fault
	if !f.known || len(s.Accesses) == 0 || s.pcAt(f.addr) || s.goesTo(f.addr) ||
		slices.ContainsFunc(s.Accesses, func(a Access) bool { return a.reaches(f.addr) }) {
		return
	}
	if i := s.refused(); i >= 0 && (s.fails(s.Accesses[i]) || f.addr == 0) {
		s.believe(i)
	}
}

// goesTo reports whether the instruction goes to an address.
func (s *state) goesTo(addr uint64) bool { return s.IPUpdate != nil && s.IPUpdate.Address == addr }

// refused is the access of the instruction that must have failed, the only one
// where nothing tells; -1 when that is not clear.
func (s *state) refused() int {
	if i := slices.IndexFunc(s.Accesses, s.fails); i >= 0 {
		return i
	}
	if len(s.Accesses) == 1 && len(s.in.Regions) == 0 {
		return 0
	}
	return -1
}

// fails reports whether an access cannot succeed.
func (s *state) fails(a Access) bool {
	if s.unreachable(a) {
		return true
	}
	g := s.regionAt(a.Address)
	if len(s.in.Regions) == 0 || g == nil && s.captured(a.Address) {
		return false
	}
	return g == nil || g.Free || a.Kind&cpu.Write != 0 && !g.Write || a.Kind&cpu.Read != 0 && !g.Read
}

// captured reports whether the dump has memory at an address: some writers
// leave mappings out of their list.
func (s *state) captured(addr uint64) bool {
	if s.in.Memory == nil {
		return false
	}
	_, ok := s.in.Memory.Word(addr, 1)
	return ok
}

// believe takes the address of an access, or none for -1.
func (s *state) believe(op int) {
	f := &s.fault
	f.op, f.addr, f.known, f.by = op, 0, false, ByInstruction
	if op >= 0 {
		f.addr, f.known = s.Accesses[op].Address, true
	}
}

// reaches is covers, and allows for accesses whose size is not known.
func (a *Access) reaches(addr uint64) bool {
	return a.covers(addr) || a.Size <= 0 && addr-a.Address < nullPage
}

// accessKind is what was tried: what the instruction does there, or else what
// the system says. Of an instruction that reads and writes, the system knows
// which of both failed.
func (s *state) accessKind() cpu.Access {
	f := &s.fault
	said := s.systemAccess()
	if f.op < 0 {
		if f.known && s.pcAt(f.addr) && !s.pcInPlace() {
			return execute
		}
		return said
	}
	kind := s.Accesses[f.op].Kind
	switch {
	case kind&said != 0:
		return said
	case kind&cpu.Write != 0:
		return cpu.Write
	}
	return kind
}

// systemAccess is what the system says was tried, or 0.
func (s *state) systemAccess() cpu.Access {
	if op := s.windowsAccess(); op != 0 && !s.protectionFault() {
		return op
	}
	if s.in.OS == "windows" && s.e.Code == inPageError && len(s.e.Params) > 0 {
		return map[uint64]cpu.Access{0: cpu.Read, 1: cpu.Write, 8: execute}[s.e.Params[0]]
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
		if s.pcAt(f.addr) {
			return fmt.Sprintf("Execution went to %s.", hex(f.addr))
		}
		if s.Instruction != "" {
			return fmt.Sprintf("`%s` goes to %s.", s.Instruction, hex(f.addr))
		}
	}
	if s.Instruction == "" || f.op < 0 {
		return join(s.accessed(), s.unknownPart())
	}
	a := &s.Accesses[f.op]
	text := fmt.Sprintf("`%s` %s %s at %s", s.Instruction, accessVerb(a.Kind), sizeText(a.Size), hex(a.Address))
	if reg, v, ok := s.pointer(); ok {
		text += fmt.Sprintf("; %s is %s", s.in.Arch.RegName(reg), hex(v))
	}
	return text + "."
}

// accessed says what was accessed, where only the record tells.
func (s *state) accessed() string {
	f := &s.fault
	if !f.known {
		return ""
	}
	return fmt.Sprintf("The program %s %s.", f.pastTense(), hex(f.addr))
}

// unknownPart says what is not known of an access, and why.
func (s *state) unknownPart() string {
	f := &s.fault
	if !f.memory || f.known && f.access != 0 {
		return ""
	}
	what := "Whether it read or wrote is not known"
	switch {
	case s.pcInPlace() && !f.known:
		what = "The address is not known: the writer of the dump put the program counter in its place"
	case !f.known:
		what = "The address is not known"
	}
	return what + ": " + s.noInstruction() + "."
}

// noInstruction says why the instruction does not tell.
func (s *state) noInstruction() string {
	pc, ok := s.pc()
	switch {
	case !ok:
		return "the dump has no program counter"
	case s.Instruction != "":
		return fmt.Sprintf("the instruction at the program counter, `%s`, does not tell", s.Instruction)
	case !s.captured(pc):
		return "the code is not in the dump"
	}
	return "the code of this CPU is not decoded"
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
	switch {
	case s.fault.known && s.unreported():
		more = append(more, fmt.Sprintf("The system reports %s instead: the CPU does not tell it a non-canonical address.", hex(s.Address)))
	case s.fault.known && s.pcInPlace():
		more = append(more, fmt.Sprintf("The dump has the program counter, %s, in place of the address.", hex(s.Address)))
	case s.fault.known && s.fault.by == ByInstruction && !near(s.fault.addr, s.at(), nullPage):
		more = append(more, fmt.Sprintf("The dump says %s instead, which the instruction does not access.", hex(s.Address)))
	}
	return slices.DeleteFunc(append([]string{s.mechanism()}, more...), func(t string) bool { return t == "" })
}
