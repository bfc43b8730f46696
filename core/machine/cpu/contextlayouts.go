package cpu

import "slices"

// Contexts that Microsoft has defined. Source: winnt.h, CONTEXT.
var (
	ContextX86 = Layout{
		Name: "CONTEXT_X86", Arch: &X86, Size: 716, Processors: []uint16{0, 10, 14},
		FlagsWidth: 4, Flags: 0x1_0000,
		Slots: slices.Concat(
			row(156, 4, EDI, ESI, EBX, EDX, ECX, EAX, EBP, EIP),
			row(192, 4, EFLAGS, ESP)),
	}

	// ContextAMD64 is the only one that does not start with its flags: six
	// words of the caller's parameter area come first.
	ContextAMD64 = Layout{
		Name: "CONTEXT_AMD64", Arch: &AMD64, Size: 1232, Processors: []uint16{9},
		FlagsAt: 48, FlagsWidth: 4, Flags: 0x10_0000,
		Slots: slices.Concat(
			row(68, 4, RFLAGS),
			row(120, 8, RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, RIP)),
	}

	ContextARM64 = Layout{
		Name: "CONTEXT_ARM64", Arch: &ARM64, Size: 912, Processors: []uint16{12},
		FlagsWidth: 4, Flags: 0x40_0000,
		Slots: slices.Concat(row(4, 4, A64CPSR), run(0, 31, 8, 8), row(256, 8, A64SP, A64PC)),
	}

	// ContextARMWindows has its registers where ContextARM has them, but
	// other flags and floating point registers after them.
	ContextARMWindows = Layout{
		Name: "CONTEXT_ARM of Windows", Arch: &ARM, Size: 416,
		FlagsWidth: 4, Flags: 0x20_0000,
		Slots: slices.Concat(run(0, 16, 4, 4), row(68, 4, ARMCPSR)),
	}
)

// Contexts that Breakpad has defined. Source: its minidump_cpu_*.h.
var (
	ContextARM = Layout{
		Name: "MDRawContextARM", Arch: &ARM, Size: 368, Processors: []uint16{5},
		FlagsWidth: 4, Flags: 0x4000_0000,
		Slots: slices.Concat(run(0, 16, 4, 4), row(68, 4, ARMCPSR)),
	}

	// ContextARM64Old is from before Windows ran on arm64. It is packed.
	ContextARM64Old = Layout{
		Name: "MDRawContextARM64_Old", Arch: &ARM64, Size: 796, Processors: []uint16{0x8003},
		FlagsWidth: 8, Flags: 0x8000_0000,
		Slots: slices.Concat(run(0, 31, 8, 8), row(256, 8, A64SP, A64PC), row(272, 4, A64CPSR)),
	}

	// ContextMIPS serves both widths; only the flags differ.
	ContextMIPS = Layout{
		Name: "MDRawContextMIPS", Arch: &MIPS, Size: 600, Processors: []uint16{1},
		FlagsWidth: 4, Flags: 0x4_0000,
		Slots: mipsSlots,
	}
	ContextMIPS64 = Layout{
		Name: "MDRawContextMIPS of mips64", Arch: &MIPS64, Size: 600, Processors: []uint16{0x8004},
		FlagsWidth: 4, Flags: 0x8_0000,
		Slots: mipsSlots,
	}
	mipsSlots = slices.Concat(run(0, 32, 8, 8), row(264, 8, MIPSPC+1, MIPSPC+2), row(312, 8, MIPSPC))

	// ContextPPC is packed: C would put four bytes in front of its floating
	// point registers.
	ContextPPC = Layout{
		Name: "MDRawContextPPC", Arch: &PPC, Size: 1004, Processors: []uint16{3},
		FlagsWidth: 4, Flags: 0x2000_0000,
		Slots: slices.Concat(run(PPCSRR0, 34, 4, 4), run(PPCR31+1, 4, 140, 4), row(160, 4, PPCLR+2)),
	}
	ContextPPC64 = Layout{
		Name: "MDRawContextPPC64", Arch: &PPC64, Size: 1160, Processors: []uint16{0x8002},
		FlagsWidth: 8, Flags: 0x100_0000,
		Slots: run(PPCSRR0, 39, 8, 8),
	}

	ContextSPARC = Layout{
		Name: "MDRawContextSPARC", Arch: &SPARC, Size: 584, Processors: []uint16{0x8001},
		FlagsWidth: 4, Flags: 0x1000_0000,
		Slots: slices.Concat(run(0, 32, 8, 8), row(264, 8, SPARCCCR, SPARCPC, SPARCNPC)),
	}

	ContextRISCV = Layout{
		Name: "MDRawContextRISCV", Arch: &RISCV, Size: 268, Processors: []uint16{0x8005},
		FlagsWidth: 4, Flags: 0x80_0000,
		Slots: run(RVPC, 32, 8, 4),
	}
	ContextRISCV64 = Layout{
		Name: "MDRawContextRISCV64", Arch: &RISCV64, Size: 528, Processors: []uint16{0x8006},
		FlagsWidth: 4, Flags: 0x800_0000,
		Slots: run(RVPC, 32, 8, 8),
	}
)
