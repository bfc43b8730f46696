package cpu

// Registers of amd64.
const (
	RAX Reg = iota
	RDX
	RCX
	RBX
	RSI
	RDI
	RBP
	RSP
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
	RIP
	RFLAGS
)

// AMD64 is x86-64. Callee-saved: System V ABI for AMD64, figure 3.4. Windows
// keeps rsi and rdi too; symbol files say so themselves when it matters, and
// on other systems their values would be wrong.
var AMD64 = Arch{
	Name: "amd64", Word: 8, CallSize: 1, Align: 1,
	Regs: []string{
		"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip", "eflags",
	},
	Aliases: map[string]Reg{"rflags": RFLAGS},
	PC:      RIP, SP: RSP, FP: RBP, LR: None,
	CalleeSaved: SetOf(RBX, RBP, R12, R13, R14, R15),
	lowEnd:      0x0000_7fff_ffff_ffff, highStart: 0xffff_8000_0000_0000,
}

// AMD64Numbers are the general registers in the order in which instructions number them.
var AMD64Numbers = [16]Reg{RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15}
