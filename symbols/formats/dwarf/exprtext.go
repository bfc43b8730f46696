package dwarf

import (
	"fmt"
	"strings"
)

// maxExprText bounds the text of an expression.
const maxExprText = 512

// exprText writes an expression as readelf and LLVM do.
func (u *unit) exprText(expr []byte) string {
	var b strings.Builder
	r := buffer{b: expr, big: u.group.big}
	for r.len() > 0 && b.Len() < maxExprText {
		o, ok := u.operation(&r)
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		if !ok {
			fmt.Fprintf(&b, "<damaged operation %#x>", o.code)
			break
		}
		b.WriteString(u.operationText(o))
	}
	return b.String()
}

// operationText writes one operation with its operands. An entry value contains an expression.
func (u *unit) operationText(o operation) string {
	switch c := o.code; {
	case c >= opBreg0 && c < opBreg0+32:
		return fmt.Sprintf("DW_OP_breg%d %+d", c-opBreg0, int64(o.a))
	case c >= opReg0 && c < opReg0+32:
		return fmt.Sprintf("DW_OP_reg%d", c-opReg0)
	case c >= opLit0 && c < opLit0+32:
		return fmt.Sprintf("DW_OP_lit%d", c-opLit0)
	}
	known := opcodes[o.code]
	text := "DW_OP_" + known.name
	for i, kind := range known.operands {
		v := [2]uint64{o.a, o.b}[i]
		switch kind {
		case argNone:
		case argSized:
			if o.code == opEntryValue || o.code == opGNUEntryValue {
				text += "(" + u.exprText(o.block) + ")"
				continue
			}
			text += fmt.Sprintf(" %d bytes", len(o.block))
		case argSmall:
			text += fmt.Sprintf(" %d bytes", len(o.block))
		case argSleb, argOneS, argTwoS, argFourS:
			text += fmt.Sprintf(" %d", int64(v))
		case argUleb, argOneU:
			text += fmt.Sprintf(" %d", v)
		default:
			text += fmt.Sprintf(" %#x", v)
		}
	}
	return text
}
