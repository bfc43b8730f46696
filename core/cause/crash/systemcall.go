package crash

import (
	"fmt"

	"crashglass/core/machine/cpu"
)

// auditArchs are the CPUs of a forbidden system call.
// Source: AUDIT_ARCH_* of include/uapi/linux/audit.h with elf-em.h.
var auditArchs = names{
	{0x8, "mips"}, {0x14, "ppc"}, {0x4000_0003, "x86"}, {0x4000_0008, "mipsel"}, {0x4000_0028, "arm"}, {0x4000_00f3, "riscv32"},
	{0x8000_0008, "mips64"}, {0x8000_0015, "ppc64"}, {0x8000_0016, "s390x"}, {0x8000_002b, "sparc64"},
	{0xc000_0008, "mipsel64"}, {0xc000_0015, "ppc64le"}, {0xc000_003e, "x86-64"}, {0xc000_00b7, "arm64"}, {0xc000_00f3, "riscv64"}, {0xc000_0102, "loongarch64"},
}

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
