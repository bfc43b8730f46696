package crash

import (
	"slices"
)

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
