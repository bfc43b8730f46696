package crash

import "crashglass/core/cpu"

// A systemCall is how a CPU's instructions for system calls look in memory.
type systemCall struct {
	size int
	code uint64
	mask uint64
}

// systemCalls: a thread that waits in the kernel has its program counter right
// behind one of these. Sources: syscall(2), the manuals of the CPUs.
var systemCalls = map[*cpu.Arch][]systemCall{
	&cpu.AMD64:   {{2, 0x050f, 0xffff}},                                          // syscall
	&cpu.X86:     {{2, 0x80cd, 0xffff}, {2, 0x340f, 0xffff}},                     // int 0x80, sysenter
	&cpu.ARM64:   {{4, 0xd400_0001, 0xffe0_001f}},                                // svc
	&cpu.ARM:     {{4, 0xef00_0000, 0xff00_0000}, {2, 0xdf00, 0xff00}},           // svc, svc of Thumb
	&cpu.RISCV64: {{4, 0x0000_0073, 0xffff_ffff}},                                // ecall
	&cpu.RISCV:   {{4, 0x0000_0073, 0xffff_ffff}},                                //
	&cpu.MIPS:    {{4, 0x0000_000c, 0xfc00_003f}},                                // syscall
	&cpu.MIPS64:  {{4, 0x0000_000c, 0xfc00_003f}},                                //
	&cpu.PPC:     {{4, 0x4400_0002, 0xffff_f01f}},                                // sc
	&cpu.PPC64:   {{4, 0x4400_0002, 0xffff_f01f}, {4, 0x4400_0001, 0xffff_f01f}}, // sc, scv
	&cpu.SPARC:   {{4, 0x91d0_2010, 0xffff_ffff}, {4, 0x91d0_206d, 0xffff_ffff}}, // ta 0x10, ta 0x6d
}

// behindSystemCall reports whether the thread was in the kernel, by the
// instruction in front of the program counter. The one at the program counter
// can still have failed: see guilty.
func (s *state) behindSystemCall() bool {
	return s.systemCallAt(func(c systemCall) uint64 { return uint64(c.size) })
}

// restartsSystemCall reports whether the thread was to enter the kernel again:
// for handlers with SA_RESTART, as debuggerd of Android has them, the kernel puts
// the program counter back. Source: handle_signal of arch/x86/kernel/signal.c.
func (s *state) restartsSystemCall() bool {
	return s.systemCallAt(func(systemCall) uint64 { return 0 })
}

// systemCallAt reports whether a system call lies so far in front of the program counter.
func (s *state) systemCallAt(before func(systemCall) uint64) bool {
	pc, ok := s.pc()
	if !ok || s.in.Memory == nil {
		return false
	}
	for _, c := range systemCalls[s.in.Arch] {
		if v, ok := s.in.Memory.Word(pc-before(c), c.size); ok && v&c.mask == c.code {
			return true
		}
	}
	return false
}
