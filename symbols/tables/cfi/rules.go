package cfi

import "crashglass/core/stack/unwind"

// A kind says how to find a register's value in the caller.
type kind uint8

const (
	unsaid     kind = iota // no rule: the ABI's default
	undefined              // its value is lost
	sameValue              // it has not changed
	inMemory               // it is saved at CFA+n
	offset                 // it is CFA+n
	inRegister             // it is in register n; from here on, some rules cannot be expressed
	atExpression
	isExpression
)

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

// A row has the rules at an address. Registers are in the order in which the program mentions them.
type row struct {
	cfa  cfaRule
	regs []regRule
}

type regRule struct {
	reg uint64
	rule
}

func (r *row) get(reg uint64) rule {
	for i := range r.regs {
		if r.regs[i].reg == reg {
			return r.regs[i].rule
		}
	}
	return rule{}
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

// clone has room for the registers that most functions save.
func (r *row) clone() row {
	return row{cfa: r.cfa, regs: append(make([]regRule, 0, max(len(r.regs), 8)), r.regs...)}
}

// rules are those of a row. They report false if the CFA or the return address cannot be expressed;
// then the CFA is unknown. Registers without a name are omitted.
func (t *Table) rules(out []unwind.Rule, f *fde, r *row) ([]unwind.Rule, bool) {
	cfa, ok := t.cfa(f, r)
	out = append(out, unwind.Rule{Reg: unwind.CFA, From: cfa})
	if ra, said := t.returnAddress(f, r); said {
		out = append(out, unwind.Rule{Reg: unwind.RA, From: ra})
	}
	for _, reg := range r.regs {
		name := t.name(f, reg.reg)
		if v, said := t.value(f, reg.reg, reg.rule); said && name != "" && reg.reg != f.cie.ra {
			out = append(out, unwind.Rule{Reg: name, From: v})
		}
	}
	return out, ok
}

// returnAddress reports false if there is none, or if it cannot be expressed.
func (t *Table) returnAddress(f *fde, r *row) (unwind.Value, bool) {
	v, said := t.value(f, f.cie.ra, r.get(f.cie.ra))
	return v, said && t.canReturn(f, r)
}

// cfa is the CFA of a row; it becomes unknown if it leads to no caller.
func (t *Table) cfa(f *fde, r *row) (v unwind.Value, ok bool) {
	if !r.cfa.known || !t.canReturn(f, r) {
		return v, false
	}
	if r.cfa.expr != nil {
		v, why := t.compile(f, r.cfa.expr, cfaExpression)
		return v, why == ""
	}
	name := t.name(f, r.cfa.reg)
	if name == "" {
		return v, false
	}
	return unwind.At(name, r.cfa.offset), true
}

// value reports false if there is none. A rule that postfix cannot express becomes unknown, and not unchanged.
func (t *Table) value(f *fde, reg uint64, r rule) (v unwind.Value, said bool) {
	switch r.kind {
	case unsaid: // a return address stays in its register, on CPUs whose calls put it there
		if reg != f.cie.ra || !linked[t.s.Arch] {
			return v, false
		}
		v = t.inRegister(f, reg)
	case sameValue:
		v = t.inRegister(f, reg)
	case inMemory:
		v = unwind.Word(unwind.CFA, r.n)
	case offset:
		return unwind.At(unwind.CFA, r.n), true
	case inRegister:
		v = t.inRegister(f, uint64(r.n))
	case atExpression:
		v, _ = t.compile(f, r.expr, savedAtExpression)
		return v, true
	case isExpression:
		v, _ = t.compile(f, r.expr, savedExpression)
		return v, true
	}
	return t.returns(f, reg, v), true
}

func (t *Table) inRegister(f *fde, reg uint64) unwind.Value { return unwind.At(t.name(f, reg), 0) }

// canReturn reports whether the return address can be expressed. One that cannot be is not the end
// of the stack, although an undefined return address would mean that.
func (t *Table) canReturn(f *fde, r *row) bool {
	ra := r.get(f.cie.ra)
	if ra.kind == unsaid || ra.kind == undefined {
		return true
	}
	v, _ := t.value(f, f.cie.ra, ra)
	return !v.IsLost()
}

// returns turns the value of a return address register into a return address. SPARC keeps the
// address of the call, which has a delay slot behind it.
func (t *Table) returns(f *fde, reg uint64, v unwind.Value) unwind.Value {
	if !t.arch.IsSPARC() || reg != f.cie.ra || v.IsLost() {
		return v
	}
	if v.Load {
		return unwind.ParseValue(v.String() + " 8 +")
	}
	return unwind.At(v.Base, v.Off+8)
}

// name is a register's, or "".
func (t *Table) name(f *fde, reg uint64) string {
	if t.s.Mac && f.part.eh && t.arch.Is386() && (reg == 4 || reg == 5) {
		reg ^= 1
	}
	if reg >= uint64(len(t.names)) {
		return ""
	}
	return t.names[reg]
}
