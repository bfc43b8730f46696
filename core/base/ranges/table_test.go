package ranges

import (
	"math/rand/v2"
	"slices"
	"testing"
)

const top = ^uint64(0)

func tableOf(list []Range, lastGiven bool) (*Table, Overlaps) {
	t := &Table{LastAdded: lastGiven}
	for _, r := range list {
		t.Add(r.Start, r.Size, r.Value)
	}
	return t, t.Finish()
}

// model is the rule in its simplest form: it examines every range.
func model(list []Range, lastGiven bool, addr uint64) (value int64, ok bool) {
	var start uint64
	for _, r := range list {
		covers := addr >= r.Start && (r.Start+r.Size < r.Start || addr < r.Start+r.Size)
		if covers && (!ok || r.Start > start || r.Start == start && lastGiven) {
			value, start, ok = r.Value, r.Start, true
		}
	}
	return value, ok
}

func check(t *testing.T, list []Range, lastGiven bool, addrs []uint64) {
	t.Helper()
	table, _ := tableOf(list, lastGiven)
	for i := range table.Len() {
		r := table.Range(i)
		if r.Size == 0 || r.Last() < r.Start || i > 0 && table.Range(i-1).Last() >= r.Start {
			t.Fatalf("%+v: piece %d is %+v, which is not disjoint", list, i, r)
		}
	}
	if n := table.Len(); n > 2*len(list) {
		t.Fatalf("%d pieces of %d ranges", n, len(list))
	}
	for _, addr := range addrs {
		want, has := model(list, lastGiven, addr)
		if r, ok := table.Find(addr); ok != has || ok && (r.Value != want || addr < r.Start || addr > r.Last()) {
			t.Fatalf("%+v: %#x is in %+v, %v, want %d, %v", list, addr, r, ok, want, has)
		}
	}
	before := slices.Clone(rangesOf(table))
	if o := table.Finish(); o != (Overlaps{}) || !slices.Equal(before, rangesOf(table)) {
		t.Fatalf("%+v: finished again: %+v, %v", list, o, rangesOf(table))
	}
}

func rangesOf(t *Table) (out []Range) {
	for i := range t.Len() {
		out = append(out, t.Range(i))
	}
	return out
}

// edges returns the addresses at which answers change, and their neighbours.
func edges(list []Range) (out []uint64) {
	for _, r := range list {
		for d := range uint64(5) {
			out = append(out, r.Start+d-2, r.Start+r.Size+d-2)
		}
	}
	return append(out, 0, top)
}

// TestAgainstModel has ranges that overlap, repeat, have no size or wrap, low,
// beyond 32 bits and at the top of the address space.
func TestAgainstModel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, base := range []uint64{0, 1<<32 - 10, 1 << 40, top - 40, top - 3} {
		for n := range 3000 {
			list := make([]Range, rnd.IntN(9))
			for i := range list {
				list[i] = Range{base + rnd.Uint64N(40), rnd.Uint64N(16), int64(i)}
				if rnd.IntN(8) == 0 {
					list[i].Size = rnd.Uint64()
				}
			}
			check(t, list, n%2 == 0, edges(list))
		}
	}
}

func TestTable(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   []Range
		last bool // of ranges with one start the last given wins
		want []Range
		o    Overlaps
	}{
		{name: "nothing", o: Overlaps{}},
		{name: "no size", in: []Range{{5, 0, 1}}, o: Overlaps{}},
		{name: "neighbours", in: []Range{{20, 10, 1}, {10, 10, 2}}, want: []Range{{10, 10, 2}, {20, 10, 1}}, o: Overlaps{}},
		{name: "nested: the outer one keeps its tail", in: []Range{{0, 100, 1}, {10, 5, 2}}, last: false,
			want: []Range{{0, 10, 1}, {10, 5, 2}, {15, 85, 1}}, o: Overlaps{Inside: 1, First: 10}},
		{name: "crossed", in: []Range{{0, 20, 1}, {10, 20, 2}}, want: []Range{{0, 10, 1}, {10, 20, 2}}, o: Overlaps{Inside: 1, First: 10}},
		{name: "one start: the first given", in: []Range{{0, 10, 1}, {0, 20, 2}, {0, 5, 3}}, want: []Range{{0, 10, 1}, {10, 10, 2}}, o: Overlaps{Inside: 2}},
		{name: "one start: the last given", in: []Range{{0, 10, 1}, {0, 20, 2}, {0, 5, 3}}, last: true, want: []Range{{0, 5, 3}, {5, 15, 2}}, o: Overlaps{Inside: 2}},
		{name: "the same again", in: []Range{{5, 10, 1}, {5, 10, 2}}, want: []Range{{5, 10, 1}}, o: Overlaps{Same: 1}},
		{name: "up to the top", in: []Range{{top - 9, 10, 1}, {top - 4, 2, 2}}, last: false,
			want: []Range{{top - 9, 5, 1}, {top - 4, 2, 2}, {top - 2, 3, 1}}, o: Overlaps{Inside: 1, First: top - 4}},
		{name: "one that wraps ends at the top", in: []Range{{top - 9, 100, 1}}, want: []Range{{top - 9, 10, 1}}, o: Overlaps{}},
		{name: "a size that lies", in: []Range{{10, top, 1}, {20, 10, 2}, {30, 10, 3}}, last: false,
			want: []Range{{10, 10, 1}, {20, 10, 2}, {30, 10, 3}, {40, top - 39, 1}}, o: Overlaps{Inside: 2, First: 20}},
	} {
		table, o := tableOf(tt.in, tt.last)
		if got := rangesOf(table); !slices.Equal(got, tt.want) || o != tt.o {
			t.Errorf("%s: %v, %+v, want %v, %+v", tt.name, got, o, tt.want, tt.o)
		}
	}
}

// TestManyInside has a long range with 100,000 in it, of which each is found,
// and the long one between and behind them.
func TestManyInside(t *testing.T) {
	const n = 100_000
	var table Table
	table.Add(0, 10*n+10, n)
	for i := range int64(n) {
		table.Add(uint64(10*i), 5, i)
	}
	table.Finish()
	for i := range int64(n) {
		in, _ := table.Find(uint64(10*i + 4))
		between, _ := table.Find(uint64(10*i + 5))
		if i > 0 && in.Value != i || between.Value != n {
			t.Fatalf("%d: %+v, %+v", i, in, between)
		}
	}
	if last, ok := table.Find(10*n + 9); !ok || last.Value != n {
		t.Errorf("%+v, %v", last, ok)
	}
}

// TestMore adds ranges to a table that is finished, and joins it to another one.
func TestMore(t *testing.T) {
	table, _ := tableOf([]Range{{10, 10, 1}, {12, 2, 2}}, false)
	table.Add(18, 10, 3)
	all := &Table{}
	all.Add(0, 5, 4)
	all.Join(table)
	all.Finish()
	want := []Range{{0, 5, 4}, {10, 2, 1}, {12, 2, 2}, {14, 4, 1}, {18, 10, 3}}
	if got := rangesOf(all); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func FuzzTable(f *testing.F) {
	f.Add([]byte{0, 10, 3, 2, 3, 4}, uint64(0), false)
	f.Add([]byte{0, 200, 3, 20, 4, 4, 4, 8}, top-100, true)
	f.Fuzz(func(t *testing.T, data []byte, base uint64, lastGiven bool) {
		var list []Range
		for i := 0; i+1 < min(len(data), 100); i += 2 {
			size := uint64(data[i+1])
			if size >= 250 {
				size <<= 8 * (size - 248)
			}
			list = append(list, Range{base + uint64(data[i]), size, int64(i)})
		}
		check(t, list, lastGiven, edges(list))
	})
}

// BenchmarkFind searches a table as large as that of a module list.
func BenchmarkFind(b *testing.B) {
	var table Table
	for i := range uint64(200) {
		table.Add(0x7f00_0000_0000+i<<20, 0x8_0000, int64(i))
	}
	table.Finish()
	for i := uint64(0); b.Loop(); i++ {
		table.Find(0x7f00_0000_0000 + i%200<<20)
	}
}
