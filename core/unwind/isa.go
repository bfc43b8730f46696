package unwind

// An isa recognises the few instructions that matter to a return address. Each
// function is given the four bytes at an address, in the CPU's order.
type isa struct {
	returns func(insn uint32) bool
	calls   func(insn uint32) bool // overwrites the link register; nil on CPUs without one
	size    func(insn uint32) uint64
}

// isas are the instruction sets of the CPUs whose code can be captured.
// Encodings: Intel SDM volume 2; Arm ARM, A64, A32 and T32; RISC-V unprivileged
// specification, chapters 24 and 26; MIPS32 volume 2.
var isas = map[string]isa{
	"x86":   {returns: x86Returns},
	"amd64": {returns: x86Returns},
	"arm64": {
		returns: oneOf(0xffffffff, 0xd65f03c0, 0xd65f0bff, 0xd65f0fff), // ret, retaa, retab
		calls: anyOf(
			oneOf(0xfc000000, 0x94000000), // bl
			oneOf(0xfefff000, 0xd63f0000), // blr, blraa, blrab and their kin
		),
		size: four,
	},
	"arm": {
		returns: oneOf(0xffffffff, 0xe12fff1e), // bx lr
		calls: anyOf(
			oneOf(0x0f000000, 0x0b000000), // bl, under any condition
			oneOf(0x0ffffff0, 0x012fff30), // blx register
			oneOf(0xfe000000, 0xfa000000), // blx
		),
		size: four,
	},
	"riscv":   {returns: riscvReturns, calls: riscvCalls, size: riscvSize},
	"riscv64": {returns: riscvReturns, calls: riscvCalls, size: riscvSize},
	"mips":    {returns: oneOf(0xffffffff, 0x03e00008), calls: mipsCalls, size: four}, // jr ra
	"mips64":  {returns: oneOf(0xffffffff, 0x03e00008), calls: mipsCalls, size: four},
}

// thumb is the T32 instruction set; its first halfword is the lower one.
var thumb = isa{
	returns: oneOf(0xffff, 0x4770), // bx lr
	calls: anyOf(
		oneOf(0xd000f800, 0xd000f000), // bl
		oneOf(0xd001f800, 0xc000f000), // blx
		oneOf(0xff87, 0x4780),         // blx register
	),
	size: func(insn uint32) uint64 {
		if insn&0xe000 == 0xe000 && insn&0x1800 != 0 {
			return 4
		}
		return 2
	},
}

func four(uint32) uint64 { return 4 }

// oneOf matches an instruction whose bits under mask are one of values.
func oneOf(mask uint32, values ...uint32) func(uint32) bool {
	return func(insn uint32) bool {
		for _, v := range values {
			if insn&mask == v {
				return true
			}
		}
		return false
	}
}

func anyOf(tests ...func(uint32) bool) func(uint32) bool {
	return func(insn uint32) bool {
		for _, test := range tests {
			if test(insn) {
				return true
			}
		}
		return false
	}
}

// x86Returns: ret, ret imm16, and both behind the rep that AMD once advised.
var x86Returns = anyOf(oneOf(0xff, 0xc3, 0xc2), oneOf(0xffff, 0xc3f3))

// riscvReturns: jalr x0, 0(ra), and c.jr ra.
var riscvReturns = anyOf(oneOf(0xffffffff, 0x00008067), oneOf(0xffff, 0x8082))

// riscvCalls: jal and jalr to ra, c.jal (RV32) apart, and c.jalr.
var riscvCalls = anyOf(
	oneOf(0x00000fff, 0x000000ef, 0x000000e7),
	func(insn uint32) bool { return insn&0xf07f == 0x9002 && insn&0x0f80 != 0 },
)

func riscvSize(insn uint32) uint64 {
	if insn&3 == 3 {
		return 4
	}
	return 2
}

// mipsCalls: jal, jalr to ra, and bal, which is bgezal zero.
var mipsCalls = anyOf(
	oneOf(0xfc000000, 0x0c000000),
	oneOf(0xfc1fffff, 0x0000f809),
	oneOf(0xffff0000, 0x04110000),
)
