package goroutines

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/runtimes"
)

// A goroutine is one that is not dead.
type goroutine struct {
	runtimes.Task
	syscall bool
}

// A life says whether a goroutine is one.
type life uint8

const (
	damaged life = iota
	dead
	alive
)

// States of goroutines, without the bit of a scan. Source: Go, src/runtime/runtime2.go.
const (
	idleState    = 0
	running      = 2
	inSyscall    = 3
	isWaiting    = 4
	deadState    = 6
	leaked       = 10
	deadExtra    = 11
	scanning     = 0x1000
	zeroReason   = 0
	maxID        = 1 << 48
	maxStackSize = 1 << 32
)

// states are their words in tracebacks.
var states = map[uint64]string{1: "runnable", running: "running", inSyscall: "syscall", isWaiting: "waiting", 8: "copystack", 9: "preempted", leaked: "leaked"}

// maxSize is more than the size of a goroutine's structure that is read.
const maxSize = 512

// field reads a word of a structure whose bytes are b; 0 if the release lacks it.
func (f *finder) field(b []byte, n field) uint64 {
	if at := f.at[n]; at >= 0 && int(at)+8 <= len(b) {
		return f.number(b[at:])
	}
	return 0
}

// goroutine reads a goroutine. One that is not dead has a stack and its stack pointer in it; all name themselves.
func (f *finder) goroutine(addr uint64) (g goroutine, state life) {
	var room [maxSize]byte
	size := max(f.at[gopc], f.at[parent], f.at[waiting], f.at[labels]) + 8
	if addr == 0 || addr%8 != 0 || size > maxSize || f.p.Memory.Read(addr, room[:size]) < int(size) {
		return g, damaged
	}
	b := room[:size]
	status := f.p.Memory.Number(b[f.at[gStatus]:][:4]) &^ scanning
	word, known := states[status]
	g = goroutine{syscall: status == inSyscall, Task: runtimes.Task{
		ID: f.field(b, goid), Address: addr, State: word, Running: status == running, Low: f.field(b, stackLo), High: f.field(b, stackHi),
		Locked: f.field(b, lockedM) != 0, Creator: f.field(b, gopc), Parent: f.field(b, parent),
	}}
	switch {
	case f.at[schedG] >= 0 && f.field(b, schedG) != addr || g.ID > maxID:
		return g, damaged
	case status == deadState || status == deadExtra || status == idleState:
		return g, dead
	case !known || g.ID == 0 || g.Low >= g.High || g.High-g.Low > maxStackSize:
		return g, damaged
	}
	sp, pc, bp := f.field(b, schedSP), f.field(b, schedPC), f.field(b, schedBP)
	if at := f.field(b, syscallSP); g.syscall && at != 0 {
		sp, pc, bp = at, f.field(b, syscallPC), f.field(b, syscallBP)
	}
	if status == isWaiting || status == leaked {
		if n := int(b[f.at[waitReason]]); n >= len(f.reasons) {
			return g, damaged
		} else if n != zeroReason {
			g.State = f.reasons[n]
		}
	}
	if inside := sp >= g.Low && sp <= g.High; inside && pc != 0 {
		f.setRegs(&g.Regs, pc, sp, bp)
	} else if !g.Running {
		return g, damaged
	}
	if status == isWaiting {
		g.Wait = f.wait(g.Address, f.field(b, waiting))
	}
	g.Deferred, g.Labels = f.deferred(f.field(b, deferred)), f.labels(f.field(b, labels))
	return g, alive
}

func (f *finder) setRegs(regs *cpu.Regs, pc, sp, bp uint64) {
	arch := f.p.Arch
	regs.Set(arch.PC, pc)
	regs.Set(arch.SP, sp)
	if bp != 0 && arch.FP != cpu.None {
		regs.Set(arch.FP, bp)
	}
}

// owner returns the number of the thread that a goroutine runs on, 0 if it is not known.
func (f *finder) owner(g uint64) uint64 {
	m, ok := f.word(g + uint64(f.at[gM]))
	if !ok || m == 0 {
		return 0
	}
	id, _ := f.word(m + uint64(f.at[procID]))
	return id
}
