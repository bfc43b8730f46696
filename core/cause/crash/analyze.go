package crash

import (
	"cmp"

	"crashglass/core/machine/cpu"
)

// Analyze examines the exception, the failed instruction, and the registers and memory that it
// used. It never fails; unknown facts are missing from the answer.
func Analyze(in *Input) *Analysis {
	s := &facts{in: in, Analysis: &Analysis{}, regs: cmp.Or(in.Regs, &cpu.Regs{})}
	if e := in.Exception; e != nil && !e.Unknown {
		s.Reason = Reason(e, in.OS, in.Arch)
		s.Address, s.HasAddress = Address(e, in.OS, in.Arch), !e.Removed
		s.Parameters = parameters(e, in)
	}
	if in.Exception != nil {
		s.e = effective(in)
		s.ReasonName = s.reasonName()
	}
	if in.Exception != nil && in.Arch != nil {
		s.decode()
		s.accesses()
		s.ipUpdate()
		s.adjust()
		if in.Removed&s.operandRegs() == 0 { // without the pointer, the address says nothing
			s.bitFlips()
			s.guardPages()
			s.inconsistencies()
		}
	}
	if in.Exception != nil {
		s.Event = s.weigh()
		if !in.Exception.Unknown {
			s.Note = s.note()
		}
		s.classify()
		s.NoAddress = s.noAddress()
		s.Accessed, s.HasAccessed = s.failedAddress()
		if r, _, ok := s.pointer(); ok {
			s.PointerRegister = s.in.Arch.RegName(r)
		}
		s.Called = s.fault.access == execute && s.fault.known && s.pcAt(s.fault.addr)
	}
	if in.Stop != nil {
		s.stopped()
	}
	s.Findings = reconcile(s.candidates(), s.Event.doubtful())
	return s.Analysis
}

// effective returns the exception as its operating system raised it. The fields of an Analysis that
// rust-minidump has, too, are made from the record in the dump.
func effective(in *Input) *Exception {
	e := in.Exception
	switch {
	case in.OS.IsLinux() && e.Flags == lldbFlag:
		return described(e)
	case in.OS.IsApple():
		return recovered(e)
	}
	return e
}

// The facts are what is known about a crash before anything is concluded from it.
type facts struct {
	in   *Input
	e    *Exception // Input.Exception as the system raised it; see effective
	regs *cpu.Regs
	*Analysis
	decoded  bool
	ops      []cpu.MemOp // one for each of Accesses
	baseRegs []cpu.Reg   // base registers of addresses, sorted by name
	fault    fault
	goBase   uint64   // of the types of a Go program, once one was read
	plain    []string // names of the frames that were compared with a pattern
}
