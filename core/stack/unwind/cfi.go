package unwind

// byCFI follows the call frame rules at the frame's instruction. A register that the rules do not
// mention has the callee's value, if the ABI preserves it.
func byCFI(w *walk, f *Frame) (decision, outcome) {
	rules, rel := w.rulesAt(f.Module, f.Instruction)
	if rules == nil {
		w.say("no symbols for this address")
		return decision{}, none
	}
	frame, ok := rules.CallFrame(rel)
	if !ok {
		w.say("no call frame rules cover %#x", rel)
		return decision{}, none
	}
	if frame.From != "" {
		w.sayText("rules from %s", frame.From)
	}
	if frame.AtCalls && f.Interrupted {
		return betweenCalls(w, f, frame)
	}
	if frame.Signal && w.signals >= maxSignals {
		w.refuse("%d signal frames in this stack already", uint64(w.signals))
		return decision{}, none
	}
	d, out := w.byRules(f, frame.Rules)
	d.interrupted = frame.Signal
	if out == found && f.Guess && !frame.Signal && w.guessLeadsOutside(f, &d) {
		return d, none
	}
	if out == found && f.again && f.Trust == FramePointer && !frame.Signal {
		return w.byRulesAbove(f, d)
	}
	return d, out
}

// guessLeadsOutside reports whether the rules of a guessed function lead to an address where no code is known: the guess is probably wrong.
func (w *walk) guessLeadsOutside(f *Frame, d *decision) bool {
	c, ok := w.try(f, d)
	if !ok || !w.outside(c.ReturnAddress) {
		return false
	}
	w.refuse("the rules of a guessed function lead to %#x, outside of every module", c.ReturnAddress)
	return true
}

// outside reports whether an address that is not 0 lies outside of every module and of all memory that is known to be code.
func (w *walk) outside(pc uint64) bool {
	return pc != 0 && w.in.Modules.At(pc-1) == nil && w.executable(pc) != yes && !w.isGenerated(pc-1)
}

// byRulesAbove applies call frame rules to a frame whose stack pointer may be too low: not every
// compiler puts the frame record at the top of a frame. Rules that count from there must lead to
// code. If they lead nowhere, or to the frame's own return address, that may stand a second time on the
// stack, where the callee stored its link register; then the frame begins behind it.
func (w *walk) byRulesAbove(f *Frame, d decision) (decision, outcome) {
	c, ok := w.try(f, &d)
	leads := ok && w.runs(c.ReturnAddress)
	if leads && c.ReturnAddress != f.ReturnAddress {
		return d, found
	}
	above := *f
	if at, ok := w.returnsAgain(f); ok {
		above.Regs.Set(w.SP, at+uint64(w.Word))
		if up, ok := w.try(&above, &d); ok && up.base > at && w.plausible(up.ReturnAddress) {
			w.say("the rules lead to a return address if the frame begins behind %#x, where its own stands again", at)
			return decision{values: &up.Regs, trust: CFIScan, way: ByCFI}, found
		}
	}
	if above.Regs.Forget(w.SP); ok {
		if _, ok := w.try(&above, &d); ok || leads {
			return d, found // the stack pointer does not matter, or the function calls itself
		}
		w.refuse("the rules lead to %#x from a stack pointer that may be too low", c.ReturnAddress)
	}
	return d, none
}

// returnsAgain finds a frame's return address on the stack above its callee's record.
func (w *walk) returnsAgain(f *Frame) (at uint64, ok bool) {
	for i := range scanWords {
		at = f.base + uint64(i*w.Word)
		if v, ok := w.peek(at); !ok || w.strip(v) == f.ReturnAddress {
			return at, ok
		}
	}
	return 0, false
}

// byRules returns the decision of call frame rules.
func (w *walk) byRules(f *Frame, rules []Rule) (decision, outcome) {
	_, okCFA := Find(rules, CFA)
	ra, okRA := Find(rules, RA)
	switch {
	case !okCFA || !okRA:
		w.refuse("the rules lack .cfa or .ra")
		return decision{}, none
	case ra.IsLost() && f.Guess:
		w.end = End{Kind: GuessedUndefined}
		return decision{}, ended
	case ra.IsLost():
		w.end = End{Kind: Undefined}
		return decision{}, ended
	}
	return decision{rules: rules, keep: w.CalleeSaved, trust: CFI, way: ByCFI}, found
}

// betweenCalls decides for an interrupted frame with rules that hold only at calls. They are wrong
// in a prologue or epilogue, so captured code decides. Without code the rules count if they lead to
// a return address: to the link register's, as long as the return address is still there.
func betweenCalls(w *walk, f *Frame, frame CallFrame) (decision, outcome) {
	w.say("the rules hold at calls only")
	if d, out := w.byFunctionCode(f, w.baseOf(f)+frame.Start, frame.Size); out != none {
		return d, out
	}
	d, out := w.byRules(f, frame.Rules)
	if out != found {
		return d, out
	}
	c, ok := w.try(f, &d)
	if !ok {
		return d, none
	}
	if pc := c.ReturnAddress; !w.plausible(pc) {
		w.refuse("%#x is no return address", pc)
		return d, none
	} else if lr, ok := w.link(f); ok && lr != pc && w.returnIsUntouched(f) == yes {
		w.refuse("%#x is not where this function returns to", pc)
		return d, none
	}
	return d, found
}

// CFA returns the canonical frame address of a frame, by the call frame rules at its instruction.
// Locations of variables are relative to it. base is the register of the CFA's rule, or "" if the
// rule is an expression. Rules that hold only at calls do not apply to an interrupted frame.
func (in Input) CFA(f *Frame) (cfa uint64, base string, ok bool) {
	if in.Arch == nil {
		return 0, "", false
	}
	in.Explain = false
	w := newWalk(in)
	frame, ok := w.callFrameAt(f.Module, f.Instruction)
	if !ok || frame.AtCalls && f.Interrupted {
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
