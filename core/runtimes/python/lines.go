package python

// unit is the size of a code unit.
const unit = 2

// The codes of entries of a table of lines. Source: Include/cpython/code.h, _PyCodeLocationInfoKind.
const (
	oneLine0 = 10
	noColumn = 13
	long     = 14
	none     = 15
)

// lineAt returns the line of an instruction, by its index: 0 if it has none. Source: InternalDocs/code_objects.md, Objects/codeobject.c.
func lineAt(table []byte, first uint32, index int64) (line uint32) {
	if index < 0 {
		return first
	}
	entries(table, func(delta int64, length int64, has bool) bool {
		first += uint32(delta)
		if line = 0; has {
			line = first
		}
		index -= length
		return index >= 0
	})
	return line
}

// entries calls each for the entries of a table of lines: the change of the line, the number of code units, and whether they have a line.
// It reports whether the table is whole.
func entries(table []byte, each func(delta, length int64, has bool) bool) bool {
	for len(table) > 0 {
		head := table[0]
		if head&0x80 == 0 {
			return false
		}
		table = table[1:]
		kind, length, delta := head>>3&15, int64(head&7)+1, int64(0)
		switch {
		case kind == noColumn || kind == long:
			n, v := varint(table)
			table, delta = table[n:], int64(v>>1)
			if v&1 != 0 {
				delta = -delta
			}
		case kind >= oneLine0 && kind < noColumn:
			delta = int64(kind) - oneLine0
		}
		for len(table) > 0 && table[0]&0x80 == 0 { // columns, and the last line
			table = table[1:]
		}
		if !each(delta, length, kind != none) {
			break
		}
	}
	return true
}

// varint reads a number of six bits a byte, the lowest first.
func varint(b []byte) (n int, v uint64) {
	for n < len(b) && n < 6 {
		v |= uint64(b[n]&0x3f) << (6 * n)
		if n++; b[n-1]&0x40 == 0 {
			break
		}
	}
	return n, v
}
