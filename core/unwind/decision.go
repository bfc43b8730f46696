package unwind

import "crashglass/core/cpu"

// A method decides how the caller of a frame is found.
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

// A decision says how the caller is found, and what that is based on.
type decision struct {
	rules []Rule  // without a rule for the CFA the caller's stack pointer stays unknown
	keep  cpu.Set // registers that the caller has as the callee does, unless a rule says otherwise
	trust Trust
	way   Way

	values   *cpu.Regs // what a STACK WIN program has computed, instead of rules
	searched cpu.Set   // see Frame

	interrupted bool // the caller was interrupted, and did not call
	samesp      bool // nothing need be on the stack
	again       bool // see Frame
	loose       bool // code of this system keeps anything in the registers that the rules use
}

// rules makes a decision's rules.
func (w *walk) rules(rules ...Rule) []Rule { return append(w.room[:0], rules...) }

// frameRules are rules for a frame whose return address is the word below the CFA.
func (w *walk) frameRules(base string, size int64, more ...Rule) []Rule {
	return append(w.rules(Rule{CFA, At(base, size)}, Rule{RA, Word(CFA, -int64(w.Word))}), more...)
}

// spName is what rules call the stack pointer, or the lowest address that it can
// have where it is not known.
func (w *walk) spName(f *Frame) string {
	if f.Regs.Known().Has(w.SP) {
		return w.RegName(w.SP)
	}
	return stackBase
}

// stackBase is what rules call the lowest address that a frame's stack pointer can have.
const stackBase = ".stack"

// spOf is the value of spName.
func (f *Frame) spOf(sp cpu.Reg) uint64 {
	if v, ok := f.Regs.Get(sp); ok {
		return v
	}
	return f.base
}
