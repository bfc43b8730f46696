package crash

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

// Traps are explained, and a legal instruction is never unknown.
func TestTraps(t *testing.T) {
	arm := func(code string) *scene {
		s := crashAt(t, code)
		s.Arch, s.Regs = &cpu.ARM64, &cpu.Regs{}
		return s.reg(cpu.A64PC, codeAddr).reg(cpu.A64SP, stackLow+0x1000)
	}
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"ud2", "Compiler trap", crashAt(t, "0f 0b").raise("linux", sigILL, 2)},
		{"ud2 on Windows", "Compiler trap", crashAt(t, "0f 0b").raise("windows", illegalInstruction, 0)},
		{"ud2 on macOS", "Compiler trap", crashAt(t, "0f 0b").raise("mac", excBadInstruction, 1)},
		{"ud1 of UBSan", "Undefined behaviour trapped: index out of bounds", crashAt(t, "67 0f b9 40 12").raise("linux", sigILL, 2)},
		{"brk of UBSan", "Undefined behaviour trapped: integer addition overflowed", arm("00 a0 2a d4").raise("linux", sigTRAP, 1)},
		{"brk 1", "Compiler trap", arm("20 00 20 d4").raise("mac", excBreakpoint, 1)},
		{"__debugbreak", "Deliberate breakpoint", arm("00 00 3e d4").raise("windows", breakpoint, 0)},
		{"pointer authentication", "Pointer authentication failed", arm("40 8e 38 d4").raise("mac", excBreakpoint, 1)},
		{"int3", "Breakpoint", crashAt(t, "cc").raise("windows", breakpoint, 0)},
		{"no code", "Illegal instruction or compiler trap", crashAt(t, "").raise("linux", sigILL, 2)},
		{"no code at a breakpoint", "Breakpoint or trap instruction", crashAt(t, "").raise("linux", sigTRAP, 1)},
		{"bytes that are no instruction", "Illegal instruction", crashAt(t, "ff ff").raise("linux", sigILL, 2)},
		{"a CPU that is not decoded", "Illegal instruction or compiler trap", func() *scene {
			s := crashAt(t, "00 00 00 0d").raise("linux", sigILL, 2)
			s.Arch, s.Regs = &cpu.MIPS, &cpu.Regs{}
			return s.reg(cpu.MIPS.PC, codeAddr)
		}()},
		{"privileged", "Privileged instruction", crashAt(t, "f4").raise("windows", illegalInstruction, 0)},
		{"an extension", "Instruction refused by the CPU", crashAt(t, "c5 f9 ef c0").raise("linux", sigILL, 2)},
	}
	for _, tt := range tests {
		if v := Verdict(tt.s.Input, Analyze(tt.s.Input)); v.What != tt.want {
			t.Errorf("%s: %s, want %s (%s)", tt.name, v.What, tt.want, Analyze(tt.s.Input).Instruction)
		}
		said(t, tt.s)
	}
}

// brk is the code of brk #n of arm64.
func brk(n uint32) string {
	code := binary.LittleEndian.AppendUint32(nil, 0xd420_0000|n<<5)
	return fmt.Sprintf("%x", code)
}

// The operand of a trap names the check, if a known compiler put it there.
func TestTrapOperands(t *testing.T) {
	arm := func(n uint32) *scene { return crashAt(t, brk(n)).on(&cpu.ARM64).raise("linux", sigTRAP, 1) }
	ubsan := func(n byte) *scene { return crashAt(t, fmt.Sprintf("67 0f b9 40 %02x", n)).raise("linux", sigILL, 2) }
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"brk of UBSan, check 0", "Undefined behaviour trapped: integer addition overflowed. The instruction is `brk #0x5500`. UBSan put the trap there; the number of the check is in the instruction.", arm(0x5500)},
		{"its last check", "Undefined behaviour trapped: length of an array is not positive.", arm(0x5518)},
		{"a check of a later compiler", "Undefined behaviour trapped. The instruction is `brk #0x5519`. UBSan put the trap there.", arm(0x5519)},
		{"not UBSan's range", "Compiler trap. The instruction is `brk #0x5600`. The compiler put it where execution must not continue:", arm(0x5600)},
		{"brk 1 of Swift and clang", "Compiler trap. The instruction is `brk #0x1`. The compiler or Swift's runtime checks put it", arm(1)},
		{"brk 0 of a debugger", "Breakpoint. The instruction is `brk #0x0`.", arm(0)},
		{"__fastfail", "Fast fail. The instruction is `brk #0xf003`. The program ended itself with __fastfail.", arm(0xf003)},
		{"the first of pointer authentication", "Pointer authentication failed. The instruction is `brk #0xc470`.", arm(0xc470)},
		{"the last of it", "Pointer authentication failed.", arm(0xc473)},
		{"the one behind", "Compiler trap.", arm(0xc474)},
		{"ud1 of UBSan", "Undefined behaviour trapped: index out of bounds.", ubsan(18)},
		{"ud1 of another number", "Undefined behaviour trapped. The instruction is", ubsan(25)},
		{"ud1 with a negative number", "Undefined behaviour trapped. The instruction is", ubsan(0xff)},
		{"ud1 between registers is no check of UBSan", "Compiler trap.", crashAt(t, "0f b9 c1").raise("linux", sigILL, 2)},
		{"a breakpoint under a debugger", "Breakpoint. The instruction is `brk #0x0`. A breakpoint instruction ran.", arm(0).with(func(in *Input) { in.Debugger = "gdb" })},
	}
	for _, tt := range tests {
		if got := said(t, tt.s); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
	said := arm(1)
	said.Assertion = "index 3 of 2"
	if e := Analyze(said.Input).Findings[0].Evidence; e[len(e)-1] != "index 3 of 2" {
		t.Errorf("the message of a trap is missing: %q", e)
	}
}

// A breakpoint exception and its instruction: behind int3 on x86, at it on other CPUs and on
// Windows, and none for a dump that another process asked for.
func TestBreakpoints(t *testing.T) {
	behind := func(b byte, s *scene) *scene {
		s.bytes[codeAddr-1] = b
		return s
	}
	const without = "Breakpoint exception without a breakpoint"
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"Windows, at int3", "Breakpoint", crashAt(t, "cc").raise("windows", breakpoint, 0)},
		{"Windows, behind int3", "Breakpoint", behind(0xcc, crashAt(t, movRegister)).raise("windows", breakpoint, 0)},
		{"Windows, at int 0x2c", "Breakpoint", crashAt(t, "cd 2c").raise("windows", breakpoint, 0)},
		{"Windows, at another instruction", without, behind(0x90, crashAt(t, movRegister)).raise("windows", breakpoint, 0)},
		{"Windows, without code", "Breakpoint or trap instruction", crashAt(t, "").raise("windows", breakpoint, 0)},
		{"macOS, behind int3", "Breakpoint", behind(0xcc, crashAt(t, movRegister)).raise("mac", excBreakpoint, 2)},
		{"macOS, at another instruction", without, behind(0x90, crashAt(t, movRegister)).raise("mac", excBreakpoint, 2)},
		{"macOS, a single step", "Single step or watchpoint", crashAt(t, movRegister).raise("mac", excBreakpoint, 1)},
		{"arm64 of macOS, a watchpoint", "Single step or watchpoint", crashAt(t, "1f2003d5").on(&cpu.ARM64).raise("mac", excBreakpoint, 0x102)},
		{"its code on x86", without, behind(0x90, crashAt(t, movRegister)).raise("mac", excBreakpoint, 0x102)},
		{"Linux, at another instruction: the code is believed", "Breakpoint signal without a breakpoint", behind(0x90, crashAt(t, movRegister)).raise("linux", sigTRAP, 1)},
		{"Linux, a single step", "Single step", crashAt(t, movRegister).raise("linux", sigTRAP, 2)},
		{"Linux, a single step at a trap: the code decides", "Single step", crashAt(t, brk(1)).on(&cpu.ARM64).raise("linux", sigTRAP, 2)},
		{"Linux, a watchpoint", "Hardware breakpoint or watchpoint", crashAt(t, "").raise("linux", sigTRAP, 4)},
		{"Linux, exec under ptrace", "Stopped for a debugger", crashAt(t, "").raise("linux", sigTRAP, 4<<8|sigTRAP)},
		{"the code of a watchpoint on macOS is none", without, behind(0x90, crashAt(t, movRegister)).raise("mac", excBreakpoint, 4)},
	}
	for _, tt := range tests {
		if got := Verdict(tt.s.Input, Analyze(tt.s.Input)).What; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A breakpoint of ntdll stands for a debugger: for certain in the functions that only a debugger
// runs, and probably in a thread without code of the program.
func TestBreakIns(t *testing.T) {
	at := func(code string, frames ...string) *scene {
		s := crashAt(t, code).raise("windows", breakpoint, 0).stack(frames...)
		for i := range s.Frames {
			if s.Frames[i].System {
				s.Frames[i].Module = new("ntdll.dll")
			}
		}
		return s
	}
	const broken = "No crash: a debugger had stopped the process. `DbgUiRemoteBreakin` is on the stack, which runs a breakpoint only while a debugger is attached."
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"the thread of a debugger", broken, at("cc", "!DbgBreakPoint", "!DbgUiRemoteBreakin", "!RtlUserThreadStart")},
		{"int3 in the function itself, without code", broken, at("", "!DbgUiRemoteBreakin")},
		{"the code is another", "Breakpoint exception without a breakpoint.", at("90", "!DbgBreakPoint", "!DbgUiRemoteBreakin")},
		{"the name is a guess", "Breakpoint, probably of a debugger.", at("cc", "!DbgBreakPoint", "!DbgUiRemoteBreakin").with(func(in *Input) { in.Frames[1].Guess = true })},
		{"no names", "Breakpoint, probably of a debugger. A breakpoint instruction ran. It is one of ntdll.dll, and the thread has no code of the program:", at("cc", "!", "!")},
		{"no names, and no code", "Breakpoint, probably of a debugger. The system reports a breakpoint instruction.", at("", "!", "!")},
		{"the program called DebugBreak", "Breakpoint. A breakpoint instruction ran.", at("cc", "!DbgBreakPoint", "work")},
		{"Linux has no such thread", "Breakpoint. A breakpoint instruction ran.", at("cc", "!", "!").raise("linux", sigTRAP, siKernel)},
	}
	for _, tt := range tests {
		if got := said(t, tt.s); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// An illegal instruction is a trap, bytes that are none, a privileged one, or one that this CPU
// lacks. Without a decoder nothing is known.
func TestIllegalInstructions(t *testing.T) {
	at := func(code string) *scene { return crashAt(t, code).raise("linux", sigILL, 2) }
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"privileged", "Privileged instruction. The instruction is `hlt`, which the kernel may execute only.", at("f4")},
		{"privileged, as Linux reports it", "Privileged instruction. The instruction is `hlt`, which the kernel may execute only.", crashAt(t, "f4").gpf()},
		{"cli", "Privileged instruction. The instruction is `cli`,", crashAt(t, "fa").gpf()},
		{"a trap", "Compiler trap.", at("0f 0b")},
		{"legal", "Instruction refused by the CPU. The instruction is `mov edi, ebx`. It is a legal one: this CPU lacks the extension, the system has not enabled it, or the code is of another moment.", at(movRegister)},
		{"no instruction", "Illegal instruction. The CPU does not accept an operand of the instruction.", at("ff ff")},
		{"no code", "Illegal instruction or compiler trap. The CPU refused the instruction. The instruction is not known: the code is not in the dump.", at("")},
		{"no decoder", "Illegal instruction or compiler trap. The CPU refused the instruction. The instruction is not known: the code of this CPU is not decoded.",
			at("0f 0b").with(func(in *Input) { in.Decode = nil })},
		{"Thumb", "Illegal instruction or compiler trap. The CPU refused the instruction. The instruction is not known: the code of this CPU is not decoded.",
			at("00 de 00 de").on(&cpu.ARM).reg(cpu.ARMCPSR, thumbBit)},
		{"no registers", "Illegal instruction or compiler trap. The CPU refused the instruction. The instruction is not known: the registers are not in the dump.",
			at("0f 0b").with(func(in *Input) { in.Regs = nil })},
		{"no program counter", "Illegal instruction or compiler trap. The CPU refused the instruction. The instruction is not known: the dump has no program counter.",
			at("0f 0b").with(func(in *Input) { in.Regs = &cpu.Regs{}; in.Regs.Set(0, 1) })},
		{"riscv64", "Compiler trap.", at("73 10 00 c0").on(&cpu.RISCV64)}, // unimp
		{"the privileged code of Windows at another instruction", "Privileged instruction", crashAt(t, movRegister).raise("windows", privInstruction, 0)},
	}
	for _, tt := range tests {
		if got := said(t, tt.s); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// SIGSYS names the forbidden call by Crashpad's parameters or by the registers behind it.
func TestForbiddenCalls(t *testing.T) {
	at := func() *scene { return crashAt(t, movRegister).raise("linux", sigSYS, 1) }
	byParams := func(number, arch uint64) *scene { return crashAt(t, "").raise("linux", sigSYS, 1, number, arch) }
	tests := []struct {
		name, title, sentence string
		s                     *scene
	}{
		{"Crashpad's parameters", "Forbidden system call 41", "Its number is 41, of x86-64.", byParams(41, 0xc000_003e)},
		{"a negative number", "Forbidden system call -1", "Its number is -1, of arm64.", byParams(0xffff_ffff, 0xc000_00b7)},
		{"a CPU without a name", "Forbidden system call 5", "Its number is 5, of the CPU 0x1234.", byParams(5, 0x1234)},
		{"parameters without a CPU", "Forbidden system call", "A seccomp filter does not allow the system call.", byParams(5, 0)},
		{"the register behind the call", "Forbidden system call 59", "Its number, by the registers, is 59.", at().behindSyscall().reg(cpu.RAX, 59)},
		{"the largest number", "Forbidden system call 65535", "Its number, by the registers, is 65535.", at().behindSyscall().reg(cpu.RAX, 0xffff)},
		{"an error in its place", "Forbidden system call", "", at().behindSyscall().reg(cpu.RAX, ^uint64(37))},
		{"a number beyond all calls", "Forbidden system call", "", at().behindSyscall().reg(cpu.RAX, 0x1_0000)},
		{"the register is not known", "Forbidden system call", "", at().behindSyscall()},
		{"not behind a call", "Forbidden system call", "", at().reg(cpu.RAX, 59)},
		{"a CPU whose register is not known here", "Forbidden system call", "", crashAt(t, "").raise("linux", 12, 1).of(&cpu.MIPS).with(func(in *Input) { delete(in.Memory.(*scene).bytes, codeAddr) })},
		{"no CPU", "Forbidden system call", "", at().with(func(in *Input) { in.Arch = nil })},
	}
	for _, tt := range tests {
		f := Analyze(tt.s.Input).Findings[0]
		if got := strings.Join(f.Evidence, " "); f.Text != tt.title || !strings.Contains(got, tt.sentence) || tt.sentence == "" && strings.Contains(got, "number") {
			t.Errorf("%s: %s. %s, want %s. %s", tt.name, f.Text, got, tt.title, tt.sentence)
		}
	}
}

// A trap of __builtin_verbose_trap says what failed, by the name of an inlined call.
func TestVerboseTraps(t *testing.T) {
	for name, want := range map[string]string{
		"__clang_trap_msg$libc++$include/c++/v1/span:516: assertion i < size() failed\n": "Assertion of the C++ library failed|The message is: include/c++/v1/span:516: assertion i < size() failed.",
		"__clang_trap_msg$Bounds$index 9":                                                "Compiler trap|The message is: index 9.",
		"__clang_trap_msg$":                                                              "Compiler trap|" + compilerWhy,
		"work":                                                                           "Compiler trap|" + compilerWhy,
	} {
		s := crashAt(t, "0f 0b").raise("linux", sigILL, 2).stack(name, "main")
		if f := Analyze(s.Input).Findings[0]; f.Text+"|"+f.Evidence[1] != want {
			t.Errorf("%s: %s %q", name, f.Text, f.Evidence)
		}
	}
}
