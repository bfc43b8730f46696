package crash

import (
	"slices"

	"crashglass/core/machine/cpu"
)

// pcInPlace reports whether the writer of the dump put the program counter into the address field,
// as LLDB does (MinidumpFileBuilder.cpp, AddExceptions). Code at the program counter is executable,
// so it is not the address that failed, unless the kernel reports that its execution failed.
func (s *facts) pcInPlace() bool {
	pc, ok := s.pc()
	if !s.unix() || !ok || pc == 0 || s.at() != pc || s.e.Flags != siUser {
		return false
	}
	if len(s.in.Regions) > 0 {
		g := s.regionAt(pc)
		return g != nil && g.Allows('x')
	}
	return s.in.Modules.IndexAt(pc) >= 0
}

// unreported reports whether the system did not know the address. That is so for a general
// protection fault, and for an address of 0 that the instruction does not access: writers that
// leave out si_code write 0 as well.
func (s *facts) unreported() bool {
	if s.protectionFault() || s.hiddenByCrashpad() {
		return true
	}
	return s.in.Arch.IsAMD64() && !s.in.OS.IsWindows() && s.at() == 0 && len(s.Accesses) > 0 &&
		!slices.ContainsFunc(s.Accesses, func(a Access) bool { return a.covers(0) }) &&
		slices.ContainsFunc(s.Accesses, func(a Access) bool { return nonCanonical(a.Address) })
}

// hiddenByCrashpad reports whether Crashpad wrote the program counter because
// the kernel had no address: for a general protection fault, and for the odd
// code that is VM_PROT_READ | VM_PROT_EXECUTE (exception_snapshot_mac.cc).
func (s *facts) hiddenByCrashpad() bool {
	return s.apple() && macFamilyOf(s.in.Arch) == x86Mac && s.e.Code == excBadAccess &&
		(s.e.Flags == i386GPFault || s.e.Flags == vmReadExecute) && s.pcAt(s.at())
}

// findUnreported finds the non-canonical address by the instruction.
func (s *facts) findUnreported() {
	s.believe(slices.IndexFunc(s.Accesses, func(a Access) bool { return nonCanonical(a.Address) }))
	if u := s.IPUpdate; s.fault.op < 0 && u != nil && nonCanonical(u.Address) {
		s.fault.addr, s.fault.known, s.fault.access = u.Address, true, execute
	}
}

// weighAccesses compares the address in the record with the instruction's accesses, if these are
// certain. If they contradict each other, the instruction counts, provided that one of its accesses
// must have failed.
func (s *facts) weighAccesses() {
	f := &s.fault
	if s.in.OS.IsWindows() && s.e.Code == guardPage {
		return // the system has mapped the page, and names it
	}
	if !f.known || len(s.Accesses) == 0 || s.pcAt(f.addr) || s.goesTo(f.addr) ||
		slices.ContainsFunc(s.Accesses, func(a Access) bool { return a.reaches(f.addr) }) {
		return
	}
	if i := s.refused(); i >= 0 && (s.fails(s.Accesses[i]) || f.addr == 0) {
		s.believe(i)
	}
}

func (s *facts) goesTo(addr uint64) bool { return s.IPUpdate != nil && s.IPUpdate.Address == addr }

// refused returns the access that must have failed, or the only one. It returns -1 if that is not
// clear.
func (s *facts) refused() int {
	if i := slices.IndexFunc(s.Accesses, s.fails); i >= 0 {
		return i
	}
	if len(s.Accesses) == 1 && len(s.in.Regions) == 0 {
		return 0
	}
	return -1
}

// fails reports whether an access cannot succeed.
func (s *facts) fails(a Access) bool {
	if s.unreachable(a) {
		return true
	}
	g := s.regionAt(a.Address)
	if len(s.in.Regions) == 0 || g == nil && s.existed(a.Address) {
		return false
	}
	return g == nil || g.Free() || a.Kind&cpu.Write != 0 && !g.Allows('w') || a.Kind&cpu.Read != 0 && !g.Allows('r')
}

// existed reports whether there was memory at an address by what was captured. Some writers capture
// memory whose mapping they do not list.
func (s *facts) existed(addr uint64) bool {
	if m, ok := s.in.Memory.(interface {
		Range(addr uint64) (base, size uint64, ok bool)
	}); ok {
		if _, _, ok := m.Range(addr); ok {
			return true
		}
	}
	return s.captured(addr)
}

// captured reports whether the dump has the byte at an address.
func (s *facts) captured(addr uint64) bool {
	if s.in.Memory == nil {
		return false
	}
	_, ok := s.in.Memory.Word(addr, 1)
	return ok
}

// believe makes an access the crash address; -1 removes the address.
func (s *facts) believe(op int) {
	f := &s.fault
	f.op, f.addr, f.known, f.by = op, 0, false, ByInstruction
	if op >= 0 {
		f.addr, f.known = s.Accesses[op].Address, true
	}
}

// reaches is covers for accesses whose size may be unknown.
func (a *Access) reaches(addr uint64) bool {
	return a.covers(addr) || a.Size <= 0 && addr-a.Address < nullPage
}

// untagged returns an address without the tag in its upper byte, which arm64 ignores in addresses
// of user space. Allocators put tags there: every pointer to the heap of Android 11 and later has
// 0xb4. Kernel addresses keep their upper byte. Source: __untagged_addr of Linux,
// arch/arm64/include/asm/memory.h.
func (s *facts) untagged(addr uint64) uint64 {
	const kernel = 1 << 55
	if !s.ignoresTopByte() || addr&kernel != 0 {
		return addr
	}
	return addr & (1<<56 - 1)
}

// ignoresTopByte reports whether the system has the CPU ignore upper bytes: all but Windows do.
func (s *facts) ignoresTopByte() bool { return s.in.Arch.IsARM64() && !s.in.OS.IsWindows() }

// reported returns the address of a fault without its tag. Linux removes the tag itself, unless the
// handler of the signal asked for it (SA_EXPOSE_TAGBITS), as Crashpad's does. Not a tag are bits
// that a signature changed: some below the upper byte, or the code of a failed authentication.
func (s *facts) reported(addr uint64) uint64 {
	fault := s.e != nil && s.unix() && (s.signal() == sigSEGV || s.signal() == sigBUS) && int32(s.e.Flags) > 0 // not sent by a process
	upper := addr &^ arm64Address
	if !fault || upper<<8 != 0 || slices.Contains(pacErrors[:], upper) {
		return addr
	}
	return s.untagged(addr)
}

// accessedAt returns the address that an access is compared by. Where the reported address keeps its
// upper byte, this one does.
func (s *facts) accessedAt(addr uint64) uint64 {
	if reported := s.at(); s.untagged(reported) != reported {
		return addr
	}
	return s.untagged(addr)
}

// tagText explains a register whose upper byte is not in the address.
func (s *facts) tagText(register, addr uint64) string {
	if s.untagged(register) == register || s.untagged(addr) != addr {
		return ""
	}
	return ", whose upper byte the CPU ignores"
}
