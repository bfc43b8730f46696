package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

// The note is the meaning of the reason in this crash: a signal that was sent has none of a fault.
func TestNotesOfEvents(t *testing.T) {
	const pid = 24248
	gdb := func(in *Input) { in.Debugger = "gdb" }
	check := func(c Check) func(in *Input) { return func(in *Input) { in.Check = c } }
	const kernelFrame = "The kernel sent it without an address: most often it could not put the frame of a signal handler on the stack."
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"a fault", "Nothing is mapped at the address.", load(t, 0x9000_0000)},
		{"the same signal, sent", "The signal was sent; no instruction failed.", load(t, 0x9000_0000).raise("linux", sigSEGV, siTkill)},
		{"the same signal, raised", "The program raised the signal; no instruction failed.", load(t, pid).raise("linux", sigSEGV, siTkill).with(func(in *Input) { in.PID = pid })},
		{"SIGTERM, sent", "The signal asks the program to end.", crashAt(t, "").fault(pid).raise("linux", 15, siUser)},
		{"a step of a debugger", "The signal is how gdb stops a process: a breakpoint, a step, or Ctrl-C.", crashAt(t, "").raise("linux", sigTRAP, 2).with(gdb)},
		{"a breakpoint instruction under a debugger", "A breakpoint instruction ran under gdb: the program's own, or one that gdb had put there.", crashAt(t, "cc").raise("linux", sigTRAP, siKernel).with(gdb)},
		{"a fault under a debugger", "Nothing is mapped at the address.", load(t, 0x9000_0000).with(gdb)},
		{"a breakpoint instruction without a debugger", "A breakpoint instruction ran.", crashAt(t, "cc").raise("linux", sigTRAP, siKernel)},
		{"Windows: an access violation by RaiseException", "The program raised the exception with RaiseException; no instruction failed.", crashAt(t, "").windows(0, 0).stack("!RaiseException", "work")},
		{"Windows: a C++ exception is always raised", "A C++ exception was thrown.", crashAt(t, "").raise("windows", cppException, 0)},
		{"Windows: a pure virtual call by Breakpad's handler", "A function was called that the class of the object does not define: the object is being constructed or destroyed, or is none.",
			crashAt(t, "").raise("windows", invalidCRTParam, 0).with(check(PureVirtualCall))},
		{"Windows: an invalid argument by it", "A function of the C library was called with an invalid argument.", crashAt(t, "").raise("windows", nonContinuable, 0).with(check(InvalidArgument))},
		{"another system has no such handler", "Nothing is mapped at the address.", load(t, 0x9000_0000).with(check(PureVirtualCall))},
		{"Windows: /GS before Windows 8", "The guard value between the locals and the return address was overwritten (/GS).", crashAt(t, "").raise("windows", stackBufferOverrun, 0)},
		{"Windows: __fastfail", "It used __fastfail, whose exception is called a stack buffer overrun whatever the reason.", crashAt(t, "").raise("windows", stackBufferOverrun, 0, 2)},
		{"abort", "The program ended itself with abort.", crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort")},
		{"SIGABRT of unknown origin", "The signal of abort; it can be sent as well.", crashAt(t, "").raise("linux", sigABRT, siUser).stack("")},
		{"Apple: a watchpoint", "One instruction had been executed in single-step mode, or a watchpoint was hit.", crashAt(t, "").raise("mac", excBreakpoint, 1)},
		{"Apple: SIGKILL", "The kernel ended the process. It also does so for an invalid code signature.", crashAt(t, "").raise("mac", excCrash, 9<<24)},
		{"Linux: SIGKILL", "No handler can catch it. The kernel also sends it when memory runs out.", crashAt(t, "").raise("linux", sigKILL, siUser)},
		{"Apple: SIGSYS", "There is no system call of that number.", crashAt(t, "").raise("mac", excSoftware, unixBadSyscall)},
		{"Apple: SIGTERM", "The signal asks the program to end.", crashAt(t, "").raise("mac", excCrash, 15<<24)},
		{"amd64: SI_KERNEL", "A general protection fault: the CPU does not say at which address.", crashAt(t, movStore).gpf()},
		{"x86: SI_KERNEL", "A general protection fault: the CPU does not say at which address.", crashAt(t, "").on(&cpu.X86).gpf()},
		{"arm64: SI_KERNEL", kernelFrame, crashAt(t, "").on(&cpu.ARM64).gpf()},
		{"arm64: SI_KERNEL of SIGBUS", kernelFrame, crashAt(t, "").on(&cpu.ARM64).raise("linux", sigBUS, siKernel)},
		{"arm64: SI_KERNEL of SIGILL", "The CPU refused the instruction: one that it does not have, or a trap of the compiler.", crashAt(t, "").on(&cpu.ARM64).raise("linux", sigILL, siKernel)},
		{"arm64 of Apple: 11 is EXC_RESOURCE", "The process went over a limit of the system.", crashAt(t, "").on(&cpu.ARM64).raise("mac", sigSEGV, siKernel)},
		{"another system", "", crashAt(t, "").raise("solaris", sigSEGV, segvMapErr)},
	}
	for _, tt := range tests {
		if got := Analyze(tt.s.Input).Note; got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// Why the address field is no accessed address. It is one for a fault with a known address.
func TestNoAddress(t *testing.T) {
	const pid = 24248
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"a fault", "", load(t, 0x9000_0000)},
		{"abort", "abort", crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "work")},
		{"abort on the stack of a fault", "", load(t, 0x9000_0000).stack("work", "!abort")},
		{"abort on the stack of a signal that was sent", "sent by process 24248", crashAt(t, movRegister).fault(pid).behindSyscall().raise("linux", sigSEGV, siUser).stack("!poll", "!abort")},
		{"raise alone", "raised by the program itself", crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "work")},
		{"SIGABRT of unknown origin", "SIGABRT", crashAt(t, "").fault(pid).raise("linux", sigABRT, siUser).stack("")},
		{"SIGABRT by a process", "sent by process 24248", crashAt(t, "").fault(pid).raise("linux", sigABRT, siUser).stack("work").with(func(in *Input) { in.PID = 1 })},
		{"SIGABRT by nothing that is known", "SIGABRT", crashAt(t, "").raise("linux", sigABRT, siUser).stack("work")},
		{"SIGTERM by nothing that is known", "sent by another process or thread", crashAt(t, "").raise("linux", 15, siUser)},
		{"Windows: raised, and its address is one of code", "", crashAt(t, "").raise("windows", cppException, 0)},
		{"the program counter in its place", "not recorded", crashAt(t, "").fault(codeAddr).raise("linux", sigSEGV, siUser)},
		{"the same, and the instruction has it", "", crashAt(t, movLoad).reg(cpu.RBX, 0).fault(codeAddr).raise("linux", sigSEGV, siUser)},
		{"a general protection fault", "not reported by the CPU", crashAt(t, movStore).gpf()},
		{"the same, and the instruction has it", "", crashAt(t, movStore).reg(cpu.RAX, 1<<60).gpf()},
		{"the program counter of another signal is that of the instruction", "", crashAt(t, "0f 0b").fault(codeAddr).raise("linux", sigILL, 2)},
	}
	for _, tt := range tests {
		if got := Analyze(tt.s.Input).NoAddress; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The mechanism names what is known of an access, and why the rest is not.
func TestMechanism(t *testing.T) {
	const at = 0x9000_0000
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"all is known", "`mov rax, qword [rbx + 0x10]` reads 8 bytes at 0x90000010; rbx is 0x90000000.", load(t, at+0x10)},
		{"no register in the address", "`mov eax, dword [0x10]` reads 4 bytes at 0x10.", crashAt(t, "8b 04 25 10 00 00 00").fault(0x10)},
		{"a size that depends on the mode", "`fldenv ptr [rax]` reads memory at 0x90000000; rax is 0x90000000.", crashAt(t, fldEnv).reg(cpu.RAX, at).fault(at)},
		{"no code", "The program accessed 0x90000000. It is not known whether it read or wrote: the code is not in the dump.", crashAt(t, "").fault(at)},
		{"no code, and Windows says write", "The program wrote to 0x90000000.", crashAt(t, "").windows(1, at)},
		{"bytes that are no instruction", "The program accessed 0x90000000. It is not known whether it read or wrote: the bytes at the program counter are no instruction.", crashAt(t, "ff ff").fault(at)},
		{"a CPU that is not decoded", "The program accessed 0x90000000. It is not known whether it read or wrote: the code of this CPU is not decoded.", crashAt(t, "ff ff").on(&cpu.MIPS).fault(at)},
		{"no registers", "The program accessed 0x90000000. It is not known whether it read or wrote: the registers are not in the dump.", crashAt(t, "").fault(at).with(func(in *Input) { in.Regs = nil })},
		{"an instruction that does not access it", "The program accessed 0x90000000. It is not known whether it read or wrote: the instruction at the program counter, `mov edi, ebx`, does not tell.", crashAt(t, movRegister).fault(at)},
		{"a load by a register that is not known", "The program read from 0x90000000.", crashAt(t, "4d 8b 00").fault(at)},
		{"a general protection fault without code", "The address is not known: the code is not in the dump.", crashAt(t, "").on(&cpu.ARM64).gpf()},
		{"execution", "Execution went to 0x90000000.", crashAt(t, "").regPC(at).fault(at)},
		{"a call that would go there", "`call rax` goes to 0x90000000.", crashAt(t, callReg).reg(cpu.RAX, at).windows(8, at)},
		{"execution elsewhere, by the system", "The system reports that 0x90000000 was to be executed.", crashAt(t, movRegister).windows(8, at)},
		{"execution elsewhere, without code", "The program accessed 0x90000000.", crashAt(t, "").windows(8, at)},
	}
	for _, tt := range tests {
		if got := factsOf(tt.s.Input, Analyze(tt.s.Input)).mechanism(); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// Where the address of the record is not the accessed one, the evidence says so.
func TestAddressInstead(t *testing.T) {
	const bad = 0x1234_5678_9abc_def0
	for want, s := range map[string]*scene{
		"The dump has the program counter, 0x401000, in place of the address.":                             crashAt(t, movLoad).reg(cpu.RBX, 0).fault(codeAddr).raise("linux", sigSEGV, siUser),
		"The system reports 0x0 instead: the CPU does not tell it a non-canonical address.":                crashAt(t, movStore).reg(cpu.RAX, bad).gpf(),
		"The system reports 0xffffffffffffffff instead: the CPU does not tell it a non-canonical address.": crashAt(t, movStore).reg(cpu.RAX, bad).windows(0, ^uint64(0)),
		"The dump says 0x90000000 instead, which the instruction does not access.":                         crashAt(t, movStore).reg(cpu.RAX, 0x9900_0000).fault(0x9000_0000),
	} {
		if e := strings.Join(Analyze(s.Input).Findings[0].Evidence, " "); !strings.Contains(e, want) {
			t.Errorf("got %s\nwant %s", e, want)
		}
	}
	for name, s := range map[string]*scene{
		"both agree": load(t, 0x9000_0010), "0 stands for the first page": crashAt(t, movStore).reg(cpu.RAX, 0xf00).fault(0),
		"the record alone": crashAt(t, "").fault(0x9000_0000), "nothing": crashAt(t, "").gpf(),
	} {
		if e := strings.Join(Analyze(s.Input).Findings[0].Evidence, " "); strings.Contains(e, "instead") || strings.Contains(e, "in place of") {
			t.Errorf("%s: %s", name, e)
		}
	}
}
