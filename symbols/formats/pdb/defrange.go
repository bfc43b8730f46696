package pdb

import "crashglass/core/base/bin"

// isRange reports whether a record locates the variable before it.
func isRange(kind uint16) bool {
	return symRange <= kind && kind <= symRangeRegRel || kind == symRangeIndirect
}

// rangedPlace reads an S_DEFRANGE record: where a variable is while execution
// is in a range of code. It reports false when the range lacks the address.
//
// Source: DEFRANGESYMREGISTER and its neighbours in cvinfo.h, and
// DefRangeRegisterRelIndirHeader of LLVM's SymbolRecord.h.
func (f *File) rangedPlace(r record, rva uint32) (p place, covers bool, err error) {
	c := r.cursor("range of a variable")
	p.rule = r.kind
	switch r.kind {
	case symRange:
		p.kind = unsupported
		c.Skip(4) // a program of the debugger's
	case symRangePart:
		p.kind = unsupported
		c.Skip(8) // the same, and an offset
	case symRangeReg:
		p.kind, p.reg = inRegister, c.U16()
		p.maybe = c.U16()&1 != 0
	case symRangePartReg:
		p.kind, p.reg = inRegister, c.U16()
		p.maybe = c.U16()&1 != 0
		p.part, p.parent = true, c.U32()&0xfff
	case symRangeFrame, symRangeAllFrame:
		p.kind, p.off = atFrame, int64(int32(c.U32()))
	case symRangeRegRel, symRangeIndirect:
		p.relative(c)
	}
	if r.kind == symRangeAllFrame {
		return p, true, c.Err()
	}
	return p, f.inRange(c, rva), c.Err()
}

// relative reads a place in memory that counts from a register.
func (p *place) relative(c *bin.Cursor) {
	p.kind, p.reg = atRegister, c.U16()
	flags := c.U16()
	p.part, p.parent = flags&1 != 0, uint32(flags>>4)
	p.off = int64(int32(c.U32()))
	if p.rule == symRangeIndirect {
		p.kind, p.then = behindPointer, int64(int32(c.U32()))
	}
}

// inRange reads a range of code and the gaps in it, CV_LVAR_ADDR_RANGE and
// CV_LVAR_ADDR_GAP of cvinfo.h, and reports whether an address is in it.
func (f *File) inRange(c *bin.Cursor, rva uint32) bool {
	off, sect, size := c.U32(), c.U16(), uint32(c.U16())
	start, ok := f.addr.rva(sect, off)
	if !ok || rva < start || rva-start >= size {
		return false
	}
	for c.Len() >= 4 {
		from, n := uint32(c.U16()), uint32(c.U16())
		if rva-start >= from && rva-start-from < n {
			return false
		}
	}
	return true
}
