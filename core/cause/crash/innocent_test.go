package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

// A signal without si_code, with numbers that can be a process and a user in place of an address.
// The instruction tells whether it was a fault: some must have failed, some cannot have.
func TestGuiltOfAnInstruction(t *testing.T) {
	const (
		pid   = 24248
		sent  = "sent"
		fault = "fault"
		cli   = "fa"
		hlt   = "f4"
		udf   = "00 00 00 00"
		nop   = "1f 20 03 d5" // of arm64
	)
	signal := func(code string, number uint32) *scene {
		return crashAt(t, code).fault(pid|1000<<32).raise("linux", number, siUser)
	}
	good := func(code string, number uint32) *scene {
		return signal(code, number).reg(cpu.RAX, heapBase).reg(cpu.RBX, heapBase).reg(cpu.RCX, 3).put(heapBase, codeAddr).put(stackLow+0x1000, codeAddr)
	}
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"SIGSEGV: a load of good memory", sent, good(movLoad, sigSEGV)},
		{"a load of good memory, and no number of a process", fault, good(movLoad, sigSEGV).fault(0x9000_0000)},
		{"a load of the number that was reported", fault, good(movLoad, sigSEGV).reg(cpu.RBX, pid-0x10).fault(pid)},
		{"a load of a low address", fault, good(movLoad, sigSEGV).reg(cpu.RBX, 0xffef)},
		{"the first address that something can be at", sent, good(movLoad, sigSEGV).reg(cpu.RBX, 0xfff0)},
		{"a load of a non-canonical address", fault, good(movLoad, sigSEGV).reg(cpu.RBX, 1<<60)},
		{"a load of 0, which the record has for no address", fault, good(movStore, sigSEGV).reg(cpu.RAX, 0).fault(0)},
		{"no access", sent, good(movRegister, sigSEGV)},
		{"no access, and no number of a process", sent, good(movRegister, sigSEGV).fault(0)},
		{"an instruction of the kernel", fault, good(cli, sigSEGV)},
		{"hlt", fault, good(hlt, sigSEGV)},
		{"a call through good memory may go to bad memory", fault, good(callMem, sigSEGV)},
		{"a return", fault, good(ret, sigSEGV)},
		{"a direct call", sent, good("e8 00 00 00 00", sigSEGV)},
		{"a trap", fault, good("cc", sigSEGV)},
		{"the program counter is the address", fault, good(movRegister, sigSEGV).fault(codeAddr).with(func(in *Input) { in.Regions[0].Access = "r--" })},
		{"no code was captured", sent, good("", sigSEGV)},
		{"no code, and a number without a user", fault, good("", sigSEGV).fault(pid)},
		{"SIGBUS: a load of good memory", sent, good(movLoad, sigBUS)},
		{"a store that leaves its alignment open", sent, good("0f 29 00", sigBUS)},

		{"SIGILL: ud2", fault, good("0f 0b", sigILL)},
		{"udf of arm64", fault, signal(udf, sigILL).on(&cpu.ARM64)},
		{"nop of arm64", sent, signal(nop, sigILL).on(&cpu.ARM64)},
		{"a legal instruction", sent, good(movRegister, sigILL)},
		{"popcnt, which old processors lack", fault, good("f3 0f b8 c1", sigILL)},
		{"AVX", fault, good("c5 f9 ef c0", sigILL)},
		{"bytes that are no instruction", sent, good("ff ff", sigILL)},
		{"the same, and a number without a user", fault, good("ff ff", sigILL).fault(pid)},

		{"SIGFPE: a division", fault, good("f7 f9", sigFPE)},
		{"addsd, if its exceptions are enabled", fault, good("f2 0f 58 c1", sigFPE)},
		{"cvttsd2si", fault, good("f2 0f 2c c1", sigFPE)},
		{"fdiv", fault, good("d8 f1", sigFPE)},
		{"ldmxcsr", fault, good("0f ae 10", sigFPE)},
		{"an integer addition", sent, good("01 c8", sigFPE)},

		{"SIGTRAP: int3 in front", fault, func() *scene { s := good(movRegister, sigTRAP); s.bytes[codeAddr-1] = 0xcc; return s }()},
		{"icebp in front", fault, func() *scene { s := good(movRegister, sigTRAP); s.bytes[codeAddr-1] = 0xf1; return s }()},
		{"another byte in front", sent, func() *scene { s := good(movRegister, sigTRAP); s.bytes[codeAddr-1] = 0x90; return s }()},
		{"the byte in front was not captured", sent, good(movRegister, sigTRAP)},
		{"the same, and no number of a process", fault, good(movRegister, sigTRAP).fault(0)},
		{"arm64: brk is at the program counter", fault, signal("20 00 20 d4", sigTRAP).on(&cpu.ARM64)},
		{"arm64: a byte in front says nothing", sent, func() *scene { s := signal(nop, sigTRAP).on(&cpu.ARM64); s.bytes[codeAddr-1] = 0xcc; return s }()},
		{"x86: int3 in front", fault, func() *scene {
			s := signal("89 df", sigTRAP).on(&cpu.X86).fault(pid)
			s.bytes[codeAddr-1] = 0xcc
			return s
		}()},
	}
	for _, tt := range tests {
		ev := Analyze(tt.s.Input).Event
		got := map[EventKind]string{Sent: sent, Faulted: fault}[ev.Kind]
		if got != tt.want {
			t.Errorf("%s: %q by witness %d, want %s", tt.name, got, ev.By, tt.want)
		}
	}
}

// Extensions and floating-point instructions are told by their mnemonics.
func TestMnemonics(t *testing.T) {
	for name, want := range map[string][2]bool{ // extension, float
		"addss": {false, true}, "mulpd": {false, true}, "divps": {false, true}, "sqrtsd": {false, true}, "fadd": {false, true}, "cvtsi2sd": {false, true}, "vcvtps2pd": {true, true},
		"ldmxcsr": {false, true}, "vaddss": {true, true}, "vzeroupper": {true, false}, "popcnt": {true, false}, "crc32": {true, false}, "endbr64": {true, false},
		"mov": {false, false}, "idiv": {false, false}, "add": {false, false}, "push": {false, false}, "syscall": {false, false},
	} {
		if got := [2]bool{isExtension(name), isFloat(name)}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// The order of witnesses: a fact of the record before the sender, the sender before the stack.
func TestWitnesses(t *testing.T) {
	const pid = 24248
	abort := func(code uint32, stack ...string) *scene {
		return crashAt(t, "").raise("linux", sigABRT, code).stack(stack...)
	}
	self := func(in *Input) { in.PID = pid }
	tests := []struct {
		name string
		s    *scene
		want Event
	}{
		{"abort on the stack, though another process sent it", abort(siUser, "!raise", "!abort", "work").fault(pid | 1000<<32),
			Event{Kind: Raised, By: ByStack, Signal: sigABRT, Sender: Sender{PID: pid, UID: 1000, KnowsUser: true}}},
		{"sigqueue: neither abort nor raise does that", abort(siQueue, "").fault(pid), Event{Kind: Sent, By: BySender, Signal: sigABRT, Sender: Sender{PID: pid}}},
		{"SI_QUEUE on Apple is no code", crashAt(t, "").raise("mac", excCrash, 6<<24).stack(""), Event{Signal: sigABRT}},
		{"a timer", abort(siTimer, ""), Event{Kind: Sent, By: BySender, Signal: sigABRT, Sender: Sender{Timer: true}}},
		{"the kernel", abort(siKernel, ""), Event{Kind: Sent, By: BySender, Signal: sigABRT, Sender: Sender{Kernel: true}}},
		{"another process, and the program's number is known", abort(siUser, "work").fault(pid).with(func(in *Input) { in.PID = 1 }),
			Event{Kind: Sent, By: BySender, Signal: sigABRT, Sender: Sender{PID: pid}}},
		{"another process, and names are missing", abort(siUser, "").fault(pid).with(func(in *Input) { in.PID = 1 }), Event{Signal: sigABRT, Sender: Sender{PID: pid}}},
		{"names by scanning", abort(siUser, "work").with(func(in *Input) { in.Frames[0].Guess = true }), Event{Signal: sigABRT}},
		{"an uncertain name of the system", abort(siUser, "!poll", "work").with(func(in *Input) { in.Frames[0].UsedAnyway = true }), Event{Signal: sigABRT}},
		{"an uncertain name of the program", abort(siUser, "work").with(func(in *Input) { in.Frames[0].UsedAnyway = true }), Event{Kind: Sent, By: ByStack, Signal: sigABRT}},
		{"nothing but the system", abort(siUser, "!poll"), Event{Signal: sigABRT}},
		{"a failed assertion ends in abort", abort(siUser, "!qt_assert", "work"), Event{Kind: Raised, By: ByStack, Signal: sigABRT}},
		{"a fault that a handler raises again", crashAt(t, movLoad).fault(pid).raise("linux", sigSEGV, siUser).stack("!raise", "handler").behindSyscall(),
			Event{Kind: Raised, By: ByRegisters, Signal: sigSEGV, Sender: Sender{PID: pid}}},
		{"raise on the stack of a fault", load(t, 0x9000_0000).stack("work", "!raise"), Event{Kind: Faulted, By: ByRecord, Signal: sigSEGV}},
		{"no code, and the program itself", crashAt(t, "").fault(pid).raise("linux", sigSEGV, siUser).with(self), Event{Kind: Raised, By: BySender, Signal: sigSEGV, Sender: Sender{PID: pid, Self: true}}},
		{"seccomp", crashAt(t, "").fault(codeAddr).raise("linux", sigSYS, 1), Event{Kind: Killed, By: ByRecord, Signal: sigSYS}},
		{"SIGSYS of a writer that does not know si_code", crashAt(t, "").raise("linux", sigSYS, siUser), Event{Kind: Killed, By: ByRecord, Signal: sigSYS}},
		{"SIGSYS by kill", crashAt(t, "").fault(pid).raise("linux", sigSYS, siUser), Event{Kind: Sent, By: ByRecord, Signal: sigSYS, Sender: Sender{PID: pid}}},
		{"SIGSYS by tkill", crashAt(t, "").fault(pid).raise("linux", sigSYS, siTkill), Event{Kind: Sent, By: ByRecord, Signal: sigSYS, Sender: Sender{PID: pid}}},
		{"a negative code that does not exist is a fault's", crashAt(t, movRegister).fault(pid).raise("linux", sigSEGV, 0xffff_ff00), Event{Kind: Faulted, By: ByRecord, Signal: sigSEGV}},
		{"the kernel's SI_USER without a process", crashAt(t, movStore).raise("linux", sigSEGV, siUser).with(func(in *Input) { in.KernelSignal = true }),
			Event{Kind: Sent, By: ByRecord, Signal: sigSEGV}},
		{"the same on CPUs whose kernel had faults of code 0", crashAt(t, "").on(&cpu.ARM64).raise("linux", sigSEGV, siUser).with(func(in *Input) { in.KernelSignal = true }),
			Event{Kind: Faulted, By: ByRecord, Signal: sigSEGV}},
		{"the kernel's SEGV_MAPERR", load(t, 0x10).with(func(in *Input) { in.KernelSignal = true }), Event{Kind: Faulted, By: ByRecord, Signal: sigSEGV}},
		{"Windows: an access violation by RaiseException", crashAt(t, "").windows(0, 0).stack("!RaiseException", "work"), Event{Kind: Raised, By: ByStack}},
		{"Windows: a code that only software raises", crashAt(t, "").raise("windows", cppException, 0).stack("work"), Event{Kind: Raised, By: ByRecord}},
		{"Windows: nothing had failed", crashAt(t, "").raise("windows", simulatedWindows, 0), Event{Kind: Requested, By: ByRecord}},
		{"Fuchsia", crashAt(t, "").raise("fuchsia", fuchsiaPageFault, 0), Event{Kind: Faulted, By: ByRecord}},
		{"a code that Fuchsia does not have", crashAt(t, "").raise("fuchsia", 0x7777, 0), Event{}},
		{"the same code on another system", crashAt(t, "").raise("solaris", fuchsiaPageFault, 0), Event{}},
	}
	for _, tt := range tests {
		if got := Analyze(tt.s.Input).Event; got != tt.want {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.name, got, tt.want)
		}
	}
}

// What is said of SIGABRT is as certain as its witness.
func TestAbortTexts(t *testing.T) {
	const pid = 24248
	abort := func(code uint32, stack ...string) *scene {
		return crashAt(t, "").raise("linux", sigABRT, code).stack(stack...)
	}
	outside := func(s *scene) *scene { return s.put(codeAddr-8, 0x9090_9090_9090_9090) }
	asserted := abort(siTkill, "!raise", "!abort", "work")
	asserted.Assertion = "the queue is empty"
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"abort", "abort() called. `abort` is on the stack.", abort(siTkill, "!raise", "!abort", "work")},
		{"with a message", "abort() called. `abort` is on the stack. the queue is empty", asserted},
		{"raise", "raise(SIGABRT) called. `raise` is on the stack: the program raised the signal itself.", abort(siTkill, "!raise", "work")},
		{"the program itself", "The program raised SIGABRT. The sender of the signal is the program itself, as abort and raise do it.",
			abort(siTkill, "").fault(pid).with(func(in *Input) { in.PID = pid })},
		{"a timer", "SIGABRT was sent by a timer; this thread was running or waiting. The sender is a timer.", abort(siTimer, "")},
		{"the kernel", "SIGABRT was sent by the kernel; this thread was running or waiting. The sender is the kernel.", abort(siKernel, "")},
		{"another process", "SIGABRT was sent by process 24248; this thread was running. The sender is process 24248: probably a watchdog, or a user.",
			abort(siUser, "work").fault(pid).with(func(in *Input) { in.PID = 1 })},
		{"another process, by the kernel's core", "SIGABRT was sent by process 24248; this thread was running or waiting. The sender is process 24248: probably a watchdog, or a user.",
			abort(siUser, "").fault(pid).with(func(in *Input) { in.PID, in.KernelSignal = 1, true })},
		{"the numbers may be of different namespaces", "Abort signal (SIGABRT).", abort(siUser, "").fault(pid).with(func(in *Input) { in.PID, in.KernelSignal, in.Crashpad = 1, true, true })},
		{"by the names alone", "SIGABRT arrived while this thread was running. Neither abort nor raise is on the stack: the signal was probably sent by a watchdog or a user.", abort(siUser, "work")},
		{"the program ran", "SIGABRT arrived while this thread was running. The program counter is behind no system call, with which abort and raise send the signal: probably a watchdog or a user sent it.",
			outside(abort(siUser, ""))},
		{"the program ran, and the process is known", "SIGABRT was sent by process 24248; this thread was running. The program counter is behind no system call", outside(abort(siUser, "")).fault(pid)},
		{"another thread of the program", "The program raised SIGABRT. The sender of the signal is the program itself, and this thread was in no system call: another thread sent it.",
			outside(abort(siTkill, "")).fault(pid).with(func(in *Input) { in.PID = pid })},
		{"the names of abort count for more", "abort() called.", outside(abort(siTkill, "!raise", "!abort", "work"))},
		{"in a system call", "Abort signal (SIGABRT). The program probably called abort;", abort(siUser, "").behindSyscall()},
		{"not known", "Abort signal (SIGABRT). The program probably called abort; the functions on the stack that would prove it have no names.", abort(siUser, "")},
		{"not known, with a sender", "Abort signal (SIGABRT). The program probably called abort; the functions on the stack that would prove it have no names. The signal came from process 24248.",
			abort(siUser, "").fault(pid)},
	}
	for _, tt := range tests {
		if got := said(t, tt.s); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}
