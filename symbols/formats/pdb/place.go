package pdb

import "fmt"

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
