package variables

import "crashglass/core/values/types"

// vbptrs is the number of an object's words that are tried as the pointer to the table of virtual
// bases. Clang does not record its offset.
const vbptrs = 8

// tableOffset finds a virtual base by Microsoft's table. The table's first number is the distance
// from the pointer back to its class, which distinguishes a table from other memory.
func (r *reader) tableOffset(v view, base *types.VBase) (uint64, error) {
	at, table, err := r.vbtable(v, base.At)
	if err != nil {
		return 0, err
	}
	off, err := r.vtableInt(table + uint64(base.Slot))
	return at + off, err
}

// vbtable finds the pointer and the table.
func (r *reader) vbtable(v view, at uint64) (uint64, uint64, error) {
	word := uint64(r.frame.Arch.Word)
	if at != 0 {
		table, back, err := r.vbtableAt(v, at)
		if err == nil && back > at {
			err = Damaged("the table of virtual bases leads %d bytes back, and lies %d in the object", back, at)
		}
		return at, table, err
	}
	var first error
	for at := uint64(0); at < vbptrs*word; at += word {
		table, back, err := r.vbtableAt(v, at)
		if err == nil && back == at {
			return at, table, nil
		}
		if err != nil && first == nil {
			first = err
		}
	}
	if first == nil {
		first = Damaged("where the table of virtual bases is, is not in the debug information")
	}
	return 0, 0, first
}

// vbtableAt reads a pointer, and the first number that it leads to.
func (r *reader) vbtableAt(v view, at uint64) (table, back uint64, err error) {
	b, err := r.get(v.at(at), uint64(r.frame.Arch.Word))
	if err != nil {
		return 0, 0, err
	}
	table = r.frame.Number(b)
	off, err := r.vtableInt(table)
	return table, -off, err
}

// vtableInt reads a number of four bytes with a sign.
func (r *reader) vtableInt(addr uint64) (uint64, error) {
	v, err := r.eval.Word(addr, 4)
	return uint64(extend(v, 32)), err
}
