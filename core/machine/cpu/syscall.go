package cpu

// An Encoding is an instruction of a kind that a number in the code distinguishes.
type Encoding struct {
	Size       int // bytes
	Code, Mask uint64
}

// SystemCalls lists a CPU's system call instructions. The program counter of a thread that waits in
// the kernel is right behind one of them, or at it if the kernel restarts the call. Sources:
// syscall(2), the manuals of the CPUs.
func SystemCalls(a *Arch) []Encoding { return systemCalls[a] }

var systemCalls = map[*Arch][]Encoding{
	&AMD64:   {{2, 0x050f, 0xffff}},                                          // syscall
	&X86:     {{2, 0x80cd, 0xffff}, {2, 0x340f, 0xffff}},                     // int 0x80, sysenter
	&ARM64:   {{4, 0xd400_0001, 0xffe0_001f}},                                // svc
	&ARM:     {{4, 0xef00_0000, 0xff00_0000}, {2, 0xdf00, 0xff00}},           // svc, svc of Thumb
	&RISCV64: {{4, 0x0000_0073, 0xffff_ffff}},                                // ecall
	&RISCV:   {{4, 0x0000_0073, 0xffff_ffff}},                                //
	&MIPS:    {{4, 0x0000_000c, 0xfc00_003f}},                                // syscall
	&MIPS64:  {{4, 0x0000_000c, 0xfc00_003f}},                                //
	&PPC:     {{4, 0x4400_0002, 0xffff_f01f}},                                // sc
	&PPC64:   {{4, 0x4400_0002, 0xffff_f01f}, {4, 0x4400_0001, 0xffff_f01f}}, // sc, scv
	&SPARC:   {{4, 0x91d0_2010, 0xffff_ffff}, {4, 0x91d0_206d, 0xffff_ffff}}, // ta 0x10, ta 0x6d
}

// A Convention has the registers of Linux' system calls.
type Convention struct {
	Number string   // the register with the number of the call
	Args   []string // the first arguments
	Result string
}

// LinuxCalls returns a CPU's convention for system calls of Linux, or nil. Source: syscall(2).
func LinuxCalls(a *Arch) *Convention { return linuxCalls[a] }

var linuxCalls = map[*Arch]*Convention{
	&AMD64:   {"rax", []string{"rdi", "rsi", "rdx", "r10"}, "rax"},
	&X86:     {"eax", []string{"ebx", "ecx", "edx", "esi"}, "eax"},
	&ARM:     {"r7", []string{"r0", "r1", "r2", "r3"}, "r0"},
	&ARM64:   {"x8", []string{"x0", "x1", "x2", "x3"}, "x0"},
	&RISCV:   {"a7", []string{"a0", "a1", "a2", "a3"}, "a0"},
	&RISCV64: {"a7", []string{"a0", "a1", "a2", "a3"}, "a0"},
}

// Breakpoints lists the instructions of a CPU with instructions of fixed sizes that exist to raise an
// exception: breakpoints, and traps of compilers. The program counter of a thread that executed one
// is at it. Sources: the manuals of the CPUs, and arch/*/kernel of Linux for the codes that debuggers
// write (arm: 0xe7f001f0 and 0xde01, which are forms of udf).
func Breakpoints(a *Arch) []Encoding { return breakpoints[a] }

var breakpoints = map[*Arch][]Encoding{
	&ARM64:   {{4, 0xd420_0000, 0xffe0_001f}, {4, 0, 0xffff_0000}},                                                     // brk, udf
	&ARM:     {{4, 0xe120_0070, 0xfff0_00f0}, {4, 0xe7f0_00f0, 0xfff0_00f0}, {2, 0xbe00, 0xff00}, {2, 0xde00, 0xff00}}, // bkpt, udf, both of Thumb
	&RISCV64: riscvBreakpoints,
	&RISCV:   riscvBreakpoints,
	&MIPS:    mipsBreakpoints,
	&MIPS64:  mipsBreakpoints,
	&PPC:     ppcBreakpoints,
	&PPC64:   ppcBreakpoints,
	&SPARC:   {{4, 0x91d0_2001, 0xffff_ffff}, {4, 0x91d0_2005, 0xffff_ffff}}, // ta 1, ta 5 of __builtin_trap
}

var (
	// ebreak, c.ebreak, unimp, c.unimp
	riscvBreakpoints = []Encoding{{4, 0x0010_0073, 0xffff_ffff}, {2, 0x9002, 0xffff}, {4, 0xc000_1073, 0xffff_ffff}, {2, 0, 0xffff}}
	// break, teq, sdbbp
	mipsBreakpoints = []Encoding{{4, 0x0000_000d, 0xfc00_003f}, {4, 0x0000_0034, 0xfc00_003f}, {4, 0x7000_003f, 0xfc00_003f}}
	// tw, td, twi, tdi
	ppcBreakpoints = []Encoding{{4, 0x7c00_0008, 0xfc00_07fe}, {4, 0x7c00_0088, 0xfc00_07fe}, {4, 0x0c00_0000, 0xfc00_0000}, {4, 0x0800_0000, 0xfc00_0000}}
)
