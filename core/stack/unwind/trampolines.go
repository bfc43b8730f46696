package unwind

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// What is in front of saved registers, in bytes.
const (
	siginfo         = 128 // struct siginfo
	argumentsMIPS   = 24  // rs_ass and rs_pad of MIPS
	framePPC        = 64  // __SIGNAL_FRAMESIZE
	framePPC64      = 128
	gapPPC          = 16  // below the frame of 32 bits, and in QEMU's of 64 bits
	ucontext64      = 176 // struct ucontext up to uc_mcontext, of ARM64 and RISC-V: flags, link, stack, a mask of 128 bytes
	ucontextARM     = 20
	ucontextMIPS    = 24
	ucontextMIPS64  = 40
	ucontextPPC     = 48 // up to uc_regs
	ucontextPPC64   = 168
	sigcontext64    = 8  // struct sigcontext up to its registers, of ARM64: fault_address
	sigcontextARM   = 12 // trap_no, error_code, oldmask
	sigcontextPPC   = 28
	sigcontextPPC64 = 56
)

// The trampolines of kernels, to which signal handlers return. Unix: the structures rt_sigframe and
// sigframe of Linux' arch/*/kernel/signal.c, with ucontext and sigcontext of its uapi headers.
// Windows: CONTEXT of winnt.h, which KiUserExceptionDispatcher finds on its stack.
var (
	amd64Trampolines = []trampoline{
		{
			names: []string{"__restore_rt", "__kernel_rt_sigreturn"}, entered: true,
			// mov rax, 15; syscall
			code: []uint32{0x0fc0c748, 0x0f000000},
			base: 40, rules: savedRules(&cpu.AMD64, 0, amd64Saved),
		},
		{
			os: process.Windows, names: []string{"KiUserExceptionDispatcher", "KiUserExceptionDispatch"},
			check: savedTag{0x30, 0x10_0003}, rules: savedRules(&cpu.AMD64, 0, amd64Context),
		},
	}
	x86Trampolines = []trampoline{
		{
			names: []string{"__restore_rt", "__kernel_rt_sigreturn"}, entered: true,
			// mov eax, 173; int 0x80. The ucontext is the handler's third argument.
			code: []uint32{0x0000adb8, 0x0080cd00}, mask: 0x00ff_ffff,
			base: 8, via: true, rules: savedRules(&cpu.X86, 0, x86Saved(20)),
		},
		{
			names: []string{"__restore", "__kernel_sigreturn"}, entered: true,
			// pop eax; mov eax, 119; int 0x80
			code: []uint32{0x0077b858, 0x80cd0000},
			base: 4, rules: savedRules(&cpu.X86, 0, x86Saved(0)),
		},
		{
			os: process.Windows, names: []string{"KiUserExceptionDispatcher", "KiUserExceptionDispatcher@8"},
			base: 4, via: true, check: savedTag{0, 0x1_0003}, rules: savedRules(&cpu.X86, 0, x86Context),
		},
	}
	arm64Trampolines = []trampoline{
		{
			names: []string{"__kernel_rt_sigreturn", "__restore_rt"}, entered: true,
			// mov x8, 139; svc 0
			code: []uint32{0xd2801168, 0xd4000001},
			base: siginfo + ucontext64 + sigcontext64, rules: savedRules(&cpu.ARM64, 0, inOrder(8, cpu.Reg(0), cpu.A64CPSR)),
		},
		{
			os: process.Windows, names: []string{"KiUserExceptionDispatcher", "KiUserExceptionDispatch"},
			check: savedTag{0, 0x40_0003}, rules: savedRules(&cpu.ARM64, 0, inOrder(8, cpu.Reg(0), cpu.A64PC, 8)),
		},
	}
	armTrampolines = []trampoline{
		{
			names: []string{"__default_rt_sa_restorer", "__restore_rt"}, entered: true,
			// mov r7, 173; svc 0
			code: []uint32{0xe3a070ad, 0xef000000},
			base: siginfo + ucontextARM + sigcontextARM, rules: savedRules(&cpu.ARM, 0, inOrder(4, cpu.Reg(0), cpu.ARMCPSR)),
		},
		{
			names: []string{"__default_sa_restorer", "__restore"}, entered: true,
			// mov r7, 119; svc 0
			code: []uint32{0xe3a07077, 0xef000000},
			base: ucontextARM + sigcontextARM, rules: savedRules(&cpu.ARM, 0, inOrder(4, cpu.Reg(0), cpu.ARMCPSR)),
		},
		{
			entered: true, // Thumb: movs r7, 173; svc 0
			code:    []uint32{0xdf0027ad},
			base:    siginfo + ucontextARM + sigcontextARM, rules: savedRules(&cpu.ARM, 0, inOrder(4, cpu.Reg(0), cpu.ARMCPSR)),
		},
	}
	riscv64Trampolines = []trampoline{
		{
			names: []string{"__vdso_rt_sigreturn", "__restore_rt"}, entered: true,
			// li a7, 139; ecall
			code: []uint32{0x08b00893, 0x00000073},
			base: siginfo + ucontext64, rules: savedRules(&cpu.RISCV64, 0, inOrder(8, cpu.RVPC, 31)),
		},
	}
	mipsTrampolines = []trampoline{
		{
			names: []string{"__vdso_rt_sigreturn"}, entered: true,
			// li v0, 4193; syscall
			code: []uint32{0x24021061, 0x0000000c},
			base: argumentsMIPS + siginfo + ucontextMIPS, rules: savedRules(&cpu.MIPS, 8, mipsSaved(8, 16)),
		},
		{
			names: []string{"__vdso_sigreturn"}, entered: true,
			// li v0, 4119; syscall
			code: []uint32{0x24021017, 0x0000000c},
			base: argumentsMIPS, rules: savedRules(&cpu.MIPS, 8, mipsSaved(8, 16)),
		},
	}
	mips64Trampolines = []trampoline{
		{
			names: []string{"__vdso_rt_sigreturn"}, entered: true,
			// li v0, 5211; syscall
			code: []uint32{0x2402145b, 0x0000000c},
			base: argumentsMIPS + siginfo + ucontextMIPS64, rules: savedRules(&cpu.MIPS64, 0, mipsSaved(576, 0)),
		},
	}
	ppcTrampolines = []trampoline{
		{
			names: []string{"__kernel_sigtramp_rt32"}, entered: true,
			// li r0, 172; sc. uc_regs points to the registers.
			code: []uint32{0x380000ac, 0x44000002},
			base: framePPC + gapPPC + siginfo + ucontextPPC, via: true, rules: savedRules(&cpu.PPC, 0, ppcSaved(4)),
		},
		{
			names: []string{"__kernel_sigtramp32"}, entered: true,
			// li r0, 119; sc. struct sigcontext ends with such a pointer.
			code: []uint32{0x38000077, 0x44000002},
			base: framePPC + sigcontextPPC, via: true, rules: savedRules(&cpu.PPC, 0, ppcSaved(4)),
		},
	}
	ppc64Trampolines = []trampoline{
		{
			names: []string{"__kernel_sigtramp_rt64", "__kernel_start_sigtramp_rt64"},
			// addi r1, r1, 128; li r0, 172; sc
			code: []uint32{0x38210080, 0x380000ac, 0x44000002},
			base: framePPC64 + ucontextPPC64 + sigcontextPPC64, via: true, rules: savedRules(&cpu.PPC64, 0, ppcSaved(8)),
		},
		{
			entered: true, // QEMU's, without addi and with 16 bytes more
			code:    []uint32{0x380000ac, 0x44000002},
			base:    framePPC64 + gapPPC + ucontextPPC64 + sigcontextPPC64, via: true, rules: savedRules(&cpu.PPC64, 0, ppcSaved(8)),
		},
	}
)

type savedReg struct {
	reg cpu.Reg
	off int64
}

// savedRules returns rules for saved registers of the given size, 0 for a word.
func savedRules(arch *cpu.Arch, size uint8, regs []savedReg) []Rule {
	rules := make([]Rule, len(regs))
	for i, s := range regs {
		rules[i] = Rule{arch.RegName(s.reg), Value{Base: CFA, Off: s.off, Load: true, Size: size}}
	}
	return rules
}

// inOrder returns the registers first to last at consecutive offsets, from offset at (default 0).
func inOrder(word int64, first, last cpu.Reg, at ...int64) []savedReg {
	var off int64
	if len(at) > 0 {
		off = at[0]
	}
	var regs []savedReg
	for r := first; r <= last; r++ {
		regs = append(regs, savedReg{r, off})
		off += word
	}
	return regs
}

// listed returns registers in the order of their words.
func listed(word, off int64, order ...cpu.Reg) []savedReg {
	var regs []savedReg
	for i, r := range order {
		if r != cpu.None {
			regs = append(regs, savedReg{r, off + int64(i)*word})
		}
	}
	return regs
}

// amd64Saved is the kernel's struct sigcontext of amd64.
var amd64Saved = listed(8, 0, cpu.R8, cpu.R9, cpu.R10, cpu.R11, cpu.R12, cpu.R13, cpu.R14, cpu.R15,
	cpu.RDI, cpu.RSI, cpu.RBP, cpu.RBX, cpu.RDX, cpu.RAX, cpu.RCX, cpu.RSP, cpu.RIP, cpu.RFLAGS)

// x86Saved is the kernel's struct sigcontext of x86 at an offset: gs, fs, es
// and ds come first, trapno, err and cs lie between.
func x86Saved(off int64) []savedReg {
	return listed(4, off+16, cpu.EDI, cpu.ESI, cpu.EBP, cpu.ESP, cpu.EBX, cpu.EDX, cpu.ECX, cpu.EAX,
		cpu.None, cpu.None, cpu.EIP, cpu.None, cpu.EFLAGS)
}

// mipsSaved is the pc and the 32 general registers of struct sigcontext. MIPS
// kernels save 64 bits of each, whatever the program's ABI.
func mipsSaved(pc, regs int64) []savedReg {
	return append(inOrder(8, cpu.Reg(0), cpu.MIPSRA, regs), savedReg{cpu.MIPSPC, pc})
}

// ppcSaved is struct pt_regs of PowerPC: r0 to r31, nip, msr, orig_r3, ctr, link,
// xer and ccr.
func ppcSaved(word int64) []savedReg {
	return append(inOrder(word, cpu.PPCR1-1, cpu.PPCR31),
		savedReg{cpu.PPCSRR0, 32 * word}, savedReg{cpu.PPCLR, 36 * word})
}

// amd64Context is CONTEXT of amd64: the integer registers start with Rax at 0x78.
var amd64Context = listed(8, 0x78, cpu.RAX, cpu.RCX, cpu.RDX, cpu.RBX, cpu.RSP, cpu.RBP, cpu.RSI, cpu.RDI,
	cpu.R8, cpu.R9, cpu.R10, cpu.R11, cpu.R12, cpu.R13, cpu.R14, cpu.R15, cpu.RIP)

// x86Context is CONTEXT of x86, from Edi on.
var x86Context = listed(4, 0x9c, cpu.EDI, cpu.ESI, cpu.EBX, cpu.EDX, cpu.ECX, cpu.EAX, cpu.EBP, cpu.EIP,
	cpu.None, cpu.EFLAGS, cpu.ESP)
