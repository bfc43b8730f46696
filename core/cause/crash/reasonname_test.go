package crash

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// The reason for people, where it differs from rust-minidump's (TestReason).
func TestReasonName(t *testing.T) {
	tests := []struct {
		os   process.OS
		arch *cpu.Arch
		e    Exception
		want string
	}{
		{"mac", &cpu.AMD64, Exception{Params: []uint64{excCrash, 6 << 24, 0}}, "EXC_CRASH (SIGABRT)"},
		{"mac", &cpu.AMD64, Exception{Params: []uint64{excCrash, 7 << 24, 0}}, "EXC_CRASH (SIGEMT)"},
		{"mac", &cpu.AMD64, Exception{Code: excCrash, Flags: 9 << 24}, "EXC_CRASH (SIGKILL)"},
		{"mac", &cpu.AMD64, Exception{Code: excCrash, Flags: 11<<24 | 1<<20 | 2}, "EXC_BAD_ACCESS / KERN_PROTECTION_FAILURE"},
		{"mac", &cpu.AMD64, Exception{Code: excCrash}, "EXC_CRASH"},
		{"mac", &cpu.AMD64, Exception{Code: excCorpse, Flags: 0x0b00_0000}, "EXC_CORPSE_NOTIFY"},
		{"mac", &cpu.AMD64, Exception{}, "unknown: code 0 stands for no exception"},
		{"mac", &cpu.ARM64, Exception{Code: nsException}, "Uncaught NSException"},
		{"ios", &cpu.ARM64, Exception{Code: excSoftware, Flags: uncaughtNSException}, "Uncaught NSException"},
		{"mac", &cpu.ARM64, Exception{Code: simulatedMac}, "Simulated exception"},
		{"mac", &cpu.ARM64, Exception{Code: excSoftware, Flags: excSoftSignal, Params: []uint64{excSoftware, excSoftSignal, 6}}, "SIGABRT"},
		{"ios", &cpu.ARM64, Exception{Code: excSoftSignal, Flags: 6}, "SIGABRT"},
		{"mac", &cpu.AMD64, Exception{Code: excSoftware, Flags: unixBadPipe}, "SIGPIPE"},
		{"mac", &cpu.AMD64, Exception{Code: excSoftware, Flags: 1}, "EXC_SOFTWARE / 0x00000001"},
		{"mac", &cpu.PPC, Exception{Code: excSoftware, Flags: 1}, "EXC_SOFTWARE / EXC_PPC_TRAP"},
		{"mac", &cpu.PPC, Exception{Code: excArithmetic, Flags: 3}, "EXC_ARITHMETIC / EXC_PPC_FLT_INEXACT"},
		{"mac", &cpu.PPC64, Exception{Code: excBadAccess, Flags: 0x103}, "EXC_BAD_ACCESS / EXC_PPC_UNALIGNED"},
		{"ios", &cpu.ARM, Exception{Code: excBadAccess, Flags: 0x101}, "EXC_BAD_ACCESS / EXC_ARM_DA_ALIGN"},
		{"mac", &cpu.ARM64, Exception{Code: excBreakpoint, Flags: 0x102}, "EXC_BREAKPOINT / EXC_ARM_DA_DEBUG"},
		{"ios", &cpu.ARM64, Exception{Code: excResource, Flags: 180<<7 | 50, Params: []uint64{excResource, 1<<61 | 2<<58 | 180<<7 | 50, 98}},
			"EXC_RESOURCE / RESOURCE_TYPE_CPU / FLAVOR_CPU_MONITOR_FATAL"},
		{"mac", &cpu.ARM64, Exception{Code: excGuard, Flags: 5<<29 | 200, Params: []uint64{excGuard, 5<<61 | 200<<32, 0}},
			"EXC_GUARD / GUARD_TYPE_VIRT_MEMORY / GUARD_EXC_MTE_SYNC_FAULT"},
		{"mac", &cpu.ARM64, Exception{Code: excGuard, Params: []uint64{excCrash, 9<<24 | excGuard<<20 | 3, 0}}, "EXC_GUARD"},

		{"linux", &cpu.AMD64, Exception{Code: sigSEGV, Flags: 10}, "SIGSEGV / SEGV_CPERR"},
		{"linux", &cpu.ARM64, Exception{Code: sigSEGV, Flags: 9}, "SIGSEGV / SEGV_MTESERR"},
		{"linux", &cpu.AMD64, Exception{Code: sigFPE, Flags: 14}, "SIGFPE / FPE_FLTUNK"},
		{"linux", &cpu.AMD64, Exception{Code: 35, Flags: siTkill}, "Real-time signal 35 / SI_TKILL"},
		{"linux", &cpu.MIPS, Exception{Code: 10, Flags: 1}, "SIGBUS / BUS_ADRALN"},
		{"linux", &cpu.MIPS, Exception{Code: 14, Flags: 0xffff_fffd}, "SIGALRM / SI_TIMER"},
		{"linux", &cpu.SPARC, Exception{Code: 12, Flags: 1}, "SIGSYS / SYS_SECCOMP"},
		{"linux", &cpu.AMD64, Exception{Code: dumpRequested}, "DUMP_REQUESTED"},

		{"windows", &cpu.AMD64, Exception{Code: triggered}, "Crashpad: triggered by another process"},
		{"windows", &cpu.AMD64, Exception{Code: 0xe24c_4a02}, "Lua error 0xe24c4a02"},
		{"windows", &cpu.AMD64, Exception{Code: delphiThrow}, "Delphi exception"},
		{"windows", &cpu.AMD64, Exception{Code: 0xe123_4567}, "0xe1234567"},
		{"windows", &cpu.AMD64, Exception{Code: accessViolation, Params: []uint64{1, 0}}, "EXCEPTION_ACCESS_VIOLATION_WRITE"},
	}
	for _, tt := range tests {
		if got := Analyze(&Input{OS: tt.os, Arch: tt.arch, Exception: &tt.e}).ReasonName; got != tt.want {
			t.Errorf("%s %+v: %q, want %q", tt.os, tt.e, got, tt.want)
		}
	}
}
