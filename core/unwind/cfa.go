package unwind

// Interrupted reports whether a frame made no call: its program counter is exact, and all its
// registers were saved.
func (f *Frame) Interrupted() bool { return f.interrupted }

// CFA returns the canonical frame address of a frame, by the call frame rules at its instruction.
// Locations of variables are relative to it. base is the register of the CFA's rule, or "" if the
// rule is an expression. Rules that hold only at calls do not apply to an interrupted frame.
func (in Input) CFA(f *Frame) (cfa uint64, base string, ok bool) {
	if in.Arch == nil {
		return 0, "", false
	}
	in.Explain = false
	w := newWalk(in)
	rules, rel := w.rulesAt(f.Module, f.Instruction)
	if rules == nil {
		return 0, "", false
	}
	frame, ok := rules.CallFrame(rel)
	if !ok || frame.AtCalls && f.interrupted {
		return 0, "", false
	}
	rule, ok := Find(frame.Rules, CFA)
	if !ok {
		return 0, "", false
	}
	w.exec.callee = f
	cfa, ok = w.exec.value(Rule{CFA, rule})
	if !rule.Load {
		base = rule.Base
	}
	return cfa, base, ok
}
