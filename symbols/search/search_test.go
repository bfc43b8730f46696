package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"crashglass/core/base/ranges"
)

// TestMark has a record at 1000 of the number 100, around which four numbers
// take 10 units, and one at 5000 of the number 1100.
func TestMark(t *testing.T) {
	a, b := mark{number: 100, at: 1000, pace: 0.4}, mark{number: 1100, at: 5000}
	for _, test := range []struct {
		what      string
		got, want int64
	}{
		{"a higher number", a.beside(140, 9999), 1100},
		{"a lower number", a.beside(60, 9999), 900},
		{"one that is too far", a.beside(1<<63, 300), 1300},
		{"one beside a record that stands alone", b.beside(1, 300), 4700},
		{"one between", between(a, b, 350), 2000},
	} {
		if test.got != test.want {
			t.Errorf("%s: %d, want %d", test.what, test.got, test.want)
		}
	}
}

// TestSpan shows the blocks that the probes of a run leave for a number.
//
//	block   0   3   7   10
//	middle      30  70        (the run has blocks 0 to 10)
func TestSpan(t *testing.T) {
	low, high := mark{number: 30, at: 300, pace: 1}, mark{number: 70, at: 700, pace: 1}
	r := run{from: 0, to: 10, probes: []probe{{3, low}, {7, high}}}
	later := run{from: 2, to: 10, probes: r.probes}
	between := bracket{low: 3, lowMark: low, knowLow: true, high: 7, highAt: 7, highMark: high, knowHigh: true, nearest: low}
	for _, tt := range []struct {
		run    run
		v      uint64
		blocks []edges // that are read
		want   bracket
	}{
		{r, 29, nil, bracket{low: -1, high: 3, highAt: 3, highMark: low, knowHigh: true, nearest: low}},
		{r, 30, nil, between},
		{r, 69, nil, between},
		{r, 70, nil, bracket{low: 7, lowMark: high, knowLow: true, high: 11, nearest: high}},
		{later, 29, nil, bracket{low: 2, high: 3, highAt: 3, highMark: low, knowHigh: true, nearest: low}},
		{run{from: 1, to: 4}, 5, nil, bracket{low: 1, high: 5}},
		{run{from: 0, to: 9}, 5, []edges{{number: 2, first: 0, last: 0}, {number: 6, first: 9, last: 9}}, bracket{low: 2, high: 6}},
		{r, 30, []edges{{number: 4, first: 0, last: 0}, {number: 6, first: 9, last: 9}}, between},
	} {
		s := drawn(1, nil)
		s.sections = tt.blocks
		if got := s.start(byFunc, &tt.run, tt.v); got != tt.want {
			t.Errorf("%d: %+v, want %+v", tt.v, got, tt.want)
		}
	}
}

// TestGuess has the block that is read next: where an even spread or the pace
// around the last block would have the number, or the middle one; always inside
// of the span.
func TestGuess(t *testing.T) {
	low, high := mark{number: 1000, at: 1000, pace: 2}, mark{number: 2000, at: 2000}
	known := bracket{low: 10, lowMark: low, knowLow: true, high: 20, highMark: high, knowHigh: true, nearest: low}
	half := bracket{low: 10, lowMark: low, knowLow: true, high: 20, nearest: low}
	last := mark{number: math.MaxUint64, at: 1 << 47, pace: 1}
	wide := bracket{low: 0, knowLow: true, high: 1 << 40, highMark: last, knowHigh: true, nearest: last}
	for _, tt := range []struct {
		in   bracket
		v    uint64
		step int
		want int64
	}{
		{known, 1300, 0, 13}, {known, 1999, 0, 19}, // evenly
		{known, 1300, 1, 11}, {known, 1800, 1, 14}, // by the pace
		{known, 1300, 3, 15},                       // the middle
		{known, 1000, 0, 11},                       // low itself was read
		{known, 2000, 0, 15}, {known, 9000, 0, 19}, // beyond the number of high
		{half, 1300, 0, 11}, {half, 1800, 2, 14}, {half, 999, 0, 11},
		{bracket{low: -1, high: 5}, 7, 0, 2}, // nothing is known
		{wide, math.MaxUint64 - 1, 1, 1<<40 - 1}, {wide, 0, 0, 1},
	} {
		s := &Search{Layout: Layout{Size: 100}}
		if got := s.guess(&tt.in, tt.v, tt.step); got != tt.want {
			t.Errorf("%+v, %d, step %d: block %d, want %d", tt.in, tt.v, tt.step, got, tt.want)
		}
	}
}

// TestLearn adds blocks that were read to the probes of a run.
func TestLearn(t *testing.T) {
	known := []probe{{3, mark{number: 30}}, {7, mark{number: 70}}}
	for _, tt := range []struct {
		name   string
		number int64
		middle uint64
		want   string
	}{
		{"between", 5, 50, "[{3 30} {5 50} {7 70}]"},
		{"before all", 2, 20, "[{2 20} {3 30} {7 70}]"},
		{"after all", 8, 80, "[{3 30} {7 70} {8 80}]"},
		{"equal to the one before", 5, 30, "[{3 30} {5 30} {7 70}]"},
		{"equal to the one behind", 5, 70, "[{3 30} {5 70} {7 70}]"},
		{"known", 7, 70, "[{3 30} {7 70}]"},
		{"below the one before", 5, 29, "[{3 30} {7 70}]"},
		{"above the one behind", 5, 71, "[{3 30} {7 70}]"},
		{"where the run begins", 1, 10, "[{3 30} {7 70}]"},
		{"where the run ends", 9, 90, "[{3 30} {7 70}]"},
	} {
		r := run{from: 1, to: 9, probes: slices.Clone(known)}
		r.learn(tt.number, mark{number: tt.middle})
		if got := probesText(r.probes); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func probesText(probes []probe) string {
	var out []string
	for _, p := range probes {
		out = append(out, fmt.Sprintf("{%d %d}", p.number, p.middle.number))
	}
	return fmt.Sprint(out)
}

func TestLearnIsBounded(t *testing.T) {
	r := run{to: 2 * mostLearned}
	for i := range int64(mostLearned + 9) {
		r.learn(i+1, mark{number: uint64(i)})
	}
	if len(r.probes) != mostLearned {
		t.Errorf("%d probes, want %d", len(r.probes), mostLearned)
	}
}

// rowsAt are records of 16 bytes, in the order of a file.
func rowsAt(starts ...uint64) (out []ranges.Range) {
	for i, start := range starts {
		out = append(out, ranges.Range{Start: start, Size: 0x10, Value: int64(i)})
	}
	return out
}

// TestDisorder tells one run that ends inside of a block from records out of place.
func TestDisorder(t *testing.T) {
	for _, tt := range []struct {
		starts     []uint64
		descents   int
		disordered bool
	}{
		{descents: 0},
		{starts: []uint64{0x10, 0x20, 0x20, 0x30}, descents: 0},
		{starts: []uint64{0x30, 0x40, 0x10, 0x20}, descents: 1}, // the next run is lower throughout
		{starts: []uint64{0x30, 0x40, 0x10, 0x30}, descents: 1},
		{starts: []uint64{0x30, 0x40, 0x10, 0x31}, descents: 1, disordered: true},
		{starts: []uint64{0x30, 0x20, 0x10}, descents: 2, disordered: true},
	} {
		rows := rowsAt(tt.starts...)
		if n := descents(slices.Values(rows)); n != tt.descents {
			t.Errorf("%x: %d descents, want %d", tt.starts, n, tt.descents)
		}
		if len(rows) > 0 && isDisordered(rows) != tt.disordered {
			t.Errorf("%x: disordered is %v", tt.starts, !tt.disordered)
		}
	}
	twice := []ranges.Range{{Start: 1, Value: 5}, {Start: 2, Value: 5}}
	if n := descents(slices.Values(twice)); n != 1 {
		t.Errorf("%d descents of a record that is there twice, want 1", n)
	}
}

// TestWindow asks what the records of two blocks say about a number.
func TestWindow(t *testing.T) {
	w := &window{parts: [][]ranges.Range{rowsAt(0x10, 0x20), rowsAt(0x30, 0x40)}}
	for v, passes := range map[uint64]bool{0x3f: true, 0x40: false, 0x41: false} {
		if w.passes(v) != passes {
			t.Errorf("passes(%#x) is %v", v, !passes)
		}
	}
	for floor, below := range map[uint64]bool{0x10: false, 0x11: true, 0x80: true, 0: false} {
		if w.hasBelow(floor) != below {
			t.Errorf("hasBelow(%#x) is %v", floor, !below)
		}
	}
	for v, want := range map[uint64]int64{0xf: -1, 0x10: 0x10, 0x1f: 0x10, 0x20: 0x20, 0x4f: 0x40, 0x50: -1} {
		got := int64(-1)
		if r, ok := has([]*window{w}, v); ok {
			got = int64(r.Start)
		}
		if got != want {
			t.Errorf("%#x is in the record at %#x, want %#x", v, got, want)
		}
	}
	s := drawn(1, nil)
	s.probes[byFunc] = []probe{{number: 3}, {number: 7}}
	for number, want := range map[int64][2]bool{2: {false, true}, 3: {false, true}, 4: {true, true}, 7: {true, false}, 8: {true, false}} {
		if got := [2]bool{s.hasBefore(byFunc, number), s.hasAfter(byFunc, number)}; got != want {
			t.Errorf("block %d has records before and after it: %v, want %v", number, got, want)
		}
	}
	if s.hasBefore(byInit, 5) || s.hasAfter(byInit, 5) {
		t.Error("a series without probes has records")
	}
}

// TestTooMany says when a scan costs no more than to go on with a search.
func TestTooMany(t *testing.T) {
	for _, tt := range []struct {
		reads  int
		blocks int64
		want   bool
	}{
		{reads: probeCount, blocks: 1},
		{reads: probeCount + 1, blocks: 1, want: true},
		{reads: probeCount + 1, blocks: 4 * (probeCount + 1)},
		{reads: probeCount + 1, blocks: 4*(probeCount+1) - 1, want: true},
	} {
		s := drawn(int(tt.blocks), nil)
		if s.Reads = tt.reads; s.TooMany() != tt.want {
			t.Errorf("%d of %d blocks: %v, want %v", tt.reads, tt.blocks, !tt.want, tt.want)
		}
	}
}

// TestProbes probes blocks in which records are out of place or not. One block is enough for the whole series.
func TestProbes(t *testing.T) {
	up, down := funcs(0x100, 0x200), funcs(0x200, 0x100, 0x300)
	for _, tt := range []struct {
		name   string
		blocks []*Block
		want   string
	}{
		{"in order", []*Block{up, up}, "disorder false, 4 records, sections [{0 2 2} {1 2 2}]"},
		{"the first is not", []*Block{down, up}, "disorder true, 5 records, sections [{0 2 2} {1 2 2}]"},
		{"the second is not", []*Block{up, down}, "disorder true, 5 records, sections [{0 2 2} {1 2 2}]"},
		{"one has only FILE", []*Block{only(0, 0), up}, "disorder false, 2 records, sections [{0 0 0} {1 2 2}]"},
		{"one has nothing", []*Block{NewBlock(seriesCount), up}, "disorder false, 2 records, sections [{1 2 2}]"},
	} {
		s := drawn(2, nil)
		for i, b := range tt.blocks {
			s.probe(int64(i), b)
		}
		if got := fmt.Sprintf("disorder %v, %d records, sections %v", s.disorder[byFunc], s.Seen[byFunc], s.sections); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestGivesUp leaves the answer to a scan when the searches have read more than a scan would.
func TestGivesUp(t *testing.T) {
	s := drawn(10, map[int64]*Block{2: funcs(0x100), 3: funcs(0x200), 4: funcs(0x300)})
	if err := cmp.Or(s.Probe(), s.Divide()); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Find(byFunc, 0x208); !ok {
		t.Fatal("not found")
	}
	s.Reads = probeCount + 11
	if _, ok := s.Find(byFunc, 0x208); ok {
		t.Error("found")
	}
	s.Reads--
	if _, ok := s.Find(byFunc, 0x208); !ok {
		t.Error("not found")
	}
}
