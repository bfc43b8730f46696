package gopclntab

// A row is a value that holds from an address to another one.
type row struct {
	start, end uint64
	value      int64
}

// maxRow is the size of the largest encoded row: two numbers of at most 5 bytes.
const maxRow = 10

// rows calls each for the rows of a table of a function, in order, until it returns false. A table is a list of changes
// of the value, in zigzag encoding, and of distances in instructions; the value begins at -1. A change of 0 ends it.
func (t *Table) rows(f *function, table uint64, each func(row) bool) {
	if table == 0 {
		return
	}
	at, pc, value := t.pcs+table, f.start, int64(-1)
	var page []byte
	for first := true; pc < f.end; first = false {
		if !t.work.Spend(1) {
			t.notes.Add(what + ": looking up functions takes too long: further ones are incomplete")
			return
		}
		if len(page) < maxRow {
			var err error
			if page, err = t.pages.From(int64(at)); err != nil {
				return
			}
			if more, err := t.pages.Bytes(int64(at), maxRow); err == nil && len(page) < maxRow {
				page = more
			}
		}
		change, n := number(page)
		distance, m := number(page[n:])
		if n == 0 || m == 0 || change == 0 && !first || distance == 0 {
			return
		}
		page, at = page[n+m:], at+uint64(n+m)
		value += int64(int32(uint32(change>>1) ^ -uint32(change&1)))
		end := pc + distance*t.min
		if end <= pc || end > f.end {
			end = f.end
		}
		if !each(row{pc, end, value}) {
			return
		}
		pc = end
	}
}

// number decodes an unsigned number of variable length.
func number(b []byte) (v uint64, n int) {
	for n < len(b) && n < 5 {
		v |= uint64(b[n]&0x7f) << (7 * n)
		if n++; b[n-1] < 0x80 {
			return v, n
		}
	}
	return 0, 0
}

func (t *Table) value(f *function, table, addr uint64) (found row, ok bool) {
	t.rows(f, table, func(r row) bool {
		if addr < r.end {
			found, ok = r, addr >= r.start
			return false
		}
		return true
	})
	return found, ok
}
