package cpu

// Registers of x86, in the order of Breakpad's and rust-minidump's output.
const (
	EIP Reg = iota
	ESP
	EBP
	EBX
	ESI
	EDI
	EAX
	ECX
	EDX
	EFLAGS
)

// X86 is the 32-bit Intel architecture. Callee-saved: System V ABI for i386, figure 2.6.
var X86 = Arch{
	Name: "x86", Word: 4, CallSize: 1, Align: 1,
	Regs:    []string{"eip", "esp", "ebp", "ebx", "esi", "edi", "eax", "ecx", "edx", "eflags"},
	Aliases: map[string]Reg{"efl": EFLAGS},
	PC:      EIP, SP: ESP, FP: EBP, LR: None,
	CalleeSaved: SetOf(EBP, EBX, ESI, EDI),
}

// X86Numbers are the general registers in the order in which instructions number them.
var X86Numbers = [8]Reg{EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI}
