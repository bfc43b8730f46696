package waits

import (
	"slices"

	"crashglass/core/cpu"
)

// interrupted are the results of a blocked system call that a signal or a debugger interrupts:
// -EINTR, and the marks of calls that are restarted later. Source: Linux, include/linux/errno.h,
// ERESTARTSYS to ERESTART_RESTARTBLOCK.
var interrupted = []int32{-4, -512, -513, -514, -516}

// call finds the system call that blocks the thread. There are two proofs. The program counter is behind the
// instruction, or the kernel recorded a call, and the result register has the kernel's mark. Or the program counter is
// at the instruction with the arguments in place: on ARM, ARM64 and RISC-V the kernel moves it back before a dump is
// written. Source: Linux, arch/arm64/kernel/signal.c, do_signal.
func (l *look) call() {
	rules, known := conventions[l.Arch]
	if l.Regs == nil || !known || l.OS != "linux" && l.OS != "android" {
		return
	}
	behind := l.Call != nil || l.systemCall(l.instruction(true)) || l.returns()
	at := l.systemCall(l.instruction(false))
	switch {
	case behind && l.marked(rules.result):
	case at && rules.number != rules.result:
		behind = false
	case behind && rules.number != rules.result:
		l.unmarked(rules)
		return
	default:
		return
	}
	number, ok := l.number(rules, behind)
	if !ok {
		l.unnumbered(rules, behind)
		return
	}
	call, blocks := blockingCalls[l.Arch][number]
	if !blocks {
		return
	}
	l.wait.Kind, l.wait.Call = call.kind, call.name
	if call.name == bFutex.name {
		l.futex(rules, behind)
	}
	if call.fd {
		l.descriptor(rules, behind)
	}
}

// instruction finds a system call instruction in front of the program counter, or at it.
func (l *look) instruction(behind bool) func(size int) uint64 {
	pc := l.Regs.Value(l.Arch.PC)
	if l.Arch == &cpu.ARM {
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
func (l *look) returns() bool {
	pc, known := l.Regs.Get(l.Arch.PC)
	rcx, kept := l.register("rcx")
	return l.Arch == &cpu.AMD64 && known && kept && pc == rcx
}

// unnumbered handles a system call with an unknown number. It is a futex if the arguments and the
// words behind them fit no other call.
func (l *look) unnumbered(rules convention, behind bool) {
	l.futex(rules, behind)
	if l.wait.Kind = Futex; l.word0.known {
		l.glibcUnnamed()
	}
	if l.wait.Kind == Futex {
		l.wait = Wait{Thread: -1}
	}
}

// unmarked recognizes a futex without the kernel's mark, as in threads of QEMU's user emulation:
// behind the instruction, with all arguments in place.
func (l *look) unmarked(rules convention) {
	number, ok := l.register(rules.number)
	if call, blocks := blockingCalls[l.Arch][number]; ok && blocks && call.name == bFutex.name {
		l.prove(Evidence{Kind: Register, Name: rules.number, Value: number, Meaning: CallNumber})
		l.unnumbered(rules, false)
	}
}

func (l *look) systemCall(at func(size int) uint64) bool {
	if _, known := l.Regs.Get(l.Arch.PC); !known {
		return false
	}
	for _, c := range cpu.SystemCalls(l.Arch) {
		if v, ok := l.word(at(c.Size), c.Size); ok && v&c.Mask == c.Code {
			return true
		}
	}
	return false
}

// marked reports whether a register has the kernel's mark.
func (l *look) marked(name string) bool {
	v, ok := l.register(name)
	if !ok || !slices.Contains(interrupted, int32(v)) {
		return false
	}
	l.prove(Evidence{Kind: Register, Name: name, Value: v, Meaning: Interrupted})
	return true
}

func (l *look) register(name string) (uint64, bool) {
	r, ok := l.Arch.Reg(name)
	if !ok {
		return 0, false
	}
	return l.Regs.Get(r)
}

// number returns the number of the system call: from the kernel's record, the register, or the code
// in front that loaded the register before the result replaced it.
func (l *look) number(rules convention, behind bool) (uint64, bool) {
	if l.Call != nil {
		l.prove(Evidence{Kind: Number, Value: *l.Call, Meaning: CallNumber})
		return *l.Call, true
	}
	if rules.number != rules.result {
		v, ok := l.register(rules.number)
		if ok {
			l.prove(Evidence{Kind: Register, Name: rules.number, Value: v, Meaning: CallNumber})
		}
		return v, ok
	}
	return l.loaded(behind)
}

// argument returns an argument of the system call. The first one is lost if its register has the
// result.
func (l *look) argument(rules convention, i int, behind bool, m Meaning) (uint64, bool) {
	name := rules.args[i]
	if behind && name == rules.result {
		return 0, false
	}
	v, ok := l.register(name)
	if ok {
		l.prove(Evidence{Kind: Register, Name: name, Value: v, Meaning: m})
	}
	return v, ok
}

func (l *look) descriptor(rules convention, behind bool) {
	if v, ok := l.argument(rules, 0, behind, File); ok {
		fd := int64(int32(v))
		l.wait.Descriptor = &fd
	}
}
