package ranges

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

// gridOf has rows of two values.
func gridOf(rows ...[2]uint64) *Grid {
	g := &Grid{}
	for _, r := range rows {
		g.Add(2, r[0], r[1], 0)
	}
	return g
}

// firsts are the first values of all rows.
func firsts(g *Grid) (out []uint64) {
	for i := range g.Len() {
		out = append(out, g.At(i, 0))
	}
	return out
}

// A grid takes four bytes for a number while all fit, and then eight for each.
func TestWidths(t *testing.T) {
	const fits = 1<<32 - 1
	for _, tt := range []struct {
		name  string
		rows  [][2]uint64
		wide  bool
		bytes []byte
	}{
		{name: "nothing"},
		{name: "small", rows: [][2]uint64{{1, 2}}, bytes: []byte{1, 0, 0, 0, 2, 0, 0, 0}},
		{name: "all that fits", rows: [][2]uint64{{fits, fits}}, bytes: []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
		{name: "one more", rows: [][2]uint64{{fits + 1, 2}}, wide: true, bytes: []byte{0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}},
		{name: "in the second row and column", rows: [][2]uint64{{1, 2}, {3, 1 << 63}}, wide: true,
			bytes: append([]byte{1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0}, 0, 0, 0, 0, 0, 0, 0, 0x80)},
	} {
		g := gridOf(tt.rows...)
		if g.Wide() != tt.wide || g.Len() != len(tt.rows) || !bytes.Equal(g.AppendTo(nil), tt.bytes) {
			t.Errorf("%s: %v, %d rows, % x; want % x", tt.name, g.Wide(), g.Len(), g.AppendTo(nil), tt.bytes)
		}
		if width := g.Width(); len(tt.rows) == 0 && width != 0 || len(tt.rows) > 0 && width != 2 {
			t.Errorf("%s: %d columns", tt.name, width)
		}
		kept := []byte{9}
		if out := g.AppendTo(kept); out[0] != 9 || !bytes.Equal(out[1:], tt.bytes) {
			t.Errorf("%s: appended % x", tt.name, out)
		}
	}
}

// All rows of several blocks are appended, in their order.
func TestAppendBlocks(t *testing.T) {
	for _, n := range []int{leastBlock - 1, leastBlock, leastBlock + 1, blockLen - 1, blockLen, blockLen + 1, 2*blockLen + 3} {
		for width := 1; width <= 3; width++ {
			var g Grid
			var want []byte
			for i := range uint64(n) {
				g.Add(width, i, 2*i, 3*i)
				for k := range uint64(width) {
					want = binary.LittleEndian.AppendUint32(want, uint32((k+1)*i))
				}
			}
			if got := g.AppendTo(nil); !bytes.Equal(got, want) {
				t.Errorf("%d rows of %d: %d bytes, want %d", n, width, len(got), len(want))
			}
			if g.Bytes() < len(want) || g.Bytes() > len(want)+4*width*max(n, blockLen) {
				t.Errorf("%d rows of %d take %d bytes", n, width, g.Bytes())
			}
		}
	}
}

// UpTo counts the rows that begin with at most a value, equal ones too.
func TestUpTo(t *testing.T) {
	g := gridOf([2]uint64{10}, [2]uint64{20}, [2]uint64{20}, [2]uint64{top})
	for v, want := range map[uint64]int{0: 0, 9: 0, 10: 1, 19: 1, 20: 3, 21: 3, top - 1: 3, top: 4} {
		if got := g.UpTo(v); got != want {
			t.Errorf("%d: %d, want %d", v, got, want)
		}
	}
	if (&Grid{}).UpTo(top) != 0 {
		t.Error("an empty grid has rows")
	}
}

// Few runs are merged, many are distributed by digits; both keep the order of
// equal keys. Keys of 64 bits and keys that differ in one digit only count, too.
func TestOrderKeepsEqualKeys(t *testing.T) {
	shapes := map[string]func(i uint64) uint64{
		"one run":                func(i uint64) uint64 { return i / 3 },
		"two runs":               func(i uint64) uint64 { return i % 300 / 3 },
		"as many as are merged":  func(i uint64) uint64 { return i % (600/maxRuns + 1) },
		"one after the other":    func(i uint64) uint64 { return 600 - i },
		"a high digit":           func(i uint64) uint64 { return (i * 7 % 5) << 60 },
		"a digit in the middle":  func(i uint64) uint64 { return 1<<63 | (i * 7 % 11 << digitBits) | 5 },
		"two that wrap a digit":  func(i uint64) uint64 { return digits - i%2 },
		"the lowest and highest": func(i uint64) uint64 { return -(i % 2) },
	}
	for name, shape := range shapes {
		var g Grid
		type row struct{ key, at uint64 }
		var want []row
		for i := range uint64(600) {
			g.Add(2, shape(i), i, 0)
			want = append(want, row{shape(i), i})
		}
		slices.SortStableFunc(want, func(a, b row) int {
			if a.key < b.key {
				return -1
			} else if a.key > b.key {
				return 1
			}
			return 0
		})
		g.Order()
		for i, w := range want {
			if g.At(i, 0) != w.key || g.At(i, 1) != w.at {
				t.Errorf("%s: row %d is %#x of %d, want %#x of %d", name, i, g.At(i, 0), g.At(i, 1), w.key, w.at)
				break
			}
		}
	}
	empty := &Grid{}
	if empty.Order(); empty.Len() != 0 || firsts(empty) != nil {
		t.Error("an empty grid has rows")
	}
}

// A table counts how many pieces it has up to an address, and what they take up.
func TestTableRows(t *testing.T) {
	table, _ := tableOf([]Range{{30, 10, 3}, {10, 10, 1}}, false)
	if got := firsts(table.Rows()); !slices.Equal(got, []uint64{10, 30}) {
		t.Errorf("%v", got)
	}
	for addr, want := range map[uint64]int{0: 0, 10: 1, 29: 1, 30: 2, top: 2} {
		if got := table.UpTo(addr); got != want {
			t.Errorf("%d: %d, want %d", addr, got, want)
		}
	}
	if table.Bytes() != table.Rows().Bytes() || table.Bytes() < 2*3*4 {
		t.Errorf("%d bytes", table.Bytes())
	}
	for _, r := range []struct {
		Range
		last uint64
	}{{Range{0, 1, 0}, 0}, {Range{10, 10, 0}, 19}, {Range{top, 1, 0}, top}, {Range{1, top, 0}, top}} {
		if r.Last() != r.last {
			t.Errorf("%+v ends at %#x", r.Range, r.Last())
		}
	}
}
