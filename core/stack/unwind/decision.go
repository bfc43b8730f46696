package unwind

import "crashglass/core/machine/cpu"

// A method decides how to find the caller of a frame.
type method struct {
	method Method
	decide func(*walk, *Frame) (decision, outcome)
}

type outcome uint8

const (
	none  outcome = iota // the next method is tried
	found                // there is a decision
	ended                // walk.end is set: there is no caller
)

// A decision states how to find the caller, and the evidence for it.
type decision struct {
	rules []Rule  // without a rule for the CFA the caller's stack pointer stays unknown
	keep  cpu.Set // registers with the same value in the caller, unless a rule restores them
	trust Trust
	way   Way

	values   *cpu.Regs // the result of a STACK WIN program, in place of rules
	searched cpu.Set   // see Frame

	interrupted bool // the caller was interrupted and made no call
	samesp      bool // the frame may have nothing on the stack
	switches    bool // the caller has another stack
	again       bool // see Frame
	loose       bool // on this system the registers of the rules may hold anything
}

// rules stores a decision's rules without allocating.
func (w *walk) rules(rules ...Rule) []Rule { return append(w.room[:0], rules...) }

// frameRules returns rules for a frame with its return address in the word below the CFA.
func (w *walk) frameRules(base string, size int64, more ...Rule) []Rule {
	return append(w.rules(Rule{CFA, At(base, size)}, Rule{RA, Word(CFA, -int64(w.Word))}), more...)
}

// spName is the stack pointer in rules or, if that is unknown, its lowest possible value.
func (w *walk) spName(f *Frame) string {
	if f.Regs.Known().Has(w.SP) {
		return w.RegName(w.SP)
	}
	return stackBase
}

// stackBase is the name in rules of the lowest possible value of a frame's stack pointer.
const stackBase = ".stack"

// spOf returns the value of spName.
func (f *Frame) spOf(sp cpu.Reg) uint64 {
	if v, ok := f.Regs.Get(sp); ok {
		return v
	}
	return f.base
}
