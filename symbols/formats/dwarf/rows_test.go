package dwarf

import (
	"math/rand/v2"
	"testing"
)

// TestRowAt finds the rows that are listed for a function, at each address of
// sequences that overlap, and in functions that begin inside of a row.
func TestRowAt(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		l := &lines{}
		for range 1 + random.IntN(4) {
			q := sequence{from: int32(len(l.rows))}
			at := 0x1000 + random.Uint64N(64)
			q.start = at
			for range 1 + random.IntN(6) {
				l.rows = append(l.rows, row{at, 1, random.Uint32N(100)})
				at += 1 + random.Uint64N(8)
			}
			q.end, q.to = at, int32(len(l.rows))
			l.byAddr.Add(q.start, q.end-q.start, int64(len(l.seqs)))
			l.seqs = append(l.seqs, q)
		}
		l.byAddr.Finish()
		in := span{0x1000 + random.Uint64N(64), 0x1080}
		type found struct {
			row
			start uint64
		}
		want := map[uint64]found{}
		l.rowsIn(in, func(s span, r row) {
			for addr := s.start; addr < s.end; addr++ {
				want[addr] = found{r, s.start}
			}
		})
		for addr := in.start; addr < in.end; addr++ {
			r, start, ok := l.rowAt(in, addr)
			if w, has := want[addr]; ok != has || ok && (w != found{r, start}) {
				t.Fatalf("%#x in %x: %+v from %#x, %v, want %+v, %v", addr, in, r, start, ok, w, has)
			}
		}
	}
}
