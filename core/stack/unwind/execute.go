package unwind

import (
	"encoding/binary"
	"errors"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/postfix"
	"crashglass/core/process"
)

// An executor applies rules. A walk reuses it, so that a frame costs no allocation.
type executor struct {
	w       *walk
	machine postfix.Machine
	callee  *Frame
	cfa     uint64
	hasCFA  bool
}

func (e *executor) init(w *walk) {
	e.w = w
	e.machine = postfix.Machine{Env: e, Size: w.Word}
	if w.on {
		e.machine.Trace = e.trace
	}
}

func (e *executor) trace(s postfix.Step) { e.w.sayText("    %s", s.String()) }

// execute computes the registers of the caller. The CFA comes first, from the callee's registers;
// every other rule may use it. A register whose rule fails is unknown, because the callee's value
// would be wrong. (Breakpad keeps the callee's.) If the rule of the CFA or the return address
// fails, execute reports false, and the next method is tried.
func (w *walk) execute(f *Frame, d *decision) (Frame, bool) {
	c := Frame{
		Frame: process.Frame{Guess: f.Guess || d.trust.guessed(), Interrupted: d.interrupted},
		Trust: d.trust, FoundBy: d.way, again: d.again, base: f.base,
	}
	if d.values != nil {
		c.Regs, c.Searched = *d.values, d.searched
	} else {
		c.Regs, c.Searched = f.Regs.Keep(d.keep), f.Searched&d.keep
		if !w.exec.apply(f, d.rules, &c.Regs) {
			return c, false
		}
	}
	pc, ok := c.Regs.Get(w.PC)
	if !ok {
		w.refuse("the return address is not known")
		return c, false
	}
	c.ReturnAddress = w.strip(pc)
	c.Regs.Set(w.PC, c.ReturnAddress)
	if sp, ok := c.Regs.Get(w.SP); ok {
		if sp == 0 {
			w.refuse("the caller's stack pointer would be 0")
			return c, false
		}
		c.base = sp
	}
	return c, true
}

// try is execute without evidence, to find where a decision would lead.
func (w *walk) try(f *Frame, d *decision) (Frame, bool) {
	before := w.trial
	w.trial = true
	c, ok := w.execute(f, d)
	w.trial = before
	return c, ok
}

func (e *executor) apply(f *Frame, rules []Rule, regs *cpu.Regs) bool {
	e.callee, e.hasCFA = f, false
	if cfa, ok := Find(rules, CFA); ok {
		if e.cfa, e.hasCFA = e.value(Rule{CFA, cfa}); !e.hasCFA {
			return false
		}
	}
	if ra, ok := Find(rules, RA); ok {
		v, ok := e.value(Rule{RA, ra})
		if !ok {
			return false
		}
		regs.Set(e.w.PC, v)
	}
	e.registers(rules, regs)
	return true
}

// registers computes the registers other than the CFA and the return address. Rules may restore the
// program counter and the stack pointer, too.
func (e *executor) registers(rules []Rule, regs *cpu.Regs) {
	if e.hasCFA {
		regs.Set(e.w.SP, e.cfa)
	}
	for _, rule := range rules {
		reg, ok := e.w.Reg(rule.Reg)
		if !ok {
			continue // CFA and RA, or a register that walks do not use, such as a vector register
		}
		if v, ok := e.value(rule); ok {
			regs.Set(reg, v)
		} else if reg != e.w.PC && reg != e.w.SP {
			regs.Forget(reg)
		}
	}
}

func (e *executor) value(r Rule) (uint64, bool) {
	w := e.w
	if w.listens() {
		w.sayText("%s", r.String())
	}
	switch v := r.From; {
	case v.IsLost():
		return 0, false
	case v.Expr == nil:
		return e.place(v)
	default:
		n, err := e.machine.Eval(v.Expr)
		return n, !w.missing(err)
	}
}

func (e *executor) place(v Value) (uint64, bool) {
	w := e.w
	base, ok := e.Get(v.Base)
	if !ok {
		w.sayText("    %s is not known", v.Base)
		return 0, false
	}
	at := (base + uint64(v.Off)) & w.Mask()
	if w.on && v.Off < 0 {
		w.say("    %#x - %#x = %#x", base, uint64(-v.Off), at)
	} else if w.on && v.Off != 0 {
		w.say("    %#x + %#x = %#x", base, uint64(v.Off), at)
	}
	if !v.Load {
		return at, true
	}
	size := w.Word
	if v.Size != 0 {
		size = int(v.Size)
	}
	n, ok := w.load(at, size, Used)
	if !ok {
		w.missing(&postfix.MemoryError{Addr: at})
		return 0, false
	}
	if w.blank {
		w.say("    what was at %#x was removed from the file", at)
		return 0, false
	}
	n &= w.Mask()
	w.say("    [%#x] = %#x", at, n)
	return n, true
}

// Get implements postfix.Env.
func (e *executor) Get(name string) (uint64, bool) {
	switch name {
	case CFA:
		return e.cfa, e.hasCFA
	case stackBase:
		return e.callee.base, true
	}
	r, ok := e.w.Reg(name)
	if !ok {
		return e.w.float(name)
	}
	return e.callee.Regs.Get(r)
}

// float returns the low half of a floating point register of the innermost frame. ARM64 code of Windows in a program of x64 has its link
// register there.
func (w *walk) float(name string) (uint64, bool) {
	if w.in.Float == nil || len(w.frames) != 1 {
		return 0, false
	}
	b, ok := w.in.Float(name)
	if !ok || len(b) < 8 {
		return 0, false
	}
	return binary.LittleEndian.Uint64(b), true
}

// Set implements postfix.Env. Rules of call frame information are values: an
// assignment in one has no effect.
func (e *executor) Set(string, uint64) {}

// Word implements postfix.Env.
func (e *executor) Word(addr uint64) (uint64, bool) {
	v, ok := e.w.word(addr)
	return v, ok && !e.w.blank
}

// missing reports whether a rule failed. It records a needed address that was not captured, as the
// reason if the walk ends here.
func (w *walk) missing(err error) bool {
	if err == nil {
		return false
	}
	if w.on {
		w.sayText("    %s", err.Error())
	}
	var m *postfix.MemoryError
	if errors.As(err, &m) {
		w.uncaptured, w.hasUncaptured = m.Addr, true
	}
	return true
}
