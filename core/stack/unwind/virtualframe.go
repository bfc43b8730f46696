package unwind

import (
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
)

// virtualFrame is the variable of STACK WIN programs that locations of variables are relative to:
// VFRAME of cvinfo.h.
const virtualFrame = "$T0"

// VirtualFrame returns the virtual frame of frame i of an x86 stack, which its unwind program
// computes. There is none if the program had to search for the return address, or if the walk took
// another caller.
func (in Input) VirtualFrame(stack []Frame, i int) (uint64, bool) {
	if in.Arch == nil || i >= len(stack) {
		return 0, false
	}
	in.Explain = false
	w := newWalk(in)
	if !slices.ContainsFunc(w.ladder, func(m method) bool { return m.method == WinFrames }) {
		return 0, false
	}
	w.frames = stack[: i+1 : i+1]
	f := &stack[i]
	rules, rel := w.rulesAt(f.Module, f.Instruction)
	if rules == nil {
		return 0, false
	}
	rec, ok := rules.WinFrame(rel)
	if !ok || rec.Program == "" {
		return 0, false
	}
	s := &winStep{w: w, f: f, rec: rec, trust: CFI, calleeParams: w.calleeParams()}
	if !s.prepare() || s.searched() {
		return 0, false
	}
	if f.Searched.Has(cpu.EBP) {
		delete(s.vars, "$ebp") // a program that needs it fails
	}
	if _, ok := s.evaluate(); !ok || s.trust != CFI || !s.leadsTo(stack[i+1:]) {
		return 0, false
	}
	v, ok := s.vars[virtualFrame]
	return v, ok
}

// searched reports whether the program depends on a return address that a search found, or on an
// ebp that is not proved.
func (s *winStep) searched() bool {
	if strings.Contains(s.rec.Program, "@") && s.f.Searched.Has(cpu.EBP) {
		return true
	}
	exact := s.mask(s.regsStart + uint64(s.rec.Locals) + uint64(s.rec.SavedRegs))
	return strings.Contains(s.rec.Program, ".raSearch") && s.raStart != exact
}

// leadsTo reports whether the program finds the walk's caller. If the walk found none, a searched
// return address proves nothing.
func (s *winStep) leadsTo(callers []Frame) bool {
	if len(callers) == 0 {
		return !strings.Contains(s.rec.Program, ".raSearch")
	}
	c := &callers[0]
	return s.vars["$eip"] == c.ReturnAddress && s.vars["$esp"] == c.Regs.Value(cpu.ESP)
}
