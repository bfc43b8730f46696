package unwind

import (
	"slices"
	"strconv"
	"strings"
)

// A walk does not track vector and floating point registers, because no method needs them. If a
// variable was in a preserved one, the rules of the frames below locate its saved value.

// A vectorSet is the floating point registers that functions preserve.
type vectorSet struct {
	prefix  string
	size    int // the low bytes that are preserved
	numbers []int
}

// A SavedVector is the place of a frame's floating point register.
type SavedVector struct {
	Size     int // the low bytes that are preserved
	InMemory bool
	Addr     uint64 // of those bytes, if InMemory; otherwise they are in the thread's context
}

// Vector finds a floating point register of frame i of a stack. Only DWARF's call frame rules,
// which cover all registers, prove that a function preserved one: other tables, and symbol files,
// may lack rules for vectors.
func (in Input) Vector(stack []Frame, i int, reg string) (s SavedVector, ok bool) {
	if in.Arch == nil || i >= len(stack) || len(stack) == 0 || !stack[0].Interrupted {
		return s, false
	}
	in.Explain = false
	w := newWalk(in)
	kept := w.vectors
	number, ok := strings.CutPrefix(strings.TrimPrefix(reg, "$"), kept.prefix)
	n, err := strconv.Atoi(number)
	if !ok || err != nil || !slices.Contains(kept.numbers, n) {
		return s, false
	}
	s.Size = kept.size
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

// vectorRule returns a frame's rule for a register: a place in memory, or that it is unchanged.
func (w *walk) vectorRule(f *Frame, reg string) (from Value, known bool) {
	frame, ok := w.callFrameAt(f.Module, f.Instruction)
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
