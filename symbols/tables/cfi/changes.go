package cfi

import (
	"bytes"

	"crashglass/core/stack/unwind"
)

// changes lists what each row of a function changes, as unwind.Diff of all rules does. Most rows change
// one register of seven, so it compares the rules as the program has them, and makes rules of those that
// differ only.
type changes struct {
	t    *Table
	f    *fde
	last row
	cfa  unwind.Value
	ra   unwind.Value
	said bool // the last row has a return address
	none bool // there is no last row

	// Those of one table: the next one takes their place.
	rules []unwind.Rule
	rows  []unwind.CallFrameRow
}

// begin starts with a function.
func (d *changes) begin(t *Table, f *fde) {
	d.t, d.f, d.none, d.said = t, f, true, false
	d.last.regs = d.last.regs[:0]
	d.rules, d.rows = d.rules[:0], d.rows[:0]
}

// next returns the changes from the last row to r.
func (d *changes) next(r *row) []unwind.Rule {
	from := len(d.rules)
	d.frame(r)
	for i, reg := range r.regs {
		old, was := d.last.near(i, reg.reg)
		if was && old.same(reg.rule) {
			continue
		}
		v, said := d.value(reg.reg, reg.rule)
		before, had := d.value(reg.reg, old)
		if said && !(was && had && before.Equal(v)) {
			d.add(d.t.name(d.f, reg.reg), v)
		}
	}
	for i, reg := range d.last.regs {
		now, is := r.near(i, reg.reg)
		if is && now.same(reg.rule) {
			continue
		}
		if _, had := d.value(reg.reg, reg.rule); !had {
			continue
		}
		if _, said := d.value(reg.reg, now); !is || !said {
			name := d.t.name(d.f, reg.reg)
			d.add(name, unwind.At(name, 0))
		}
	}
	d.last.cfa, d.last.regs, d.none = r.cfa, append(d.last.regs[:0], r.regs...), false
	return d.rules[from:len(d.rules):len(d.rules)]
}

// frame adds the CFA and the return address, if they changed.
func (d *changes) frame(r *row) {
	ra := r.get(d.f.cie.ra)
	same := !d.none && ra.same(d.last.get(d.f.cie.ra))
	if same && r.cfa.same(d.last.cfa) {
		return
	}
	if cfa, _ := d.t.cfa(d.f, r); d.none || !cfa.Equal(d.cfa) {
		d.cfa = cfa
		d.add(unwind.CFA, cfa)
	}
	if same {
		return
	}
	v, said := d.t.returnAddress(d.f, r)
	if said && !(d.said && v.Equal(d.ra)) {
		d.add(unwind.RA, v)
	}
	d.ra, d.said = v, said
}

// value is the rule of a register that is listed under its own name.
func (d *changes) value(reg uint64, r rule) (unwind.Value, bool) {
	if reg == d.f.cie.ra || d.t.name(d.f, reg) == "" {
		return unwind.Value{}, false
	}
	return d.t.value(d.f, reg, r)
}

func (d *changes) add(name string, v unwind.Value) {
	d.rules = append(d.rules, unwind.Rule{Reg: name, From: v})
}

// same reports whether two rules are written the same way.
func (r rule) same(o rule) bool { return r.kind == o.kind && r.n == o.n && bytes.Equal(r.expr, o.expr) }

func (r cfaRule) same(o cfaRule) bool {
	return r.known == o.known && r.reg == o.reg && r.offset == o.offset && (r.expr == nil) == (o.expr == nil) && bytes.Equal(r.expr, o.expr)
}
