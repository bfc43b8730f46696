package cfi

import (
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/stack/unwind"
)

// maxListed is how many rules one table may have. Programs that remember and
// recall many registers have far more than bytes.
const maxListed = 1 << 18

// EachCallFrame lists the rules of all code as Breakpad's dump_syms writes them: a table for each
// FDE, and a row wherever something changes. The tables of .eh_frame come first, then the tables of
// .debug_frame, each in the order of addresses. If several FDEs begin at one address, only the one
// that CallFrame uses is listed. A row whose CFA cannot be expressed has .undef for it, so that no
// rules apply there.
func (t *Table) EachCallFrame(add func(*unwind.CallFrameTable) error) error {
	work := newWork(t.s)
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
			if work.Exceeded() {
				t.note(errWork)
				return nil
			}
			if table := t.table(f, work); table != nil {
				if err := add(table); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (t *Table) listed(parts []*entrySection, rel uint64) bool {
	for _, p := range parts {
		if x := p.fromScan(); x != nil {
			if r, ok := x.Find(rel); ok && r.Start == rel {
				return true
			}
		}
	}
	return false
}

// table writes an FDE up to the damage of its program. It is nil when nothing is left.
func (t *Table) table(f *fde, work *bin.Budget) *unwind.CallFrameTable {
	out := &unwind.CallFrameTable{Start: f.start - t.s.Base, Signal: f.cie.signal}
	listed := 0
	var before, spare []unwind.Rule
	work.Spend(int64(len(f.program)))
	err := newMachine(t, f).run(func(r *row, from, to uint64) bool {
		work.Spend(int64(len(r.regs)))
		rules, _ := t.rules(spare[:0], f, r)
		changed := unwind.Diff(nil, before, rules)
		before, spare = rules, before
		if listed += len(changed); listed > maxListed {
			return false
		}
		switch {
		case out.Size == 0:
			out.Rules = changed
		case len(changed) > 0:
			out.Rows = append(out.Rows, unwind.CallFrameRow{Addr: from - t.s.Base, Rules: changed})
		}
		out.Size = to - f.start
		return true
	})
	if err == nil && listed > maxListed {
		err = f.part.wrap(&bin.Error{What: f.part.name + " FDE", Off: f.at, Why: fmt.Sprintf("more than %d rules", maxListed)})
	}
	t.note(err)
	if out.Size == 0 {
		return nil
	}
	return out
}
