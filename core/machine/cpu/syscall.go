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
