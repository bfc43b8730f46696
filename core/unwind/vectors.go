package unwind

import (
	"slices"
	"strconv"
	"strings"
)

// A walk follows no registers of vectors and floating point: no frame is found
// by one. Where a variable was in one of those that functions have to keep, the
// rules of the frames below say where it is now.

// vectorKept are the registers of floating point that a function leaves as they
// were: how many bytes of each, and their numbers.
//
// Sources: Procedure Call Standard for the Arm 64-bit Architecture, section
// 6.1.2: the low halves of v8 to v15; RISC-V psABI, "Floating-point Register
// Convention": fs0 to fs11.
var vectorKept = map[string]struct {
	prefix  string
	size    int
	numbers []int
}{
	"arm64":   {"v", 8, []int{8, 9, 10, 11, 12, 13, 14, 15}},
	"riscv64": {"f", 8, []int{8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27}},
}

// A SavedVector is where a register of floating point is that a frame had.
type SavedVector struct {
	Size     int // the low bytes that are kept
	InMemory bool
	Addr     uint64 // of those bytes, in memory; otherwise they are in the thread's context
}

// Vector finds a register of floating point of frame i of a stack. Only call
// frame rules that DWARF has for all registers prove that a function left one
// alone: other tables, and symbol files, may lack rules for vectors.
func (in Input) Vector(stack []Frame, i int, reg string) (s SavedVector, ok bool) {
	if in.Arch == nil || i >= len(stack) || len(stack) == 0 || !stack[0].interrupted {
		return s, false
	}
	kept := vectorKept[in.Arch.Name]
	number, ok := strings.CutPrefix(strings.TrimPrefix(reg, "$"), kept.prefix)
	n, err := strconv.Atoi(number)
	if !ok || err != nil || !slices.Contains(kept.numbers, n) {
		return s, false
	}
	s.Size = kept.size
	in.Explain = false
	w := newWalk(in)
	for j := i - 1; j >= 0; j-- {
		if stack[j+1].FoundBy != ByCFI || stack[j+1].Guess {
			return s, false
		}
		from, known := w.vectorRule(&stack[j], reg)
		switch {
		case !known:
			return s, false
		case from.Load:
			from.Load = false
			s.Addr, s.InMemory = w.exec.place(from)
			return s, s.InMemory
		}
	}
	return s, true
}

// vectorRule is what a frame's rules say of a register: a place in memory, or
// that it is as it was.
func (w *walk) vectorRule(f *Frame, reg string) (from Value, known bool) {
	rules, rel := w.rulesAt(f.Module, f.Instruction)
	if rules == nil {
		return from, false
	}
	frame, ok := rules.CallFrame(rel)
	if !ok || frame.Signal || frame.AtCalls || frame.From != ".eh_frame" && frame.From != ".debug_frame" {
		return from, false
	}
	from = At(reg, 0)
	for _, r := range frame.Rules {
		if sameReg(r.Reg, reg) {
			from = r.From
		}
	}
	if from.Expr != nil || from.IsLost() || !from.Load && (from.Off != 0 || !sameReg(from.Base, reg)) {
		return from, false
	}
	if cfa, ok := Find(frame.Rules, CFA); ok {
		w.exec.callee = f
		w.exec.cfa, w.exec.hasCFA = w.exec.value(Rule{CFA, cfa})
	}
	return from, true
}
