package unwind

// Interrupted reports a frame that made no call: its program counter is exact,
// and all of its registers were saved.
func (f *Frame) Interrupted() bool { return f.interrupted }

// CFA is the canonical frame address of a frame by the call frame rules at its
// instruction: what places of variables count from. base is the register that
// the rules count it from, "" where they reckon. Rules that hold at calls only
// say nothing of a frame that was interrupted.
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
