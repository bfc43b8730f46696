package crash

import "crashglass/core/cpu"

// untagged returns an address without the tag in its upper byte, which arm64 ignores in addresses
// of user space. Allocators put tags there: every pointer to the heap of Android 11 and later has
// 0xb4. Kernel addresses keep their upper byte. Source: __untagged_addr of Linux,
// arch/arm64/include/asm/memory.h.
func (s *state) untagged(addr uint64) uint64 {
	const kernel = 1 << 55
	if !s.ignoresTopByte() || addr&kernel != 0 {
		return addr
	}
	return addr & (1<<56 - 1)
}

// ignoresTopByte reports whether the system has the CPU ignore upper bytes: all but Windows do.
func (s *state) ignoresTopByte() bool { return s.in.Arch == &cpu.ARM64 && s.in.OS != "windows" }

// accessedAt returns the address that an access is compared by. The kernel removes the tag from the
// reported address, unless the handler of the signal asked for it (SA_EXPOSE_TAGBITS). Then both
// have it.
func (s *state) accessedAt(addr uint64) uint64 {
	if reported := s.at(); s.untagged(reported) != reported {
		return addr
	}
	return s.untagged(addr)
}

// tagText explains a register whose upper byte is not in the address.
func (s *state) tagText(register, addr uint64) string {
	if s.untagged(register) == register || s.untagged(addr) != addr {
		return ""
	}
	return ", whose upper byte the CPU ignores"
}
