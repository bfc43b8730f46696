package cfi

import (
	"fmt"

	"crashglass/core/bin"
	"crashglass/core/unwind"
)

// maxListed is how many rules one table may have. Programs that remember and
// recall many registers have far more than bytes.
const maxListed = 1 << 18

// EachCallFrame lists the rules of all code as Breakpad's dump_syms writes
// them: a table for each FDE, and a row wherever something changes. Tables are
// in the order of addresses, first those of .eh_frame; of FDEs that begin at
// one address only the one that CallFrame takes is listed. A row whose CFA cannot
// be said has .undef for it, so that no rules are in force there.
func (t *Table) EachCallFrame(add func(*unwind.CallFrameTable) error) error {
	for i, p := range t.parts {
		x := p.fromScan()
		if x == nil {
			return fmt.Errorf("cfi: %s: the scan was called off", p.name)
		}
		for n := range x.Len() {
			r := x.Range(n)
			if t.listed(t.parts[:i], r.Start) {
				continue
			}
			f, err := p.fdeAt(r.Value)
			if err != nil {
				t.note(err)
				continue
			}
			if f.start != t.s.Base+r.Start {
				continue // what another FDE left of it
			}
			if table := t.table(f); table != nil {
				if err := add(table); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// listed reports whether another section has an FDE that begins at an address.
func (t *Table) listed(parts []*part, rel uint64) bool {
	for _, p := range parts {
		if x := p.fromScan(); x != nil {
			if r, ok := x.Find(rel); ok && r.Start == rel {
				return true
			}
		}
	}
	return false
}

// table writes an FDE. It is cut where the program is damaged, and nil when
// nothing is left.
func (t *Table) table(f *fde) *unwind.CallFrameTable {
	out := &unwind.CallFrameTable{Start: f.start - t.s.Base, Signal: f.cie.signal}
	var last row
	listed := 0
	err := newMachine(t, f).run(func(r *row, from, to uint64) bool {
		first := out.Size == 0
		var rules []unwind.Rule
		if first {
			rules, _ = t.rules(f, r)
		} else {
			rules = t.changes(f, &last, r)
		}
		if listed += len(rules); listed > maxListed {
			return false
		}
		out.Size = to - f.start
		last.cfa, last.regs = r.cfa, append(last.regs[:0], r.regs...)
		if first {
			out.Rules = rules
		} else if len(rules) > 0 {
			out.Rows = append(out.Rows, unwind.CallFrameRow{Addr: from - t.s.Base, Rules: rules})
		}
		return true
	})
	if err == nil && listed > maxListed {
		err = f.part.wrap(&bin.Error{What: f.part.name + " FDE", Off: f.at, Why: fmt.Sprintf("more than %d rules", maxListed)})
	}
	if err != nil {
		t.note(err)
	}
	if out.Size == 0 {
		return nil
	}
	return out
}

// changes are the rules of a row that differ from those of the one before it.
func (t *Table) changes(f *fde, last, r *row) []unwind.Rule {
	var out []unwind.Rule
	if !r.cfa.same(last.cfa) || t.canReturn(f, r) != t.canReturn(f, last) {
		before, _ := t.cfa(f, last)
		if cfa, _ := t.cfa(f, r); cfa != before {
			out = append(out, unwind.Rule{Reg: ".cfa", Expr: cfa})
		}
	}
	if ra := r.get(f.cie.ra); t.canReturn(f, r) && !same(last.get(f.cie.ra), ra) {
		out = appendRule(out, ".ra", t.still(f, f.cie.ra, ra))
	}
	for i, reg := range r.regs {
		before, _ := last.near(i, reg.reg)
		if reg.reg != f.cie.ra && !same(before, reg.rule) {
			out = appendRule(out, t.name(f, reg.reg), t.still(f, reg.reg, reg.rule))
		}
	}
	for i, reg := range last.regs {
		if _, said := r.near(i, reg.reg); !said && reg.reg != f.cie.ra && reg.kind != unsaid {
			out = appendRule(out, t.name(f, reg.reg), t.name(f, reg.reg))
		}
	}
	return out
}

// still is a register's rule in a row that follows others: one that nothing is
// said of any more has itself.
func (t *Table) still(f *fde, reg uint64, r rule) string {
	if r.kind == unsaid {
		r.kind = sameValue
	}
	return t.text(f, reg, r)
}

func same(a, b rule) bool {
	return a.kind == b.kind && a.n == b.n && string(a.expr) == string(b.expr)
}

func (c cfaRule) same(other cfaRule) bool {
	return c.known == other.known && c.reg == other.reg && c.offset == other.offset &&
		(c.expr == nil) == (other.expr == nil) && string(c.expr) == string(other.expr)
}
