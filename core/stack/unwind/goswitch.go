package unwind

import (
	"strings"

	"crashglass/core/machine/cpu"
)

// Offsets in the structures of Go's runtime. Source: Go, src/runtime/runtime2.go (g, m, gobuf).
const (
	goM      = 48 // g.m, behind stack, two guards, _panic and _defer
	goSched  = 56 // g.sched
	goSchedG = goSched + 16
	goSchedB = goSched + 40 // sched.bp
	goWords  = 64           // words of m that are searched for m.curg, whose offset differs
)

// byGoSwitch finds the caller of a function with which Go's runtime left the goroutine's stack: the call frame rules hold for the
// stack that it left. systemstack keeps a frame record in rbp, which the function that it calls saves in front of its own. morestack
// stores the registers of the function that needs more stack. asmcgocall keeps the place that it left. Source: Go, src/runtime/asm_amd64.s.
func byGoSwitch(w *walk, f *Frame) (decision, outcome) {
	fn, _, ok := w.functionAt(f.Module, f.Instruction)
	sp, known := f.Regs.Get(cpu.RSP)
	if !ok || !known || w.signals >= maxSignals || !strings.HasPrefix(fn.Name, "runtime.") {
		return decision{}, none
	}
	var regs cpu.Regs
	switch strings.TrimSuffix(fn.Name, ".abi0") {
	case "runtime.systemstack":
		if ok = goRecord(w, &regs, sp-2*8); ok && regs.Value(cpu.RSP) > sp && w.sameStack(sp, regs.Value(cpu.RSP)) {
			return decision{}, none // it was on that stack already
		}
	case "runtime.morestack":
		ok = goSaved(w, &regs)
	case "runtime.asmcgocall":
		ok = goCalled(w, &regs, sp)
	default:
		return decision{}, none
	}
	if !ok || !w.plausible(regs.Value(cpu.RIP)) {
		w.sayText("the stack that %s left is not known", fn.Name)
		return decision{}, none
	}
	w.signals++
	return decision{values: &regs, trust: CFI, way: ByCFI, switches: true}, found
}

// leftByGo reports whether an address is the first instruction of the function that stands for the stack that Go's runtime has left for C. A callback from C
// returns to it, and nothing there has called: until Go 1.20 on x64, and on arm64. Source: Go, src/runtime/asm_*.s (gosave_systemstack_switch, cgocallback).
func (w *walk) leftByGo(pc uint64) bool {
	fn, rel, ok := w.functionAt(w.moduleAt(pc), pc)
	return ok && fn.Start == rel && strings.TrimSuffix(fn.Name, ".abi0") == "runtime.systemstack_switch"
}

// goRecord reads the frame record to which a word points.
func goRecord(w *walk, regs *cpu.Regs, at uint64) bool {
	bp, ok := w.word(at)
	saved, okBP := w.word(bp)
	pc, okPC := w.word(bp + 8)
	regs.Set(cpu.RBP, saved)
	regs.Set(cpu.RIP, pc)
	regs.Set(cpu.RSP, bp+16)
	return ok && okBP && okPC
}

// goLeft are the offsets from the stack pointer at which asmcgocall has what it left: since Go 1.22, and before.
var goLeft = []uint64{0, 40}

// goCalled reads where asmcgocall was called: its distance from the end of the goroutine's stack, and the goroutine. If it was on the thread's stack
// already, it has the stack pointer and 0. The frame pointer comes before the return address, since the runtime's assembly saves it.
func goCalled(w *walk, regs *cpu.Regs, sp uint64) bool {
	for _, at := range goLeft {
		depth, _ := w.word(sp + at)
		g, ok := w.word(sp + at + 8)
		left := depth
		if g != 0 {
			low, okLow := w.word(g)
			high, okHigh := w.word(g + 8)
			ok = okLow && okHigh && low < high && depth <= high-low
			left = high - depth
		} else if ok = ok && depth > sp && depth-sp < goNear; !ok {
			continue
		}
		first, okFirst := w.word(left)
		if !ok || !okFirst {
			continue
		}
		if !w.plausible(first) {
			regs.Set(cpu.RBP, first)
			left += 8
			first, ok = w.word(left)
		}
		if ok && w.plausible(first) {
			regs.Set(cpu.RIP, first)
			regs.Set(cpu.RSP, left+8)
			return true
		}
	}
	return false
}

// goNear is more than what asmcgocall adds to a stack that it stays on.
const goNear = 96

// goSaved reads the registers of the goroutine that ran on this thread. r14 of Go code is the current g: here that of the thread,
// whose m names itself and the goroutine.
func goSaved(w *walk, regs *cpu.Regs) bool {
	for i := len(w.frames) - 1; i >= 0; i-- {
		g, known := w.frames[i].Regs.Get(cpu.R14)
		m, _ := w.word(g + goM)
		if self, ok := w.word(m); !known || !ok || self != g {
			continue
		}
		for n := range uint64(goWords) {
			running, _ := w.word(m + 8*n)
			owner, _ := w.word(running + goM)
			if named, ok := w.word(running + goSchedG); !ok || running == g || owner != m || named != running {
				continue
			}
			sp, okSP := w.word(running + goSched)
			pc, okPC := w.word(running + goSched + 8)
			bp, okBP := w.word(running + goSchedB)
			regs.Set(cpu.RSP, sp)
			regs.Set(cpu.RIP, pc)
			regs.Set(cpu.RBP, bp)
			return okSP && okPC && okBP
		}
		return false
	}
	return false
}
