package unwind

import (
	"errors"

	"crashglass/core/cpu"
	"crashglass/core/postfix"
)

// byCFI follows the call frame rules at the frame's instruction. .cfa is found
// first, with the callee's registers; every other rule may use it. What the
// rules do not mention is as the callee has it, where the ABI says so.
//
// A rule that fails for one register leaves that register unknown: its value
// is lost, and the callee's would be a wrong one. (Breakpad keeps the callee's.)
// A rule that fails for .cfa or .ra leaves the frame to the next method.
func byCFI(w *walk, f *Frame) (caller, outcome) {
	rules, rel := w.rulesAt(f.Module, f.Instruction)
	if rules == nil {
		w.say("no symbols for this address")
		return caller{}, none
	}
	frame, ok := rules.CallFrame(rel)
	if !ok {
		w.say("no call frame rules cover %#x", rel)
		return caller{}, none
	}
	if frame.From != "" {
		w.tell("rules from %s", frame.From)
	}
	if frame.AtCalls && f.interrupted {
		return betweenCalls(w, f, frame)
	}
	if frame.Signal && w.signals >= maxSignals {
		w.refuse("%d signal frames in this stack already", uint64(w.signals))
		return caller{}, none
	}
	c, out := w.cfi.apply(f, frame.Rules)
	if frame.Signal {
		c.interrupted = true
		w.signals++
	}
	return c, out
}

// betweenCalls is the step from an interrupted frame with rules that hold at
// calls only. In a prologue or epilogue they are wrong: code decides, where it
// is captured. Where it does not, the rules count if they lead to a return
// address, and to the link register's as long as that is where it still is.
func betweenCalls(w *walk, f *Frame, frame CallFrame) (caller, outcome) {
	w.say("the rules hold at calls only")
	if w.Name == "arm" {
		if c, out := armByCode(w, f, f.Module.Base+frame.Start, frame.Size); out != none {
			return c, out
		}
	}
	c, out := w.cfi.apply(f, frame.Rules)
	if out != found {
		return c, out
	}
	pc := c.regs.Value(w.PC)
	if !w.plausible(pc) {
		w.refuse("%#x is no return address", pc)
		return caller{}, none
	}
	if lr, _ := f.Regs.Get(w.LR); w.LR != cpu.None && w.strip(lr) != pc && w.returnIsUntouched(f) == yes {
		w.refuse("%#x is not where this function returns to", pc)
		return caller{}, none
	}
	return c, found
}

// A cfiEngine evaluates one frame's rules. It is kept over the walk so that
// nothing is allocated for each frame.
type cfiEngine struct {
	w       *walk
	machine postfix.Machine
	callee  *cpu.Regs
	cfa     uint64
	hasCFA  bool
}

func (e *cfiEngine) init(w *walk) {
	e.w = w
	e.machine = postfix.Machine{Env: e, Size: w.Word}
	if w.on {
		e.machine.Trace = func(s postfix.Step) { w.tell("    %s", s.String()) }
	}
}

// Get implements postfix.Env.
func (e *cfiEngine) Get(name string) (uint64, bool) {
	if name == ".cfa" {
		return e.cfa, e.hasCFA
	}
	r, ok := e.w.Reg(name)
	if !ok {
		return 0, false
	}
	return e.callee.Get(r)
}

// Set implements postfix.Env. Rules of call frame information are values: an
// assignment in one has no effect.
func (e *cfiEngine) Set(string, uint64) {}

// Word implements postfix.Env.
func (e *cfiEngine) Word(addr uint64) (uint64, bool) { return e.w.word(addr) }

// isUndef reports the expression of a register whose value is lost. Breakpad
// writes it as an unknown name, so that evaluating it fails.
func isUndef(expr string) bool { return expr == ".undef" }

func (e *cfiEngine) apply(f *Frame, rules []Rule) (caller, outcome) {
	e.callee, e.hasCFA = &f.Regs, false
	cfaRule, okCFA := findRule(rules, ".cfa")
	raRule, okRA := findRule(rules, ".ra")
	if !okCFA || !okRA {
		e.w.refuse("the rules lack .cfa or .ra")
		return caller{}, none
	}
	if isUndef(raRule) {
		e.w.end = complete("the call frame information here has no caller")
		return caller{}, ended
	}
	cfa, ok := e.value(".cfa", cfaRule)
	if !ok {
		return caller{}, none
	}
	e.cfa, e.hasCFA = cfa, true
	ra, ok := e.value(".ra", raRule)
	if !ok {
		return caller{}, none
	}
	return e.finish(f, rules, ra)
}

// finish finds the registers other than .cfa and .ra, which may be given
// explicitly too.
func (e *cfiEngine) finish(f *Frame, rules []Rule, ra uint64) (caller, outcome) {
	w := e.w
	c := caller{trust: CFI, by: "CFI", regs: f.Regs.Keep(w.CalleeSaved)}
	for _, rule := range rules {
		reg, ok := w.Reg(rule.Reg)
		if !ok {
			continue // .cfa and .ra, or a register we do not keep, such as a vector's
		}
		if v, ok := e.value(rule.Reg, rule.Expr); ok {
			c.regs.Set(reg, v)
		} else {
			c.regs.Forget(reg)
		}
	}
	if _, ok := c.regs.Get(w.PC); !ok {
		c.regs.Set(w.PC, ra)
	}
	if _, ok := c.regs.Get(w.SP); !ok {
		c.regs.Set(w.SP, e.cfa)
	}
	pc := w.strip(c.regs.Value(w.PC))
	c.regs.Set(w.PC, pc)
	if sp := c.regs.Value(w.SP); sp == 0 {
		w.refuse("the caller's stack pointer would be 0")
		return caller{}, none
	}
	return c, found
}

// value evaluates one rule.
func (e *cfiEngine) value(reg, expr string) (uint64, bool) {
	if isUndef(expr) {
		e.w.tell("%s: lost", reg)
		return 0, false
	}
	e.w.tell("%s: %s", reg, expr)
	v, err := e.machine.Value(expr)
	if err != nil {
		if e.w.on {
			e.w.tell("    %s", err.Error())
		}
		e.w.missing(err)
		return 0, false
	}
	return v, true
}

// missing remembers an address that was needed and not captured, to say so if
// the walk ends here.
func (w *walk) missing(err error) {
	var m *postfix.MemoryError
	if errors.As(err, &m) {
		w.uncaptured, w.hasUncaptured = m.Addr, true
	}
}

func findRule(rules []Rule, reg string) (string, bool) {
	for _, r := range rules {
		if r.Reg == reg {
			return r.Expr, true
		}
	}
	return "", false
}
