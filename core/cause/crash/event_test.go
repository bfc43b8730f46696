package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

const movRegister = "89 df" // mov edi, ebx

// behindSyscall puts syscall in front of the program counter.
func (s *scene) behindSyscall() *scene {
	s.bytes[codeAddr-2], s.bytes[codeAddr-1] = 0x0f, 0x05
	return s
}

// with changes the input.
func (s *scene) with(f func(in *Input)) *scene {
	f(s.Input)
	return s
}

// The witness that decides, for each signal that can be a fault and can be sent.
func TestEvents(t *testing.T) {
	const pid = 24248
	self := func(in *Input) { in.PID = pid }
	tests := []struct {
		name string
		s    *scene
		want Event
	}{
		{"SEGV_MAPERR is a fault, whatever the instruction", crashAt(t, movRegister).fault(8), Event{Kind: Faulted, By: ByRecord, Signal: sigSEGV}},
		{"without si_code, the access decides", crashAt(t, movLoad).reg(cpu.RBX, heapBase).fault(heapBase+0x10).raise("linux", sigSEGV, 0),
			Event{Kind: Faulted, By: ByInstruction, Signal: sigSEGV}},
		{"an instruction without access is innocent", crashAt(t, movRegister).fault(pid).raise("linux", sigSEGV, 0),
			Event{Kind: Sent, By: ByInstruction, Signal: sigSEGV, Sender: Sender{PID: pid}}},
		{"behind a system call", crashAt(t, movRegister).behindSyscall().fault(pid).raise("linux", sigSEGV, 0),
			Event{Kind: Sent, By: ByRegisters, Signal: sigSEGV, Sender: Sender{PID: pid}}},
		{"behind a system call, but the next instruction failed", crashAt(t, movStore).behindSyscall().reg(cpu.RAX, 0).raise("linux", sigSEGV, 0),
			Event{Kind: Faulted, By: ByInstruction, Signal: sigSEGV}},
		{"without si_code and instruction, a number of a process or an address", crashAt(t, "").fault(0x10).raise("linux", sigSEGV, 0),
			Event{Kind: Faulted, By: ByRecord, Signal: sigSEGV, Sender: Sender{PID: 0x10}}},
		{"without si_code and instruction, a write by the report", crashAt(t, "").fault(0x10).raise("linux", sigSEGV, 0).with(func(in *Input) { in.Exception.Access = process.Write }),
			Event{Kind: Faulted, By: ByRecord, Signal: sigSEGV}},
		{"tkill of another process", crashAt(t, movStore).fault(pid|1000<<32).raise("linux", sigSEGV, siTkill),
			Event{Kind: Sent, By: ByRecord, Signal: sigSEGV, Sender: Sender{PID: pid, UID: 1000, KnowsUser: true}}},
		{"raise by the program itself", crashAt(t, movStore).fault(pid).raise("linux", sigSEGV, siTkill).with(self),
			Event{Kind: Raised, By: ByRecord, Signal: sigSEGV, Sender: Sender{PID: pid, Self: true}}},
		{"SIGILL at a legal instruction", crashAt(t, movRegister).fault(pid).raise("linux", sigILL, 0),
			Event{Kind: Sent, By: ByInstruction, Signal: sigILL, Sender: Sender{PID: pid}}},
		{"SIGILL at a legal instruction, by the kernel's word", crashAt(t, movRegister).raise("linux", sigILL, 2), Event{Kind: Faulted, By: ByRecord, Signal: sigILL}},
		{"SIGILL at ud2", crashAt(t, "0f 0b").raise("linux", sigILL, 0), Event{Kind: Faulted, By: ByInstruction, Signal: sigILL}},
		{"SIGILL at an extension that the CPU may lack", crashAt(t, "c5 f9 ef c0").raise("linux", sigILL, 0), Event{Kind: Faulted, By: ByRecord, Signal: sigILL}},
		{"SIGFPE at a division", crashAt(t, "f7 f9").raise("linux", sigFPE, 0), Event{Kind: Faulted, By: ByInstruction, Signal: sigFPE}},
		{"SIGFPE at another instruction", crashAt(t, movRegister).fault(pid).raise("linux", sigFPE, 0),
			Event{Kind: Sent, By: ByInstruction, Signal: sigFPE, Sender: Sender{PID: pid}}},
		{"SIGTRAP behind int3", func() *scene {
			s := crashAt(t, movRegister)
			s.bytes[codeAddr-1] = 0xcc
			return s.raise("linux", sigTRAP, 0)
		}(),
			Event{Kind: Faulted, By: ByInstruction, Signal: sigTRAP}},
		{"SIGTRAP elsewhere", crashAt(t, movRegister).behindSyscall().fault(pid).raise("linux", sigTRAP, 0),
			Event{Kind: Sent, By: ByRegisters, Signal: sigTRAP, Sender: Sender{PID: pid}}},
		{"no code, but the function waits", crashAt(t, "").fault(pid).raise("linux", sigBUS, 0).with(func(in *Input) { in.Waiting = true }),
			Event{Kind: Sent, By: ByStack, Signal: sigBUS, Sender: Sender{PID: pid}}},
		{"no code and no name", crashAt(t, "").fault(pid).raise("linux", sigSEGV, 0), Event{Kind: Faulted, By: ByRecord, Signal: sigSEGV, Sender: Sender{PID: pid}}},
		{"abort on the stack", crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "work"), Event{Kind: Raised, By: ByStack, Signal: sigABRT}},
		{"SIGABRT while the program ran", crashAt(t, "").fault(pid).raise("linux", sigABRT, 0).stack("work", "main"),
			Event{Kind: Sent, By: ByStack, Signal: sigABRT, Sender: Sender{PID: pid}}},
		{"SIGABRT of the program itself, without names", crashAt(t, "").fault(pid).raise("linux", sigABRT, 0).stack("", "").with(self),
			Event{Kind: Raised, By: BySender, Signal: sigABRT, Sender: Sender{PID: pid, Self: true}}},
		{"SIGABRT without names", crashAt(t, "").raise("linux", sigABRT, 0).stack("", ""), Event{Signal: sigABRT}},
		{"SIGTERM", crashAt(t, "").fault(pid).raise("linux", 15, 0), Event{Kind: Sent, By: ByRecord, Signal: 15, Sender: Sender{PID: pid}}},
		{"Crashpad's parameters of SIGQUIT", crashAt(t, "").raise("linux", 3, 0, pid, 1000, 0),
			Event{Kind: Sent, By: ByRecord, Signal: 3, Sender: Sender{PID: pid, UID: 1000, KnowsUser: true}}},
		{"Crashpad's parameters name root", crashAt(t, "").raise("linux", 3, 0, pid, 0, 0),
			Event{Kind: Sent, By: ByRecord, Signal: 3, Sender: Sender{PID: pid, KnowsUser: true}}},
		{"the kernel's own SI_USER, whatever the instruction accesses", crashAt(t, movStore).reg(cpu.RAX, pid).fault(pid).raise("linux", sigSEGV, 0).with(func(in *Input) { in.KernelSignal = true }),
			Event{Kind: Sent, By: ByRecord, Signal: sigSEGV, Sender: Sender{PID: pid}}},
		{"a breakpoint of a debugger, which took it out of the code", func() *scene {
			s := crashAt(t, movRegister)
			s.bytes[codeAddr-1] = 0x90
			return s.raise("linux", sigTRAP, siKernel).with(debugged)
		}(), Event{Kind: Requested, By: ByRecord, Signal: sigTRAP}},
		{"a step", crashAt(t, "").raise("linux", sigTRAP, 2).with(debugged), Event{Kind: Requested, By: ByRecord, Signal: sigTRAP}},
		{"Ctrl-C in a debugger", crashAt(t, "").raise("linux", sigINT, siKernel).with(debugged), Event{Kind: Requested, By: ByRecord, Signal: sigINT}},
		{"int3 of the program under a debugger", func() *scene {
			s := crashAt(t, movRegister)
			s.bytes[codeAddr-1] = 0xcc
			return s.raise("linux", sigTRAP, siKernel).with(debugged)
		}(), Event{Kind: Faulted, By: ByRecord, Signal: sigTRAP}},
		{"a fault under a debugger", crashAt(t, movRegister).fault(8).with(debugged), Event{Kind: Faulted, By: ByRecord, Signal: sigSEGV}},
		{"a request", crashAt(t, "").raise("linux", dumpRequested, 0), Event{Kind: Requested, By: ByRecord}},
	}
	for _, tt := range tests {
		if got := Analyze(tt.s.Input).Event; got != tt.want {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.name, got, tt.want)
		}
	}
}

// A siginfo of 32 bits has the sender's process where the address is, and no user.
func TestSenderOf32Bits(t *testing.T) {
	s := crashAt(t, "89 df").fault(24248).raise("linux", sigSEGV, siTkill)
	s.Arch, s.Regs = &cpu.X86, &cpu.Regs{}
	s.reg(cpu.EIP, codeAddr)
	if got, want := Analyze(s.Input).Event.Sender, (Sender{PID: 24248}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Numbers that no process can have are no sender, such as the address of an instruction.
func TestNoSender(t *testing.T) {
	for _, address := range []uint64{0, maxPID + 1, codeAddr, 0x55_0290_0990} {
		s := crashAt(t, "").fault(address).raise("linux", sigABRT, 0)
		if got := Analyze(s.Input).Event.Sender; got != (Sender{}) {
			t.Errorf("%#x: %+v", address, got)
		}
	}
}

// A thread behind a system call, on each CPU.
func TestBehindSystemCall(t *testing.T) {
	for _, arch := range cpu.All() {
		for _, c := range cpu.SystemCalls(arch) {
			s := crashAt(t, "")
			s.Arch, s.Regs = arch, &cpu.Regs{}
			for i := range uint64(c.Size) {
				s.bytes[codeAddr-uint64(c.Size)+i] = byte(c.Code >> (8 * i))
			}
			s.reg(arch.PC, codeAddr).fault(24248).raise("linux", sigSEGV, 0)
			if got := Analyze(s.Input).Event; got.Kind != Sent || got.By != ByRegisters {
				t.Errorf("%s, %#x: %+v", arch.Name, c.Code, got)
			}
		}
	}
}

// The verdicts on a signal with a known sender, and on one without.
func TestSentVerdicts(t *testing.T) {
	waiting := func(in *Input) { in.Waiting = true }
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"waiting", "SIGILL was sent by process 77; this thread was waiting in loop. none: sent by process 77",
			crashAt(t, movRegister).behindSyscall().fault(77).raise("linux", sigILL, 0).stack("!poll", "loop")},
		{"running", "SIGSEGV was sent by process 77 of user 1000; this thread was running in loop. none: sent by process 77 of user 1000",
			crashAt(t, "").fault(77|1000<<32).raise("linux", sigSEGV, siQueue).stack("loop")},
		{"neither code nor name", "SIGSEGV was sent by process 77 of user 1000; this thread was running or waiting in app + 0x0. none: sent by process 77 of user 1000",
			crashAt(t, "").fault(77|1000<<32).raise("linux", sigSEGV, siQueue).stack("")},
		{"SIGABRT from outside", "SIGABRT arrived while this thread was running in loop. none: SIGABRT",
			crashAt(t, "").raise("linux", sigABRT, 0).stack("loop", "main")},
		{"SIGABRT from outside, while waiting", "SIGABRT arrived while this thread was waiting in loop. none: SIGABRT",
			crashAt(t, "").raise("linux", sigABRT, 0).stack("!poll", "loop", "main").with(waiting)},
		{"abort", "abort() called in loop. none: abort", crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "loop")},
		{"raised", "SIGSEGV was raised by the program itself in loop. none: raised by the program itself",
			crashAt(t, "").raise("linux", sigSEGV, siTkill).stack("!raise", "loop")},
		{"SIGABRT without names", "Abort signal (SIGABRT) in app + 0x0. none: SIGABRT", crashAt(t, "").raise("linux", sigABRT, 0).stack("", "")},
	}
	for _, tt := range tests {
		a := Analyze(tt.s.Input)
		v := Verdict(tt.s.Input, a)
		if got := v.What + " in " + v.Where + ". none: " + a.NoAddress; got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
		if text := said(t, tt.s); strings.Contains(text, "may not be accessed") {
			t.Errorf("%s: %s", tt.name, text)
		}
	}
}

// The address in the record and the instruction may differ; one of them decides.
func TestReconcile(t *testing.T) {
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"LLDB writes the program counter", "Null pointer read in middle. `mov rax, qword [rbx + 0x10]` reads 8 bytes at 0x10; rbx is 0x0.",
			crashAt(t, movLoad).reg(cpu.RBX, 0).fault(codeAddr).raise("linux", sigSEGV, 0)},
		{"LLDB, without code", "Invalid memory access: address unknown in middle. The address is not known: the writer of the dump put the program counter in its place, and the code is not in the dump.",
			crashAt(t, "").fault(codeAddr).raise("linux", sigSEGV, 0)},
		{"the kernel says that execution failed there", "Jump to a bad address in main. Execution went to 0x401000.",
			func() *scene {
				s := crashAt(t, "").fault(codeAddr).raise("linux", sigSEGV, segvAccErr)
				s.Regions, s.Frames[0].ModuleIndex = nil, nil
				return s
			}()},
		{"Crashpad's program counter of a general protection fault", "Write to a non-canonical address in middle. `mov dword [rax], 0x5` writes 4 bytes at 0x1234567812345678; rax is 0x1234567812345678.",
			crashAt(t, movStore).reg(cpu.RAX, 0x1234_5678_1234_5678).fault(codeAddr).raise("mac", excBadAccess, i386GPFault, 1, i386GPFault, 0)},
		{"an address of 0 that was not recorded", "Write to unmapped address 0x900000000 in middle. `mov dword [rax], 0x5` writes 4 bytes at 0x900000000; rax is 0x900000000.",
			crashAt(t, movStore).reg(cpu.RAX, 0x9_0000_0000).raise("linux", sigSEGV, 0)},
		{"the instruction writes, the system says read", "Write to unmapped address 0x900000000 in middle. `mov dword [rax], 0x5` writes 4 bytes at 0x900000000; rax is 0x900000000.",
			crashAt(t, movStore).reg(cpu.RAX, 0x9_0000_0000).windows(0, 0x9_0000_0000)},
		{"of both, the system knows which failed", "Read from unmapped address 0x900000000 in middle. `xchg qword [rdi], rax` reads and writes 8 bytes at 0x900000000; rdi is 0x900000000.",
			crashAt(t, "48 87 07").reg(cpu.RDI, 0x9_0000_0000).windows(0, 0x9_0000_0000)},
		{"another address, which must have failed", "Null pointer write in middle. `mov dword [rax], 0x5` writes 4 bytes at 0x20; rax is 0x20.",
			crashAt(t, movStore).reg(cpu.RAX, 0x20).fault(0x9_0000_0000)},
	}
	for _, tt := range tests {
		v := Verdict(tt.s.Input, Analyze(tt.s.Input))
		if got := v.What + " in " + v.Where + ". " + v.Detail; !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func debugged(in *Input) { in.Debugger = "gdb" }
