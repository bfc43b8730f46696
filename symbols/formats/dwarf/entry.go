package dwarf

// An entry has the attributes of a subprogram or an inlined subroutine.
type entry struct {
	name            ref // of the linker, else plain, else where the name is
	low, high, list value
	file, line      uint64
}

// The ranks of names, the best last. The linkage name is unique. An entry repeats the name of its
// origin only if its own differs.
const (
	rankNone = iota
	rankOrigin
	rankPlain
	rankLinkage
)

// read reads the attributes of an entry of unit u. Its first byte is at off.
func (e *entry) read(r *buffer, a *abbrev, u *unit, off uint64) {
	// Texts that are in the entry itself lie where the buffer is.
	moved := off - u.off
	rank := rankNone
	for i := range a.ops {
		o := &a.ops[i]
		switch {
		case o.form == 0:
			r.skip(uint64(o.skip))
			continue
		case o.name == 0:
			u.skip(r, o.form)
			continue
		}
		v := u.sizes.read(r, o.form, o.implicit)
		switch o.name {
		case atLowPC:
			e.low = v
		case atHighPC:
			e.high = v
		case atRanges:
			e.list = v
		case atCallFile:
			e.file = v.v
		case atCallLine:
			e.line = v.v
		default:
			if v.form == formString {
				v.v += moved
			}
			rank = e.takeName(u, o.name, v, rank)
		}
	}
}

// takeName keeps the best name so far, or the entry that has the name, and returns its rank. Attributes
// come in any order.
func (e *entry) takeName(u *unit, name uint16, v value, rank int) int {
	switch name {
	case atLinkageName, atMIPSLinkageName:
		e.name, rank = u.text(v), rankLinkage
	case atName:
		if rank < rankPlain {
			e.name, rank = u.text(v), rankPlain
		}
	case atAbstractOrigin, atSpecification:
		if rank <= rankOrigin {
			e.name, rank = u.entry(v), rankOrigin
		}
	}
	return rank
}
