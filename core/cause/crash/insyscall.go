package crash

import (
	"slices"

	"crashglass/core/machine/cpu"
)

// behindSystemCall reports whether the thread was in the kernel, by the instruction in front of the
// program counter. The instruction at the program counter can still have failed: see guilty.
func (s *facts) behindSystemCall() bool {
	return s.systemCallAt(func(c cpu.Encoding) uint64 { return uint64(c.Size) })
}

// restartsSystemCall reports whether the kernel was about to restart a system call. For handlers
// with SA_RESTART, such as Android's debuggerd, the kernel moves the program counter back to the
// instruction. Source: handle_signal of arch/x86/kernel/signal.c.
func (s *facts) restartsSystemCall() bool {
	return s.systemCallAt(func(cpu.Encoding) uint64 { return 0 })
}

// systemCallAt reports whether a system call instruction lies the given distance before the program
// counter.
func (s *facts) systemCallAt(before func(cpu.Encoding) uint64) bool {
	pc, ok := s.pc()
	if !ok || s.in.Memory == nil {
		return false
	}
	for _, c := range cpu.SystemCalls(s.in.Arch) {
		if v, ok := s.in.Memory.Word(pc-before(c), c.Size); ok && v&c.Mask == c.Code {
			return true
		}
	}
	return false
}

// outsideKernel reports whether the code in front of the program counter was captured and is no
// system call. The program counter can still be at one that has not run.
func (s *facts) outsideKernel() bool {
	pc, ok := s.pc()
	if !ok || s.in.Memory == nil || s.behindSystemCall() || s.restartsSystemCall() {
		return false
	}
	calls := cpu.SystemCalls(s.in.Arch)
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(c cpu.Encoding) bool {
		_, ok := s.in.Memory.Word(pc-uint64(c.Size), c.Size)
		return !ok
	})
}
