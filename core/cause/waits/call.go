package waits

import (
	"slices"

	"crashglass/core/machine/cpu"
)

// interrupted are the results of a blocked system call that a signal or a debugger interrupts:
// -EINTR, and the marks of calls that are restarted later. Source: Linux, include/linux/errno.h,
// ERESTARTSYS to ERESTART_RESTARTBLOCK.
var interrupted = []int32{-4, -512, -513, -514, -516}

// call finds the system call that blocks the thread. There are two proofs. The program counter is behind the
// instruction, or the kernel recorded a call, and the result register has the kernel's mark. Or the program counter is
// at the instruction with the arguments in place: on ARM, ARM64 and RISC-V the kernel moves it back before a dump is
// written. Source: Linux, arch/arm64/kernel/signal.c, do_signal.
func (x *examination) call() {
	rules := cpu.LinuxCalls(x.Arch)
	if x.Regs == nil || rules == nil || !x.OS.IsLinux() {
		return
	}
	behind := x.Call != nil || x.systemCall(x.instruction(true)) || x.returns()
	at := x.systemCall(x.instruction(false))
	switch {
	case behind && x.marked(rules.Result):
	case at && rules.Number != rules.Result:
		behind = false
	case behind && rules.Number != rules.Result:
		x.unmarked(rules)
		return
	default:
		return
	}
	number, ok := x.number(rules, behind)
	if !ok {
		x.unnumbered(rules, behind)
		return
	}
	call, blocks := blockingCall(x.Arch, number)
	if !blocks {
		return
	}
	x.wait.Kind, x.wait.Call = call.kind, call.name
	if call.kind == Futex {
		x.futex(rules, behind)
	}
	if call.fd {
		x.descriptor(rules, behind)
	}
}

// instruction finds a system call instruction in front of the program counter, or at it.
func (x *examination) instruction(behind bool) func(size int) uint64 {
	pc := x.Regs.Value(x.Arch.PC)
	if x.Arch.IsARM() {
		pc &^= 1
	}
	return func(size int) uint64 {
		if behind {
			return pc - uint64(size)
		}
		return pc
	}
}

// returns reports whether rcx equals the program counter: on amd64 the instruction stores the
// return address there. It replaces the code, which most dumps lack for threads that did not crash.
// Source: AMD64 Architecture Programmer's Manual, SYSCALL.
func (x *examination) returns() bool {
	pc, known := x.Regs.Get(x.Arch.PC)
	rcx, kept := x.register("rcx")
	return x.Arch.IsAMD64() && known && kept && pc == rcx
}

// unnumbered handles a system call with an unknown number. It is a futex if the arguments and the
// words behind them fit no other call.
func (x *examination) unnumbered(rules *cpu.Convention, behind bool) {
	x.futex(rules, behind)
	if x.wait.Kind = Futex; x.word0.known {
		x.glibcUnnamed()
	}
	if x.wait.Kind == Futex {
		x.wait = Wait{Thread: -1}
	}
}

// unmarked recognizes a futex without the kernel's mark, as in threads of QEMU's user emulation:
// behind the instruction, with all arguments in place.
func (x *examination) unmarked(rules *cpu.Convention) {
	number, ok := x.register(rules.Number)
	if call, blocks := blockingCall(x.Arch, number); ok && blocks && call.kind == Futex {
		x.prove(Evidence{Kind: Register, Name: rules.Number, Value: number, Meaning: CallNumber})
		x.unnumbered(rules, false)
	}
}

func (x *examination) systemCall(at func(size int) uint64) bool {
	if _, known := x.Regs.Get(x.Arch.PC); !known {
		return false
	}
	return slices.ContainsFunc(cpu.SystemCalls(x.Arch), func(c cpu.Encoding) bool {
		v, ok := x.word(at(c.Size), c.Size)
		return ok && v&c.Mask == c.Code
	})
}

// marked reports whether a register has the kernel's mark.
func (x *examination) marked(name string) bool {
	v, ok := x.register(name)
	if !ok || !slices.Contains(interrupted, int32(v)) {
		return false
	}
	x.prove(Evidence{Kind: Register, Name: name, Value: v, Meaning: Interrupted})
	return true
}

func (x *examination) register(name string) (uint64, bool) {
	r, ok := x.Arch.Reg(name)
	if !ok {
		return 0, false
	}
	return x.Regs.Get(r)
}

// number returns the number of the system call: from the kernel's record, the register, or the code
// in front that loaded the register before the result replaced it.
func (x *examination) number(rules *cpu.Convention, behind bool) (uint64, bool) {
	if x.Call != nil {
		x.prove(Evidence{Kind: Number, Value: *x.Call, Meaning: CallNumber})
		return *x.Call, true
	}
	if rules.Number != rules.Result {
		v, ok := x.register(rules.Number)
		if ok {
			x.prove(Evidence{Kind: Register, Name: rules.Number, Value: v, Meaning: CallNumber})
		}
		return v, ok
	}
	return x.loaded(behind)
}

// argument returns an argument of the system call. The first one is lost if its register has the
// result.
func (x *examination) argument(rules *cpu.Convention, i int, behind bool, m Meaning) (uint64, bool) {
	name := rules.Args[i]
	if behind && name == rules.Result {
		return 0, false
	}
	v, ok := x.register(name)
	if ok {
		x.prove(Evidence{Kind: Register, Name: name, Value: v, Meaning: m})
	}
	return v, ok
}

func (x *examination) descriptor(rules *cpu.Convention, behind bool) {
	if v, ok := x.argument(rules, 0, behind, File); ok {
		fd := int64(int32(v))
		x.wait.Descriptor = &fd
	}
}
