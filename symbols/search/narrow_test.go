package search

import (
	"fmt"
	"testing"

	"crashglass/core/base/ranges"
)

// Series of a file, in sections of their own, with another section among them.
const (
	byFile Series = iota
	byOrigin
	byFunc
	byWin
	byInit
	seriesCount   = 5
	publicSection = 2
)

var layout = []int{0, 1, 2, 3, 4}

// A drawn search has blocks that a test lists, by number. Others have no records, as inside of a long
// function.
func drawn(count int, blocks map[int64]*Block) *Search {
	return New(Layout{Count: int64(count), Size: 1, Sections: layout, Read: func(number int64) (*Block, error) {
		if b := blocks[number]; b != nil {
			return b, nil
		}
		return NewBlock(seriesCount), nil
	}})
}

// funcs is a block with records of 0x10 bytes.
func funcs(starts ...uint64) *Block {
	b := NewBlock(seriesCount)
	for i, start := range starts {
		b.Rows[byFunc] = append(b.Rows[byFunc], ranges.Range{Start: start, Size: 0x10, Value: int64(start)<<8 + int64(i)})
	}
	b.finish(layout)
	return b
}

// only is a block with records of other sections.
func only(first, last int) *Block {
	b := NewBlock(seriesCount)
	b.Touch(first)
	b.Touch(last)
	return b
}

// A step narrows a bracket by the first block from a number on that says something. The bracket is drawn
// as low-high, with ! at an end that is known.
func TestStep(t *testing.T) {
	before, after := only(0, 1), only(3, 4) // FILE and INLINE_ORIGIN, STACK
	for _, test := range []struct {
		name   string
		blocks map[int64]*Block
		r      bracket
		at     int64
		want   string
	}{
		{"a record with the number", map[int64]*Block{5: funcs(0x100)}, bracket{low: 0, high: 9}, 5, "5-9 hit"},
		{"its last byte", map[int64]*Block{5: funcs(0xf1)}, bracket{low: 0, high: 9}, 5, "5-9 hit"},
		{"a lower record", map[int64]*Block{5: funcs(0xf0)}, bracket{low: 0, high: 9}, 5, "5!-9"},
		{"a higher record", map[int64]*Block{5: funcs(0x101)}, bracket{low: 0, high: 9}, 5, "0-5!"},
		{"a lower record behind blocks without any", map[int64]*Block{7: funcs(0xf0)}, bracket{low: 0, high: 9}, 5, "7!-9"},
		{"a higher record behind blocks without any", map[int64]*Block{7: funcs(0x101)}, bracket{low: 0, high: 9}, 5, "0-5!"},
		{"an earlier section", map[int64]*Block{5: before}, bracket{low: 0, high: 9}, 5, "5-9"},
		{"a later section", map[int64]*Block{5: after}, bracket{low: 0, high: 9}, 5, "0-5"},
		{"a later section behind blocks without any", map[int64]*Block{7: after}, bracket{low: 0, high: 9}, 5, "0-5"},
		{"an earlier section in known records: read on", map[int64]*Block{5: before, 6: funcs(0xf0)}, bracket{low: 0, high: 9, knowLow: true}, 5, "6!-9"},
		{"a later section in known records: read on", map[int64]*Block{5: after, 6: funcs(0xf0)}, bracket{low: 0, high: 9, knowHigh: true}, 5, "6!-9!"},
		{"nothing up to the end of the bracket", nil, bracket{low: 0, high: 9}, 5, "0-5"},
		{"the high block is not read", map[int64]*Block{9: funcs(0xf0)}, bracket{low: 0, high: 9}, 5, "0-5"},
		{"nothing in as many blocks as are read, behind a known record", nil, bracket{low: 0, high: 90, knowLow: true}, 5, "0!-5"},
		{"nothing in as many blocks as are read, before a known record", nil, bracket{low: 0, high: 90, knowHigh: true}, 5, "5-90!"},
		{"nothing in as many blocks as are read, between known records", nil, bracket{low: 0, high: 90, knowLow: true, knowHigh: true}, 5, "refused"},
		{"nothing in as many blocks as are read, and nothing known", nil, bracket{low: 0, high: 90}, 5, "refused"},
		{"the last block that is read", map[int64]*Block{5 + mostEmpty - 1: funcs(0xf0)}, bracket{low: 0, high: 90}, 5, "36!-90"},
		{"the first one that is not", map[int64]*Block{5 + mostEmpty: funcs(0xf0)}, bracket{low: 0, high: 90}, 5, "refused"},
		{"exactly as many as there are", nil, bracket{low: 0, high: 5 + mostEmpty, knowLow: true, knowHigh: true}, 5, "0!-5!"},
	} {
		s := drawn(100, test.blocks)
		r := test.r
		got := "refused"
		if in := (run{from: 0, to: 99}); s.step(byFunc, 0x100, &in, &r, test.at) {
			known := map[bool]string{true: "!"}
			got = fmt.Sprintf("%d%s-%d%s", r.low, known[r.knowLow], r.high, known[r.knowHigh])
			if r.hit {
				got += " hit"
			}
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// A bisection ends with the blocks around the place of a number: one with a record that has it, or two
// neighbours, of which the higher one may be without records.
func TestBisect(t *testing.T) {
	blocks := map[int64]*Block{2: funcs(0x100, 0x120), 3: funcs(0x200), 7: funcs(0x300), 8: funcs(0x400), 0: only(0, 1), 9: only(4, 4)}
	for _, test := range []struct {
		v         uint64
		low, high int64
		ok        bool
	}{
		{v: 0x100, low: 2, high: 2, ok: true}, {v: 0x12f, low: 2, high: 2, ok: true}, {v: 0x130, low: 2, high: 3, ok: true},
		{v: 0x200, low: 3, high: 3, ok: true}, {v: 0x20f, low: 3, high: 3, ok: true},
		{v: 0x210, low: 3, high: 7, ok: true}, {v: 0x300, low: 7, high: 7, ok: true}, {v: 0x3ff, low: 7, high: 8, ok: true}, {v: 0x400, low: 8, high: 8, ok: true},
		{v: 0x80, low: 1, high: 2, ok: true},  // below all: the first block, behind one without records
		{v: 0x999, low: 8, high: 8, ok: true}, // above all: the last one
	} {
		s := drawn(10, blocks)
		in := run{from: 0, to: 9}
		low, high, ok := s.bisect(byFunc, test.v, &in)
		if low != test.low || high != test.high || ok != test.ok {
			t.Errorf("%#x: blocks %d to %d, %v; want %d to %d", test.v, low, high, ok, test.low, test.high)
		}
		for i, p := range in.probes { // what was read is known from now on
			if b := blocks[p.number]; b == nil || p.middle != b.middle[byFunc] || i > 0 && in.probes[i-1].number >= p.number {
				t.Errorf("%#x: probes %+v", test.v, in.probes)
			}
		}
	}
	s := drawn(10, nil)
	if low, high, ok := s.bisect(byFunc, 0x100, &run{from: 0, to: 9}); ok {
		t.Errorf("a file without records: blocks %d to %d", low, high)
	}
}

// A window grows at both ends: up to the ends of its run, the ends of its section, and the largest size.
func TestWiden(t *testing.T) {
	blocks := map[int64]*Block{3: only(0, 1), 4: funcs(0x100), 5: funcs(0x200), 6: only(4, 4), 7: funcs(0x300), 40: only(publicSection, publicSection), 50: only(0, 0)}
	all := run{from: 0, to: 90}
	for _, test := range []struct {
		name   string
		w      window
		number int64
		probes []probe
		ok     bool
		want   string
	}{
		{name: "behind the run", w: window{run: run{from: 4, to: 5}, from: 4, to: 5}, number: 6, ok: true, want: "4 to 5, ends high"},
		{name: "before the run", w: window{run: run{from: 4, to: 5}, from: 4, to: 5}, number: 3, ok: true, want: "4 to 5, ends low"},
		{name: "upwards", w: window{run: run{from: 0, to: 9}, from: 4, to: 4}, number: 5, ok: true, want: "4 to 5: 512"},
		{name: "downwards", w: window{run: run{from: 0, to: 9}, from: 5, to: 5}, number: 4, ok: true, want: "4 to 5: 256"},
		{name: "into a later section", w: window{run: run{from: 0, to: 9}, from: 4, to: 5}, number: 6, ok: true, want: "4 to 6, ends high"},
		{name: "into a later section that records follow", w: window{run: run{from: 0, to: 9}, from: 4, to: 5}, number: 6, probes: []probe{{number: 7}}, ok: true, want: "4 to 6"},
		{name: "into an earlier section", w: window{run: run{from: 0, to: 9}, from: 4, to: 5}, number: 3, ok: true, want: "3 to 5, ends low"},
		{name: "into an earlier section that records precede", w: window{run: run{from: 0, to: 9}, from: 4, to: 5},
			number: 3, probes: []probe{{number: 2}}, ok: true, want: "3 to 5"},
		{name: "into a block without records", w: window{run: run{from: 0, to: 20}, from: 7, to: 7}, number: 8, ok: true, want: "7 to 8"},
		{name: "upwards into a block of PUBLIC records", w: window{run: all, from: 39, to: 39}, number: 40, ok: true, want: "39 to 40"},
		{name: "downwards into a block of PUBLIC records", w: window{run: all, from: 41, to: 41}, number: 40, ok: true, want: "40 to 41"},
		{name: "upwards into an earlier section", w: window{run: all, from: 2, to: 2}, number: 3, ok: true, want: "2 to 3"},
		{name: "downwards into a later section", w: window{run: all, from: 7, to: 7}, number: 6, ok: true, want: "6 to 7"},
		{name: "downwards into a block without records", w: window{run: all, from: 21, to: 21}, number: 20, ok: true, want: "20 to 21"},
		{name: "downwards into a block of the first section", w: window{run: all, from: 51, to: 51}, number: 50, ok: true, want: "50 to 51, ends low"},
		{name: "up to the largest size", w: window{run: run{from: 0, to: 90}, from: 10, to: 10 + widest - 1}, number: 10 + widest, ok: true, want: "10 to 26"},
		{name: "beyond the largest size", w: window{run: run{from: 0, to: 90}, from: 10, to: 10 + widest}, number: 11 + widest, want: "10 to 26"},
	} {
		s := drawn(100, blocks)
		s.probes[byFunc] = test.probes
		w := test.w
		w.s, w.k = s, byFunc
		ok := w.widen(test.number)
		got := fmt.Sprintf("%d to %d", w.from, w.to)
		for r := range w.rows {
			got += fmt.Sprintf(": %d", r.Start)
		}
		for name, end := range map[string]bool{", ends low": w.low, ", ends high": w.high} {
			if end {
				got += name
			}
		}
		if ok != test.ok || got != test.want {
			t.Errorf("%s: %s, %v; want %s", test.name, got, ok, test.want)
		}
	}
}

// One record may be lower than the one before it where a run of the file ends in the window, and none
// elsewhere.
func TestOrdered(t *testing.T) {
	up, down := funcs(0x100, 0x200).Rows[byFunc], funcs(0x200, 0x100).Rows[byFunc]
	for _, test := range []struct {
		name     string
		run      run
		from, to int64
		rows     []ranges.Range
		want     bool
	}{
		{name: "ascending", run: run{from: 0, to: 9}, from: 4, to: 5, rows: up, want: true},
		{name: "descending in the middle", run: run{from: 1, to: 8}, from: 4, to: 5, rows: down},
		{name: "descending where the run begins", run: run{from: 3, to: 8}, from: 3, to: 5, rows: down, want: true},
		{name: "in the block behind", run: run{from: 3, to: 8}, from: 4, to: 5, rows: down, want: true},
		{name: "two blocks behind", run: run{from: 2, to: 8}, from: 4, to: 5, rows: down},
		{name: "at the start of the file", run: run{from: 0, to: 8}, from: 0, to: 1, rows: down},
		{name: "where the run ends", run: run{from: 0, to: 6}, from: 4, to: 6, rows: down, want: true},
		{name: "in the block before", run: run{from: 0, to: 6}, from: 4, to: 5, rows: down, want: true},
		{name: "two blocks before", run: run{from: 0, to: 7}, from: 4, to: 5, rows: down},
		{name: "at the end of the file", run: run{from: 0, to: 9}, from: 4, to: 9, rows: down},
		{name: "in the last block but one", run: run{from: 0, to: 8}, from: 4, to: 8, rows: down, want: true},
	} {
		w := &window{s: drawn(10, nil), run: test.run, from: test.from, to: test.to, parts: [][]ranges.Range{test.rows}}
		if got := w.ordered(); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// A bracket without known ends is narrowed by blocks of other sections inside of it, and no others.
func TestWithin(t *testing.T) {
	before, after := edges{first: 0, last: 1}, edges{first: 3, last: 4}
	at := func(e edges, number int64) edges { e.number = number; return e }
	for _, test := range []struct {
		name      string
		r         bracket
		blocks    []edges
		low, high int64
	}{
		{"a block before", bracket{low: 2, high: 8}, []edges{at(before, 5)}, 5, 8},
		{"the nearest of two before", bracket{low: 2, high: 8}, []edges{at(before, 5), at(before, 3)}, 5, 8},
		{"one below the bracket", bracket{low: 2, high: 8}, []edges{at(before, 1)}, 2, 8},
		{"one behind the bracket", bracket{low: 2, high: 8}, []edges{at(before, 8)}, 2, 8},
		{"a known low end", bracket{low: 2, high: 8, knowLow: true}, []edges{at(before, 5)}, 2, 8},
		{"a block after", bracket{low: 2, high: 8}, []edges{at(after, 5)}, 2, 5},
		{"one at the low end", bracket{low: 2, high: 8}, []edges{at(after, 2)}, 2, 8},
		{"a known high end", bracket{low: 2, high: 8, knowHigh: true}, []edges{at(after, 5)}, 2, 8},
		{"a block with records of the section", bracket{low: 2, high: 8}, []edges{{5, 0, 2}, {6, 2, 4}, {4, 2, 2}}, 2, 8},
	} {
		r := test.r
		if r.within(test.blocks, layout[byFunc]); r.low != test.low || r.high != test.high {
			t.Errorf("%s: %d to %d, want %d to %d", test.name, r.low, r.high, test.low, test.high)
		}
	}
}

// A block covers the numbers of its records, and the memory of a block is about that of its rows.
func TestCovers(t *testing.T) {
	b := funcs(0x100, 0x300)
	for v, want := range map[uint64]bool{0xff: false, 0x100: true, 0x10f: true, 0x110: false, 0x2ff: false, 0x30f: true, 0x310: false, 0: false} {
		if b.covers(byFunc, v) != want || b.covers(byInit, v) {
			t.Errorf("%#x: %v", v, !want)
		}
	}
	if got, want := b.bytes(), 256+24*cap(b.Rows[byFunc]); got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
}
