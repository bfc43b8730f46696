package pe

import (
	"errors"
	"slices"

	"crashglass/core/base/bug"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/parallel"
)

// A tableMaker makes tables of call frame rules, one after another, and reuses its memory.
type tableMaker struct {
	f         *File
	fr        frameState
	points    []uint64
	steps     int // codes that may have to be undone at each of them, of a chain of records
	now, next []unwind.Rule
	changed   []unwind.Rule
	room      []unwind.Rule
}

// Thousands of entries may share one large record, or a chain of them, whose rules are then worked
// out for each. What that takes is about the square of the addresses where
// rules change: a handful of real functions, and 65,536 at most. On x64 each
// address takes all codes of the chain, 8,160 at most. A DLL takes about two units for each of its bytes; a unit takes up to 20 ns.
const (
	leastWork   = 16 << 20
	workPerByte = 20
	leastSteps  = 16
	recordWork  = 32 // for each epilog and each byte of codes of an ARM64 record
)

var errWork = errors.New("unwind records are shared by so many functions that the last ones are not listed")

func (m *tableMaker) table(begin uint64) (*unwind.CallFrameTable, bool) {
	if m.f.work.Exceeded() {
		return nil, false
	}
	e, run, covered := m.f.find(begin)
	if covered != inEntry || run.start != begin {
		return nil, false
	}
	at, err := m.rulesOf(e)
	if err != nil {
		m.f.notes.add(err)
		return nil, false
	}
	slices.Sort(m.points)
	m.points = slices.Compact(m.points)
	if !m.f.work.Spend(int64(len(m.points) * (len(m.points) + m.steps + leastSteps))) {
		m.f.notes.add(errWork)
		return nil, false
	}
	t := &unwind.CallFrameTable{Start: run.start, Size: run.end - run.start, Signal: true, Rows: make([]unwind.CallFrameRow, 0, len(m.points)-1)}
	for _, rel := range m.points {
		if rel < run.start || rel >= run.end {
			continue
		}
		exact, err := at(rel)
		if err != nil {
			m.f.notes.add(err)
			return nil, false
		}
		t.Signal = t.Signal && exact
		if rel == run.start {
			t.Rules = m.written(m.next)
		} else if m.changed = unwind.Diff(m.changed[:0], m.now, m.next); len(m.changed) > 0 {
			t.Rows = append(t.Rows, unwind.CallFrameRow{Addr: rel, Rules: m.written(m.changed)})
		}
		m.now, m.next = m.next, m.now
	}
	return t, true
}

// rulesOf finds the addresses where the rules of an entry may change. What it
// returns makes those at an address the next ones.
func (m *tableMaker) rulesOf(e entry) (at func(uint64) (exact bool, err error), err error) {
	m.points, m.steps = append(m.points[:0], uint64(e.begin)), 0
	if m.f.isARM(uint64(e.begin)) {
		return m.armRules(e)
	}
	p, err := m.f.procedure(e)
	if err != nil {
		return nil, err
	}
	m.steps = p.steps()
	m.points = m.f.changePoints(p, m.points)
	return func(rel uint64) (bool, error) {
		err := m.f.amd64Frame(&m.fr, p, rel)
		if err == nil {
			m.next = m.fr.amd64Rules(m.next[:0])
		}
		return m.fr.exact, err
	}, nil
}

func (m *tableMaker) armRules(e entry) (at func(uint64) (exact bool, err error), err error) {
	r, err := m.f.armRecord(e)
	if err != nil {
		return nil, err
	}
	if !m.f.work.Spend(recordWork * int64(len(r.epilogs)+len(r.codes))) {
		return nil, errWork
	}
	if m.points, err = r.changePoints(e, m.points); err != nil {
		return nil, e.in(unwindRecord, err)
	}
	return func(rel uint64) (bool, error) {
		fr, err := r.undo(e, rel)
		if err != nil {
			return false, err
		}
		if m.next = fr.armRules(m.next[:0]); m.f.isEC(rel) {
			m.next = asX64(m.next)
		}
		return fr.exact, nil
	}, nil
}

// rulesRoom is how many rules get their memory at once.
const rulesRoom = 256

// written copies rules.
func (m *tableMaker) written(rules []unwind.Rule) []unwind.Rule {
	if cap(m.room)-len(m.room) < len(rules) {
		m.room = make([]unwind.Rule, 0, max(rulesRoom, len(rules)))
	}
	from := len(m.room)
	m.room = append(m.room, rules...)
	return m.room[from:len(m.room):len(m.room)]
}

// Tables are made by another goroutine in batches, which cost less to hand over than
// single tables. The first few tables are made one by one, because some callers stop
// after them.
const (
	batchSize  = 256
	batchAfter = 64
)

func (f *File) tables(from, to int, add func(*unwind.CallFrameTable) error) error {
	maker := tableMaker{f: f}
	return f.eachEntry(from, to, func(begin uint64) error {
		if _, ok := f.golang().Function(begin); ok {
			return nil // its rules are those of Go's table
		}
		if t, ok := maker.table(begin); ok {
			return add(t)
		}
		return nil
	})
}

// A batch has tables, and the error that ended them.
type batch struct {
	tables []*unwind.CallFrameTable
	err    error
}

// tablesInBatches makes the next batch of tables while add uses the one before.
func (f *File) tablesInBatches(from, to int, add func(*unwind.CallFrameTable) error) error {
	maker := func(i int) (b batch) {
		defer bug.Catch(&b.err) // the tables before it stay
		at := from + i*batchSize
		b.err = f.tables(at, min(at+batchSize, to), func(t *unwind.CallFrameTable) error {
			b.tables = append(b.tables, t)
			return nil
		})
		return b
	}
	return parallel.Each((to-from+batchSize-1)/batchSize, []func(int) batch{maker}, func(b batch) error {
		for _, t := range b.tables {
			if err := add(t); err != nil {
				return err
			}
		}
		return b.err
	})
}
