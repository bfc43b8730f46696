package cfi

import (
	"fmt"
	"strconv"

	"crashglass/core/unwind"
)

// A kind is how a register's value in the caller is found.
type kind uint8

const (
	unsaid     kind = iota // nothing is said: what the ABI says
	undefined              // its value is lost
	sameValue              // it has not changed
	inMemory               // it is saved at CFA+n
	offset                 // it is CFA+n
	inRegister             // it is in register n; from here on, not all can be said
	atExpression
	isExpression
)

// A rule is what is known of one register.
type rule struct {
	kind kind
	n    int64
	expr []byte // of DWARF; the CFA is on its stack
}

// A cfaRule finds the CFA: reg+offset, or an expression.
type cfaRule struct {
	known  bool
	reg    uint64
	offset int64
	expr   []byte // nil when it is a register
}

// maxRegs is how many registers the rules of one function may be about.
const maxRegs = 128

// A row is what is known at an address. Registers are in the order in which
// the program mentions them.
type row struct {
	cfa  cfaRule
	regs []regRule
}

type regRule struct {
	reg uint64
	rule
}

func (r *row) get(reg uint64) rule {
	found, _ := r.near(0, reg)
	return found
}

// near is get, and reports whether the register was mentioned. It looks at
// place i first, where another row of the same function has it.
func (r *row) near(i int, reg uint64) (rule, bool) {
	if i < len(r.regs) && r.regs[i].reg == reg {
		return r.regs[i].rule, true
	}
	for i := range r.regs {
		if r.regs[i].reg == reg {
			return r.regs[i].rule, true
		}
	}
	return rule{}, false
}

// set reports false when there are too many registers.
func (r *row) set(reg uint64, to rule) bool {
	for i := range r.regs {
		if r.regs[i].reg == reg {
			r.regs[i].rule = to
			return true
		}
	}
	if len(r.regs) >= maxRegs {
		return false
	}
	r.regs = append(r.regs, regRule{reg, to})
	return true
}

func (r *row) clone() row {
	return row{cfa: r.cfa, regs: append([]regRule(nil), r.regs...)}
}

// rules writes a row. It reports false when the CFA or the return address
// cannot be said; the CFA is then .undef. Registers without a name are left out.
func (t *Table) rules(f *fde, r *row) ([]unwind.Rule, bool) {
	cfa, ok := t.cfa(f, r)
	out := []unwind.Rule{{Reg: ".cfa", Expr: cfa}}
	if t.canReturn(f, r) {
		out = appendRule(out, ".ra", t.text(f, f.cie.ra, r.get(f.cie.ra)))
	}
	for _, reg := range r.regs {
		if reg.reg != f.cie.ra {
			out = appendRule(out, t.name(f, reg.reg), t.text(f, reg.reg, reg.rule))
		}
	}
	return out, ok
}

func appendRule(rules []unwind.Rule, name, expr string) []unwind.Rule {
	if name == "" || expr == "" {
		return rules
	}
	return append(rules, unwind.Rule{Reg: name, Expr: expr})
}

// cfa writes the CFA of a row, or .undef when there is no caller to be found with it.
func (t *Table) cfa(f *fde, r *row) (string, bool) {
	text, why := t.cfaText(f, r.cfa)
	if why != "" || !t.canReturn(f, r) {
		return lost, false
	}
	return text, true
}

func (t *Table) cfaText(f *fde, c cfaRule) (text, why string) {
	if !c.known {
		return "", "the CFA is not defined"
	}
	if c.expr != nil {
		return t.compile(f, c.expr, false)
	}
	name := t.name(f, c.reg)
	if name == "" {
		return "", fmt.Sprintf("the CFA is computed from register %d, which has no name", c.reg)
	}
	return name + " " + signed(c.offset) + " +", ""
}

// lost is the expression of a register whose value in the caller is not known.
const lost = ".undef"

// text writes a register's rule, or "" when there is nothing to say.
func (t *Table) text(f *fde, reg uint64, r rule) string {
	switch r.kind {
	case unsaid:
		return t.unsaid(f, reg)
	case sameValue:
		return t.returns(f, reg, t.name(f, reg))
	case inMemory:
		return t.returns(f, reg, ".cfa "+signed(r.n)+" + ^")
	case offset:
		return ".cfa " + signed(r.n) + " +"
	case inRegister:
		if name := t.name(f, uint64(r.n)); name != "" {
			return t.returns(f, reg, name)
		}
	case atExpression, isExpression:
		if text, why := t.compile(f, r.expr, true); why == "" {
			if r.kind == atExpression {
				text += " ^"
			}
			return text
		}
	}
	return lost
}

// canReturn reports whether the return address can be said. One that cannot
// is not the end of the stack, which is what .undef would say of it.
func (t *Table) canReturn(f *fde, r *row) bool {
	ra := r.get(f.cie.ra)
	return ra.kind <= offset || t.text(f, f.cie.ra, ra) != lost
}

// unsaid is the rule of a register that no instruction has named: a return
// address stays in its register, on CPUs whose calls put it there.
func (t *Table) unsaid(f *fde, reg uint64) string {
	if reg != f.cie.ra || !linked[t.s.Arch] {
		return ""
	}
	return t.returns(f, reg, t.name(f, reg))
}

// returns turns what a return address register holds into a return address.
// SPARC keeps the address of the call, which has a delay slot behind it.
func (t *Table) returns(f *fde, reg uint64, text string) string {
	if t.s.Arch == "sparc" && reg == f.cie.ra {
		return text + " 8 +"
	}
	return text
}

// name is a register's, or "".
func (t *Table) name(f *fde, reg uint64) string {
	if t.s.Mac && f.part.eh && t.s.Arch == "x86" && (reg == 4 || reg == 5) {
		reg ^= 1
	}
	if reg >= uint64(len(t.names)) {
		return ""
	}
	return t.names[reg]
}

func signed(n int64) string { return strconv.FormatInt(n, 10) }
