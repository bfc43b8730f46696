package crash

import (
	"cmp"
	"slices"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// A fault is an access that the processor refused. The zero fault is a crash
// of another kind.
type fault struct {
	memory bool       // it is about an access to memory
	access cpu.Access // Read, Write, execute or 0
	addr   uint64     // what was accessed
	known  bool       // addr is known
	op     int        // index of the failed access in Accesses, or -1
	by     Witness    // of addr
}

// nullPage is the range of null pointers with an offset. Crash handlers without siginfo report
// address 0 for all of it; the instruction has the offset.
const nullPage = 4096

// classify determines the kind of fault, and the address that was accessed.
func (s *facts) classify() {
	s.fault = fault{op: -1, memory: s.memoryFault()}
	if !s.fault.memory {
		return
	}
	f := &s.fault
	f.addr, f.known, f.by = s.at(), !s.in.Exception.NoAddress, ByRecord
	if e := s.e; s.in.OS.IsWindows() && (e.Code == stackOverflow || e.Code == guardPage) {
		// Their address is that of the instruction; the parameters are as for
		// an access violation, where the system fills them in.
		f.addr, f.known = e.param(1), len(e.Params) >= 2
	} else if s.in.OS.IsWindows() && (e.Code == accessViolation || e.Code == inPageError) && len(e.Params) < 2 {
		f.known = false // a program raised it, or the parameters are lost: the address is that of the instruction
	}
	switch {
	case s.at() == 0 && s.in.Removed&s.operandRegs() != 0:
		f.known = false // the processor does not report an address that is not canonical
	case s.pcInPlace():
		s.believe(s.refused())
	case s.unreported():
		s.findUnreported()
	default:
		s.weighAccesses()
	}
	if f.op < 0 && f.known {
		f.op = slices.IndexFunc(s.Accesses, func(a Access) bool { return a.reaches(f.addr) })
	}
	if f.access == 0 {
		f.access = s.accessKind()
	}
}

func (s *facts) memoryFault() bool {
	return s.Event.Kind == Faulted && systemOf(s.in.OS).memoryFault(s)
}

// accessKind returns the kind of access: by the instruction or, failing that, by the system's
// report. If the instruction reads and writes, the system knows which of both failed.
func (s *facts) accessKind() cpu.Access {
	f := &s.fault
	said := s.systemAccess()
	if f.known && s.pcAt(f.addr) && s.unix() && s.signal() == sigSEGV && s.e.Flags == segvAccErr && s.notExecutable(f.addr) {
		f.op = -1 // the operands of an instruction that could not be fetched were not accessed
		return execute
	}
	if f.known && s.pcAt(f.addr) && said == execute {
		f.op = -1
		return execute
	}
	if f.op < 0 {
		if f.known && s.pcAt(f.addr) && !s.pcInPlace() {
			return execute
		}
		return cmp.Or(said, s.onlyAccess())
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

// notExecutable reports whether the memory at an address is listed as data.
func (s *facts) notExecutable(addr uint64) bool {
	g := s.regionAt(addr)
	return g != nil && g.Accessible() && !g.Allows('x')
}

// onlyAccess returns the access of an instruction with unknown registers, if it only reads or only
// writes.
func (s *facts) onlyAccess() cpu.Access {
	if !s.decoded || s.Accesses != nil {
		return 0
	}
	var kinds cpu.Access
	for _, m := range s.memOps() {
		kinds |= m.Access
	}
	if kinds == cpu.Read || kinds == cpu.Write {
		return kinds
	}
	return 0
}

// statedAccess are the kinds of access that a file may state.
var statedAccess = map[process.Access]cpu.Access{process.Read: cpu.Read, process.Write: cpu.Write, process.Execute: execute}

// systemAccess returns the kind of access that the file or the system reports, or 0.
func (s *facts) systemAccess() cpu.Access {
	if access := statedAccess[s.in.Exception.Access]; access != 0 {
		return access
	}
	if op := s.windowsAccess(); op != 0 && !s.protectionFault() {
		return op
	}
	if s.in.OS.IsFuchsia() {
		return s.fuchsiaAccess()
	}
	if e := s.e; s.in.OS.IsWindows() && (e.Code == inPageError || e.Code == guardPage || e.Code == stackOverflow) && len(e.Params) > 1 {
		return windowsKinds[e.Params[0]]
	}
	return 0
}

func (s *facts) pc() (uint64, bool) {
	if s.in.Arch == nil {
		return 0, false
	}
	return s.regs.Get(s.in.Arch.PC)
}

func (s *facts) sp() (uint64, bool) {
	if s.in.Arch == nil {
		return 0, false
	}
	return s.regs.Get(s.in.Arch.SP)
}

// pointer returns the register that the address of the failed access was made of. Of two, it is the
// one that is null, or the one with the nearer value.
func (s *facts) pointer() (cpu.Reg, uint64, bool) {
	if s.fault.op < 0 || s.fault.op >= len(s.ops) || s.ops[s.fault.op].Width != 0 {
		return cpu.None, 0, false
	}
	target := s.fault.addr
	if near(uint64(s.signed(target))+nullZone, nullZone, nullZone) {
		target = 0 // with a null base, the address may be nearer to the index
	}
	m := &s.ops[s.fault.op]
	reg, value, known := cpu.None, uint64(0), false
	for _, r := range []cpu.Reg{m.Base, m.Index} {
		if r == cpu.None || r == s.in.Arch.PC {
			continue
		}
		if r == m.Index && known && m.Scale > 1 && value < nullZone && target == 0 {
			break // an element of an array at a wrong address
		}
		if v, ok := s.regs.Get(r); ok && (!known || distance(s.untagged(v), target) < distance(s.untagged(value), target)) {
			reg, value, known = r, v, true
		}
	}
	return reg, value, known
}

// operandRegs are the registers in the addresses of the instruction's operands.
func (s *facts) operandRegs() (out cpu.Set) {
	for _, m := range s.memOps() {
		for _, r := range []cpu.Reg{m.Base, m.Index} {
			if r != cpu.None {
				out |= cpu.SetOf(r)
			}
		}
	}
	return out
}

// removedText returns the register that a text was in, and that the failed access was made with.
func (s *facts) removedText() (cpu.Reg, bool) {
	ops := s.memOps()
	if s.fault.known || len(ops) != 1 {
		return cpu.None, false
	}
	r := ops[0].Base
	if r == cpu.None {
		r = ops[0].Index
	}
	return r, r != cpu.None && s.in.Texts.Has(r)
}

// failedAddress returns the address whose access failed. A record of a stack overflow without parameters has none, and
// then it is that of the instruction's only access.
func (s *facts) failedAddress() (uint64, bool) {
	f := &s.fault
	if f.memory && !f.known && s.in.OS.IsWindows() && s.e.Code == stackOverflow && len(s.Accesses) == 1 {
		return s.Accesses[0].Address, true
	}
	return f.addr, f.memory && f.known
}

// noAddress says why the exception's address field is not an accessed address: it holds a process,
// the program counter, or nothing.
func (s *facts) noAddress() string {
	switch {
	case s.Event.Signal == sigABRT && s.Event.Kind == Raised && s.aborting() != nil:
		return "abort"
	case s.Event.Signal == sigABRT && (s.Event.Kind == Unclear || s.Event.Kind == Sent && s.Event.Sender == Sender{}):
		return "SIGABRT"
	case s.Event.Kind == Sent:
		return "sent by " + s.Event.Sender.text()
	case s.Event.Kind == Raised && s.Event.Signal != 0:
		return "raised by the program itself"
	case s.fault.memory && s.in.Exception.Removed:
		return "removed from this file"
	case s.fault.memory && s.pcInPlace() && !s.fault.known:
		return "not recorded"
	case s.fault.memory && s.unreported() && !s.fault.known:
		return "not reported by the CPU"
	}
	return ""
}
