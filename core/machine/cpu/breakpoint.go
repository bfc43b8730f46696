package cpu

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
