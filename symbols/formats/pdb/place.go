package pdb

import (
	"fmt"

	"crashglass/core/base/bin"
)

// A placeKind is the kind of a variable's location.
type placeKind uint8

const (
	nowhere        placeKind = iota
	inRegister               // it is the register
	atRegister               // in memory, at an offset from a register
	behindPointer            // in memory, at an offset from what a pointer there leads to
	atFrame                  // in memory, at an offset from the base that S_FRAMEPROC names
	atFramePointer           // in memory, at an offset from ebp
	atAddress                // in the image
	inThread                 // in thread-local storage
	constantValue
	unsupported
)

// A place is the location of a variable, or of a part of it.
type place struct {
	kind placeKind
	rule uint16 // the kind of the record that says so
	reg  uint16
	sect uint16
	off  int64
	then int64 // of behindPointer: added to the pointer

	maybe  bool // on some paths the register has another value
	part   bool
	parent uint32 // of a part: where in the variable it begins
}

// ruleNames are records' names in the evidence of a value.
var ruleNames = map[uint16]string{
	symRegister: "S_REGISTER", symConstant: "S_CONSTANT", symBPRel: "S_BPREL32", symLocalData: "S_LDATA32", symGlobalData: "S_GDATA32",
	symRegRel: "S_REGREL32", symLocalTLS: "S_LTHREAD32", symGlobalTLS: "S_GTHREAD32", symManyReg: "S_MANYREG", symManyReg2: "S_MANYREG2",
	symRange: "S_DEFRANGE", symRangePart: "S_DEFRANGE_SUBFIELD", symRangeReg: "S_DEFRANGE_REGISTER",
	symRangeFrame: "S_DEFRANGE_FRAMEPOINTER_REL", symRangePartReg: "S_DEFRANGE_SUBFIELD_REGISTER",
	symRangeAllFrame: "S_DEFRANGE_FRAMEPOINTER_REL_FULL_SCOPE", symRangeRegRel: "S_DEFRANGE_REGISTER_REL",
	symRangeIndirect: "S_DEFRANGE_REGISTER_REL_INDIR",
}

// text is the place in the words of its record.
func (p *place) text(machine uint16, base string) string {
	kind := p.rule
	if now, old := oldVariables[kind]; old {
		kind = now
	}
	out := ruleNames[kind]
	switch p.kind {
	case inRegister:
		out += " " + registerName(machine, p.reg)
	case atRegister:
		out += fmt.Sprintf(" %s%+d", registerName(machine, p.reg), p.off)
	case behindPointer:
		out += fmt.Sprintf(" [%s%+d]%+d", registerName(machine, p.reg), p.off, p.then)
	case atFrame, atFramePointer:
		out += fmt.Sprintf(" %s%+d", base, p.off)
	case atAddress, inThread:
		out += fmt.Sprintf(" %04x:%08x", p.sect, uint32(p.off))
	}
	if p.part {
		out += fmt.Sprintf(" (from byte %d)", p.parent)
	}
	return out
}

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
