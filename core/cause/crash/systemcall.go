package crash

import (
	"fmt"
	"slices"

	"crashglass/core/machine/cpu"
)

// findSystemCall explains SIGSYS, which only a system call causes.
func (s *facts) findSystemCall() []candidate {
	f := Finding{Kind: SystemCall, Text: "Forbidden system call", Confidence: 1}
	number, arch := s.systemCall()
	if number != "" {
		f.Text += " " + number
	}
	f.Evidence = []string{s.Note}
	if arch != "" {
		f.Evidence = append(f.Evidence, fmt.Sprintf("Its number is %s, of %s.", number, arch))
	} else if number != "" {
		f.Evidence = append(f.Evidence, fmt.Sprintf("Its number, by the registers, is %s.", number))
	}
	return statement(f)
}

// systemCall returns the number of the forbidden call, and its CPU. Crashpad writes both as
// parameters, and so does Breakpad for core dumps. Sources: exception_snapshot_linux.cc,
// linux_core_dumper.cc.
func (s *facts) systemCall() (number, arch string) {
	if e := s.e; len(e.Params) >= 2 && e.Params[1] != 0 {
		arch := auditArchs.of64(e.Params[1])
		if arch == "" {
			arch = fmt.Sprintf("the CPU %#x", e.Params[1])
		}
		return fmt.Sprint(int32(e.Params[0])), arch
	}
	calls := cpu.LinuxCalls(s.in.Arch)
	if calls == nil || !s.behindSystemCall() {
		return "", ""
	}
	// Seccomp restores the number before it sends SIGSYS (syscall_rollback).
	reg, ok := s.in.Arch.Reg(calls.Number)
	if v, known := s.regs.Get(reg); ok && known && v < 1<<16 {
		return fmt.Sprint(v), ""
	}
	return "", ""
}

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
	return slices.ContainsFunc(cpu.SystemCalls(s.in.Arch), func(c cpu.Encoding) bool {
		v, ok := s.in.Memory.Word(pc-before(c), c.Size)
		return ok && v&c.Mask == c.Code
	})
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
