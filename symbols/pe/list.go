package pe

import (
	"runtime"
	"slices"
	"strings"

	"crashglass/core/symbolize"
	"crashglass/core/unwind"
)

// EachFunction tells the functions that DWARF knows, and those of the unwind
// table that have a name besides (see [Options.Name]).
func (f *File) EachFunction(add func(*symbolize.Function) error) error {
	if err := f.info().EachFunction(add); err != nil {
		return err
	}
	return f.eachEntry(0, len(f.functions().entries), func(begin uint64) error {
		fn, multiple, ok := f.functionAt(begin)
		if _, known := f.info().Function(begin); known || !ok || fn.Start != begin {
			return nil
		}
		return add(&symbolize.Function{Name: fn.Name, Start: fn.Start, Size: fn.Size, Multiple: multiple})
	})
}

// EachPublic tells the exports and COFF symbols that are in no function, those
// of one address as one.
func (f *File) EachPublic(add func(symbolize.Public) error) error {
	all := f.names().sorted
	for len(all) > 0 {
		rva := uint64(all[0].rva)
		n := 1
		for n < len(all) && uint64(all[n].rva) == rva {
			n++
		}
		all = all[n:]
		if fn, ok := f.Function(rva); ok && fn.Public {
			if p, ok := f.publicAt(rva); ok {
				if err := add(p); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// eachEntry goes through a range of the unwind table.
func (f *File) eachEntry(from, to int, use func(begin uint64) error) error {
	entries := f.functions().entries
	for i, e := range entries[from:to] {
		if i += from; f.opt.Progress != nil && i%1024 == 0 {
			if err := f.opt.Progress(int64(i), int64(len(entries))); err != nil {
				return err
			}
		}
		if err := use(uint64(e.begin)); err != nil {
			return err
		}
	}
	return nil
}

// EachWinFrame has nothing to tell: STACK WIN is what PDB files have.
func (f *File) EachWinFrame(func(unwind.WinFrame) error) error { return nil }

// EachCallFrame tells the rules of each function that has unwind codes: at its
// first instruction, and where they change in prologs and epilogs. They are
// those that CallFrame returns. Leaves are not told, whose extent nobody knows,
// nor epilogs that do other than undo the whole prolog.
func (f *File) EachCallFrame(add func(*unwind.CallFrameTable) error) error {
	if t := f.frames(); t != nil {
		return t.EachCallFrame(add)
	}
	n := len(f.functions().entries)
	first := n
	if runtime.GOMAXPROCS(0) > 1 {
		first = min(n, aheadAfter)
	}
	if err := f.tables(0, first, add); err != nil {
		return err
	}
	return f.tablesAhead(first, n, add)
}

// callFrameTable makes the table of the function that begins at an address.
func (f *File) callFrameTable(begin uint64) (*unwind.CallFrameTable, bool) {
	e, run, covered := f.find(begin)
	if covered != inEntry || run.start != begin {
		return nil, false
	}
	at, points, err := f.rulesOf(e)
	if err != nil {
		f.notes.add(err)
		return nil, false
	}
	slices.Sort(points)
	t := &unwind.CallFrameTable{Start: run.start, Size: run.end - run.start, Signal: true}
	for _, rel := range slices.Compact(points) {
		if rel < run.start || rel >= run.end {
			continue
		}
		cf, err := at(rel)
		if err != nil {
			f.notes.add(err)
			return nil, false
		}
		t.Signal = t.Signal && cf.Signal
		if rel == run.start {
			t.Rules = cf.Rules
		} else {
			t.Rows = append(t.Rows, unwind.CallFrameRow{Addr: rel, Rules: cf.Rules})
		}
	}
	onlyChanges(t)
	return t, true
}

// rulesOf is a function that returns the rules at an address of an entry, and
// the addresses where they may change.
func (f *File) rulesOf(e entry) (at func(uint64) (unwind.CallFrame, error), points []uint64, err error) {
	points = []uint64{uint64(e.begin)}
	if f.h.machine == machineARM64 {
		r, err := f.armRecord(e)
		if err == nil {
			if points, err = r.points(e, points); err != nil {
				err = e.in(unwindRecord, err)
			}
		}
		return func(rel uint64) (cf unwind.CallFrame, err error) {
			fr, err := r.undo(e, rel)
			if err == nil {
				cf.Rules, cf.Signal = fr.armRules(), fr.exact
			}
			return cf, err
		}, points, err
	}
	p, err := f.procedure(e)
	if err == nil {
		points = f.points(p, points)
	}
	return func(rel uint64) (cf unwind.CallFrame, err error) {
		fr, err := f.amd64Frame(p, rel)
		if err == nil {
			cf.Rules, cf.Signal = fr.amd64Rules(), fr.exact
		}
		return cf, err
	}, points, err
}

// onlyChanges leaves in each row what differs from the row before.
func onlyChanges(t *unwind.CallFrameTable) {
	now := t.Rules
	rows := t.Rows[:0]
	for _, row := range t.Rows {
		var changed []unwind.Rule
		for _, r := range row.Rules {
			if !slices.Contains(now, r) {
				changed = append(changed, r)
			}
		}
		for _, r := range now {
			if !strings.HasPrefix(r.Reg, ".") && !slices.ContainsFunc(row.Rules, func(n unwind.Rule) bool { return n.Reg == r.Reg }) {
				changed = append(changed, unwind.Rule{Reg: r.Reg, Expr: r.Reg})
			}
		}
		now = row.Rules
		if len(changed) > 0 {
			rows = append(rows, unwind.CallFrameRow{Addr: row.Addr, Rules: changed})
		}
	}
	t.Rows = rows
}
