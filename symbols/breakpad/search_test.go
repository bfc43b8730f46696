package breakpad

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/bin"
	"crashglass/core/ranges"
)

// TestEveryRecordIsFound asks for each record of a file in order. The search is
// certain of all of them, whatever the size of its pages, and reads few blocks.
func TestEveryRecordIsFound(t *testing.T) {
	for _, tt := range []struct{ page, most int64 }{{128, 330}, {512, 90}, {4096, 12}} {
		f := searching(t, []byte(joinLines(orderly()...)), tt.page)
		for i := range 200 {
			at := uint64(0x1000 + i*0x20)
			want := fmt.Sprintf("function%d", i)
			for _, rel := range []uint64{at, at + 7, at + 8, at + 0xf, at + 0x10, at + 0x1f} {
				loc, ok := f.Locate(rel)
				if !ok || loc.Function != want || loc.Start != at || loc.Size != 0x20 || (len(loc.Inlines) == 1) != (rel-at >= 8 && rel-at < 16) {
					t.Fatalf("pages of %d: %#x is %+v, %v, want %s", tt.page, rel, loc, ok, want)
				}
			}
			if cf, ok := f.CallFrame(at + 4); !ok || cf.Start != at {
				t.Errorf("pages of %d: rules at %#x: %+v, %v", tt.page, at+4, cf, ok)
			}
			if win, ok := f.WinFrame(at); ok != (i < 100) || ok && win.Start != at {
				t.Errorf("pages of %d: frame at %#x: %+v, %v", tt.page, at, win, ok)
			}
		}
		s := f.asked.search
		if int64(s.scans) > tt.most {
			t.Errorf("pages of %d: %d blocks were read of %d, want at most %d", tt.page, s.scans, s.count(), tt.most)
		}
	}
}

// TestLearn adds blocks that were read to the probes of a run.
func TestLearn(t *testing.T) {
	at := func(number int64, v uint64) probe { return probe{number, mark{number: v}} }
	probes := []probe{at(3, 30), at(7, 70)}
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
		r := run{from: 1, to: 9, probes: slices.Clone(probes)}
		r.learn(tt.number, mark{number: tt.middle})
		var list []string
		for _, p := range r.probes {
			list = append(list, fmt.Sprintf("{%d %d}", p.number, p.middle.number))
		}
		if got := "[" + strings.Join(list, " ") + "]"; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
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

// TestAstray tells one run that ends inside of a block from records out of place.
func TestAstray(t *testing.T) {
	for _, tt := range []struct {
		starts   []uint64
		descents int
		astray   bool
	}{
		{nil, 0, false},
		{[]uint64{0x10, 0x20, 0x20, 0x30}, 0, false},
		{[]uint64{0x30, 0x40, 0x10, 0x20}, 1, false}, // the next run is lower throughout
		{[]uint64{0x30, 0x40, 0x10, 0x30}, 1, false},
		{[]uint64{0x30, 0x40, 0x10, 0x31}, 1, true},
		{[]uint64{0x30, 0x20, 0x10}, 2, true},
	} {
		rows := rowsAt(tt.starts...)
		if n := descents(slices.Values(rows)); n != tt.descents {
			t.Errorf("%x: %d descents, want %d", tt.starts, n, tt.descents)
		}
		if len(rows) > 0 && astray(rows) != tt.astray {
			t.Errorf("%x: astray is %v", tt.starts, !tt.astray)
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
	s := &search{}
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
	blocks := func(n int64) text { return text{src: bin.NewSource(strings.NewReader(""), n*100), unit: 1} }
	for _, tt := range []struct {
		scans  int
		blocks int64
		want   bool
	}{{probeCount, 1, false}, {probeCount + 1, 1, true}, {probeCount + 1, 4 * (probeCount + 1), false}, {probeCount + 1, 4*(probeCount+1) - 1, true}} {
		s := &search{scans: tt.scans, page: 100, t: blocks(tt.blocks)}
		if s.tooMany() != tt.want {
			t.Errorf("%d of %d blocks: %v, want %v", tt.scans, tt.blocks, !tt.want, tt.want)
		}
	}
}

// TestPagesOnce counts the reads of a file: a page is read once as long as it is
// kept, and the one that was used last is kept.
func TestPagesOnce(t *testing.T) {
	p := paged(asSource(make([]byte, 64*20)), 64)
	read := func(page int64) (reads int) {
		before := p.reads
		if _, err := p.ReadAt(make([]byte, 8), page*64); err != nil {
			t.Fatal(err)
		}
		return p.reads - before
	}
	for i := range int64(keptPages) {
		if n := read(2 * i); n != 1 {
			t.Errorf("page %d: %d reads, want 1", 2*i, n)
		}
	}
	if n := read(0); n != 0 {
		t.Errorf("a page that is kept: %d reads", n)
	}
	read(18) // takes the place of page 2, which is the oldest now
	for page, want := range map[int64]int{0: 0, 4: 0, 18: 0} {
		if n := read(page); n != want {
			t.Errorf("page %d: %d reads, want %d", page, n, want)
		}
	}
	if n := read(2); n != 1 {
		t.Errorf("the oldest page: %d reads, want 1", n)
	}
	if n, err := p.ReadAt(make([]byte, 8), 64*20); n != 0 || err == nil {
		t.Errorf("behind the end: %d bytes, %v", n, err)
	}
}
