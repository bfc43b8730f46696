package dwarf

import (
	"fmt"
	"strings"
)

// Operations of expressions (DW_OP, section 7.7.1).
const (
	opAddr          = 0x03 // an address, which moves with the module
	opDeref         = 0x06 // loads an address
	opConst1u       = 0x08
	opConst1s       = 0x09
	opConst2u       = 0x0a
	opConst2s       = 0x0b
	opConst4u       = 0x0c
	opConst4s       = 0x0d
	opConst8u       = 0x0e
	opConst8s       = 0x0f
	opConstu        = 0x10
	opConsts        = 0x11
	opDup           = 0x12
	opDrop          = 0x13
	opOver          = 0x14 // copies the second number
	opPick          = 0x15 // copies any
	opSwap          = 0x16
	opRot           = 0x17 // moves the first behind the third
	opAbs           = 0x19
	opAnd           = 0x1a
	opDiv           = 0x1b
	opMinus         = 0x1c
	opMod           = 0x1d // without a sign, unless the type has one
	opMul           = 0x1e
	opNeg           = 0x1f
	opNot           = 0x20
	opOr            = 0x21
	opPlus          = 0x22
	opPlusUconst    = 0x23 // adds a constant
	opShl           = 0x24
	opShr           = 0x25
	opShra          = 0x26 // with the sign
	opXor           = 0x27
	opBra           = 0x28 // jumps if the number is not 0
	opEq            = 0x29
	opGe            = 0x2a
	opGt            = 0x2b
	opLe            = 0x2c
	opLt            = 0x2d
	opNe            = 0x2e
	opSkip          = 0x2f // jumps
	opLit0          = 0x30 // and 31 more
	opReg0          = 0x50 // and 31 more: the variable is in the register
	opBreg0         = 0x70 // and 31 more: a register plus an offset
	opRegx          = 0x90
	opFbreg         = 0x91 // the frame base plus an offset
	opBregx         = 0x92
	opPiece         = 0x93 // ends a piece of some bytes
	opDerefSize     = 0x94 // loads a number of some bytes
	opNop           = 0x96
	opPushObject    = 0x97 // the object that a member is read of
	opCall2         = 0x98 // the place of another entry, as opCall4 and opCallRef
	opCall4         = 0x99
	opCallRef       = 0x9a
	opFormTLS       = 0x9b // a variable of a thread
	opCallFrameCFA  = 0x9c
	opBitPiece      = 0x9d // as opPiece, of bits
	opImplicitValue = 0x9e // the variable is these bytes
	opStackValue    = 0x9f // the variable is the number
	opImplicitPtr   = 0xa0 // a pointer to a variable without an address
	opAddrx         = 0xa1 // as opAddr, by an index
	opConstx        = 0xa2 // as opAddrx, and does not move with the module
	opEntryValue    = 0xa3 // what a register was at the entry of the function
	opConstType     = 0xa4
	opRegvalType    = 0xa5
	opDerefType     = 0xa6
	opConvert       = 0xa8 // keeps the value
	opReinterpret   = 0xa9 // keeps the bits

	opGNUPushTLS       = 0xe0
	opGNUUninit        = 0xf0 // the variable has no value yet
	opGNUImplicitPtr   = 0xf2
	opGNUEntryValue    = 0xf3
	opGNUConstType     = 0xf4
	opGNURegvalType    = 0xf5
	opGNUDerefType     = 0xf6
	opGNUConvert       = 0xf7
	opGNUReinterpret   = 0xf9
	opGNUParameterRef  = 0xfa
	opGNUAddrIndex     = 0xfb
	opGNUConstIndex    = 0xfc
	opGNUVariableValue = 0xfd
)

// An operand says how one is written.
type operand uint8

// The kinds of operands (section 7.7.1). U and S are without and with a sign.
const (
	argNone operand = iota
	argOneU
	argOneS
	argTwoU
	argTwoS
	argFourU
	argFourS
	argEightU
	argUleb
	argSleb
	argAddress
	argSized // a block behind its length
	argSmall // a block behind a length of one byte
	argRefer // an offset of .debug_info
)

// An opcode is an operation's name and operands.
type opcode struct {
	name     string
	operands [2]operand
}

// opcodes are the operations, without the rows of literals and registers.
var opcodes = map[uint8]opcode{
	opAddr: {"addr", [2]operand{argAddress}}, opDeref: {name: "deref"},
	opConst1u: {"const1u", [2]operand{argOneU}}, opConst1s: {"const1s", [2]operand{argOneS}},
	opConst2u: {"const2u", [2]operand{argTwoU}}, opConst2s: {"const2s", [2]operand{argTwoS}},
	opConst4u: {"const4u", [2]operand{argFourU}}, opConst4s: {"const4s", [2]operand{argFourS}},
	opConst8u: {"const8u", [2]operand{argEightU}}, opConst8s: {"const8s", [2]operand{argEightU}},
	opConstu: {"constu", [2]operand{argUleb}}, opConsts: {"consts", [2]operand{argSleb}},
	opDup: {name: "dup"}, opDrop: {name: "drop"}, opOver: {name: "over"}, opPick: {"pick", [2]operand{argOneU}}, opSwap: {name: "swap"}, opRot: {name: "rot"},
	opAbs: {name: "abs"}, opAnd: {name: "and"}, opDiv: {name: "div"}, opMinus: {name: "minus"}, opMod: {name: "mod"}, opMul: {name: "mul"},
	opNeg: {name: "neg"}, opNot: {name: "not"}, opOr: {name: "or"}, opPlus: {name: "plus"}, opPlusUconst: {"plus_uconst", [2]operand{argUleb}},
	opShl: {name: "shl"}, opShr: {name: "shr"}, opShra: {name: "shra"}, opXor: {name: "xor"}, opBra: {"bra", [2]operand{argTwoS}},
	opEq: {name: "eq"}, opGe: {name: "ge"}, opGt: {name: "gt"}, opLe: {name: "le"}, opLt: {name: "lt"}, opNe: {name: "ne"}, opSkip: {"skip", [2]operand{argTwoS}},
	opRegx: {"regx", [2]operand{argUleb}}, opFbreg: {"fbreg", [2]operand{argSleb}}, opBregx: {"bregx", [2]operand{argUleb, argSleb}},
	opPiece: {"piece", [2]operand{argUleb}}, opDerefSize: {"deref_size", [2]operand{argOneU}}, opNop: {name: "nop"}, opPushObject: {name: "push_object_address"},
	opCall2: {"call2", [2]operand{argTwoU}}, opCall4: {"call4", [2]operand{argFourU}}, opCallRef: {"call_ref", [2]operand{argRefer}},
	opFormTLS: {name: "form_tls_address"}, opCallFrameCFA: {name: "call_frame_cfa"}, opBitPiece: {"bit_piece", [2]operand{argUleb, argUleb}},
	opImplicitValue: {"implicit_value", [2]operand{argSized}}, opStackValue: {name: "stack_value"}, opImplicitPtr: {"implicit_pointer", [2]operand{argRefer, argSleb}},
	opAddrx: {"addrx", [2]operand{argUleb}}, opConstx: {"constx", [2]operand{argUleb}}, opEntryValue: {"entry_value", [2]operand{argSized}},
	opConstType: {"const_type", [2]operand{argUleb, argSmall}}, opRegvalType: {"regval_type", [2]operand{argUleb, argUleb}}, opDerefType: {"deref_type", [2]operand{argOneU, argUleb}},
	opConvert: {"convert", [2]operand{argUleb}}, opReinterpret: {"reinterpret", [2]operand{argUleb}},
	opGNUPushTLS: {name: "GNU_push_tls_address"}, opGNUUninit: {name: "GNU_uninit"}, opGNUImplicitPtr: {"GNU_implicit_pointer", [2]operand{argRefer, argSleb}},
	opGNUEntryValue: {"GNU_entry_value", [2]operand{argSized}}, opGNUConstType: {"GNU_const_type", [2]operand{argUleb, argSmall}},
	opGNURegvalType: {"GNU_regval_type", [2]operand{argUleb, argUleb}}, opGNUDerefType: {"GNU_deref_type", [2]operand{argOneU, argUleb}},
	opGNUConvert: {"GNU_convert", [2]operand{argUleb}}, opGNUReinterpret: {"GNU_reinterpret", [2]operand{argUleb}},
	opGNUParameterRef: {"GNU_parameter_ref", [2]operand{argFourU}}, opGNUAddrIndex: {"GNU_addr_index", [2]operand{argUleb}},
	opGNUConstIndex: {"GNU_const_index", [2]operand{argUleb}}, opGNUVariableValue: {"GNU_variable_value", [2]operand{argRefer}},
}

// gnu are the operations that GNU had before version 5 did.
var gnu = map[uint8]uint8{
	opGNUPushTLS: opFormTLS, opGNUImplicitPtr: opImplicitPtr, opGNUEntryValue: opEntryValue, opGNUConstType: opConstType,
	opGNURegvalType: opRegvalType, opGNUDerefType: opDerefType, opGNUConvert: opConvert, opGNUReinterpret: opReinterpret,
	opGNUAddrIndex: opAddrx, opGNUConstIndex: opConstx,
}

// An operation is one with its operands read.
type operation struct {
	code  uint8
	a, b  uint64
	block []byte
}

// operation reads an operation. It reports false for one that is unknown or truncated.
func (u *unit) operation(r *buffer) (o operation, ok bool) {
	o.code = r.u8()
	switch c := o.code; {
	case c >= opLit0 && c < opReg0+32:
		return o, !r.bad
	case c >= opBreg0 && c < opBreg0+32:
		o.a = uint64(r.sleb())
		return o, !r.bad
	}
	known, ok := opcodes[o.code]
	if !ok {
		return o, false
	}
	o.a = u.operand(r, known.operands[0], &o)
	o.b = u.operand(r, known.operands[1], &o)
	return o, !r.bad
}

// A block goes into o; numbers are returned with their sign extended to 64 bits.
func (u *unit) operand(r *buffer, kind operand, o *operation) uint64 {
	switch kind {
	case argOneU:
		return uint64(r.u8())
	case argOneS:
		return uint64(int8(r.u8()))
	case argTwoU:
		return uint64(r.u16())
	case argTwoS:
		return uint64(int16(r.u16()))
	case argFourU:
		return uint64(r.u32())
	case argFourS:
		return uint64(int32(r.u32()))
	case argEightU:
		return r.u64()
	case argUleb:
		return r.uleb()
	case argSleb:
		return uint64(r.sleb())
	case argAddress:
		return r.word(u.addr)
	case argRefer:
		return r.word(u.refAddr())
	case argSized:
		o.block = r.sized()
	case argSmall:
		o.block = r.take(int(r.u8()))
	}
	return 0
}

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
		case argSized, argSmall:
			if o.code == opEntryValue || o.code == opGNUEntryValue {
				text += "(" + u.exprText(o.block) + ")"
				continue
			}
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
