package pe

import "fmt"

// An armKind is what an ARM64 unwind code does.
type armKind uint8

const (
	armNop armKind = iota
	armAlloc
	armSave
	armSetFP
	armSaveNext
	armEnd
	armEndChained
	armTrapFrame
	armMachineFrame
	armContext
	armECContext
	armClearCall
)

// An armCode is one step back.
type armCode struct {
	kind armKind
	off  int64 // armSave: from sp; armAlloc: the size; armSetFP: from sp to fp
	bump int64 // armSave: what the instruction took from sp first

	// The registers that are saved next to each other; vector registers are
	// told by count alone.
	regs   [2]uint8
	count  int
	vector bool
	signs  bool // armNop: the instruction signs lr, or checks the signature
}

// An armForm is one row of the table of unwind codes: what the first byte is
// with a mask, how many bytes there are, and what the value of all says.
type armForm struct {
	mask, bits uint8
	size       int
	make       func(v uint32) armCode
}

func field(v uint32, shift, width uint) int64 { return int64(v >> shift & (1<<width - 1)) }

func save(first, second int64, count int, off int64) armCode {
	return armCode{kind: armSave, regs: [2]uint8{uint8(first), uint8(second)}, count: count, off: off}
}

// push is a save that makes its own room.
func push(first, second int64, count int, size int64) armCode {
	c := save(first, second, count, 0)
	c.bump = size
	return c
}

func vectors(c armCode) armCode {
	c.vector = true
	return c
}

func only(kind armKind) func(uint32) armCode {
	return func(uint32) armCode { return armCode{kind: kind} }
}

// armForms is the table of "ARM64 exception handling", "Unwind codes". The first row that matches
// counts. Codes reserved for future instructions have a size but no meaning, as in Windows.
var armForms = []armForm{
	{0xe0, 0x00, 1, func(v uint32) armCode { return armCode{kind: armAlloc, off: 16 * field(v, 0, 5)} }},  // alloc_s
	{0xe0, 0x20, 1, func(v uint32) armCode { return push(19, 20, 2, 8*field(v, 0, 5)) }},                  // save_r19r20_x
	{0xc0, 0x40, 1, func(v uint32) armCode { return save(armFP, armLR, 2, 8*field(v, 0, 6)) }},            // save_fplr
	{0xc0, 0x80, 1, func(v uint32) armCode { return push(armFP, armLR, 2, 8*field(v, 0, 6)+8) }},          // save_fplr_x
	{0xf8, 0xc0, 2, func(v uint32) armCode { return armCode{kind: armAlloc, off: 16 * field(v, 0, 11)} }}, // alloc_m
	{0xfc, 0xc8, 2, func(v uint32) armCode { // save_regp
		r := 19 + field(v, 6, 4)
		return save(r, r+1, 2, 8*field(v, 0, 6))
	}},
	{0xfc, 0xcc, 2, func(v uint32) armCode { // save_regp_x
		r := 19 + field(v, 6, 4)
		return push(r, r+1, 2, 8*field(v, 0, 6)+8)
	}},
	{0xfc, 0xd0, 2, func(v uint32) armCode { return save(19+field(v, 6, 4), 0, 1, 8*field(v, 0, 6)) }},           // save_reg
	{0xfe, 0xd4, 2, func(v uint32) armCode { return push(19+field(v, 5, 4), 0, 1, 8*field(v, 0, 5)+8) }},         // save_reg_x
	{0xfe, 0xd6, 2, func(v uint32) armCode { return save(19+2*field(v, 6, 3), armLR, 2, 8*field(v, 0, 6)) }},     // save_lrpair
	{0xfe, 0xd8, 2, func(v uint32) armCode { return vectors(save(8+field(v, 6, 3), 0, 2, 8*field(v, 0, 6))) }},   // save_fregp
	{0xfe, 0xda, 2, func(v uint32) armCode { return vectors(push(8+field(v, 6, 3), 0, 2, 8*field(v, 0, 6)+8)) }}, // save_fregp_x
	{0xfe, 0xdc, 2, func(v uint32) armCode { return vectors(save(8+field(v, 6, 3), 0, 1, 8*field(v, 0, 6))) }},   // save_freg
	{0xff, 0xde, 2, func(v uint32) armCode { return vectors(push(8+field(v, 5, 3), 0, 1, 8*field(v, 0, 5)+8)) }}, // save_freg_x
	{0xff, 0xe0, 4, func(v uint32) armCode { return armCode{kind: armAlloc, off: 16 * field(v, 0, 24)} }},        // alloc_l
	{0xff, 0xe1, 1, only(armSetFP)}, // set_fp
	{0xff, 0xe2, 2, func(v uint32) armCode { return armCode{kind: armSetFP, off: 8 * field(v, 0, 8)} }}, // add_fp
	{0xff, 0xe3, 1, only(armNop)},          // nop
	{0xff, 0xe4, 1, only(armEnd)},          // end
	{0xff, 0xe5, 1, only(armEndChained)},   // end_c
	{0xff, 0xe6, 1, only(armSaveNext)},     // save_next
	{0xff, 0xe7, 3, saveAny},               // save_any_reg
	{0xff, 0xe8, 1, only(armTrapFrame)},    // MSFT_OP_TRAP_FRAME
	{0xff, 0xe9, 1, only(armMachineFrame)}, // MSFT_OP_MACHINE_FRAME
	{0xff, 0xea, 1, only(armContext)},      // MSFT_OP_CONTEXT
	{0xff, 0xeb, 1, only(armECContext)},    // MSFT_OP_EC_CONTEXT
	{0xff, 0xec, 1, only(armClearCall)},    // MSFT_OP_CLEAR_UNWOUND_TO_CALL
	{0xff, 0xf8, 2, only(armNop)}, {0xff, 0xf9, 3, only(armNop)}, {0xff, 0xfa, 4, only(armNop)}, {0xff, 0xfb, 5, only(armNop)},
	{0xff, 0xfc, 1, func(uint32) armCode { return armCode{kind: armNop, signs: true} }}, // pac_sign_lr: the unwinder strips what it signs
	{0xfc, 0xfc, 1, only(armNop)},
}

// saveAny is save_any_reg, 11100111 0pxrrrrr ffoooooo: any register or pair
// (p), x for a push, f for x, d or q registers.
func saveAny(v uint32) armCode {
	pair, pushed, kind := field(v, 14, 1) != 0, field(v, 13, 1) != 0, field(v, 6, 2)
	r, off := field(v, 8, 5), field(v, 0, 6)
	unit := int64(8)
	if pair || pushed || kind == 2 {
		unit = 16
	}
	count := 1
	if pair {
		count = 2
	}
	c := save(r, r+1, count, off*unit)
	if pushed {
		c = push(r, r+1, count, (off+1)*unit)
	}
	c.vector = kind != 0
	if v>>15&1 != 0 || kind == 3 {
		c.count = 0 // there are none such
	}
	return c
}

// exists reports whether there are such registers.
func (c armCode) exists() bool {
	if c.vector {
		return c.count > 0
	}
	return c.count > 0 && c.regs[0] <= armLR && (c.count == 1 || c.regs[1] <= armLR)
}

func decodeArm(b []byte) (c armCode, size int, err error) {
	for _, form := range armForms {
		if b[0]&form.mask != form.bits {
			continue
		}
		if len(b) < form.size {
			return c, 0, fmt.Errorf("code %#x needs %d bytes, have %d", b[0], form.size, len(b))
		}
		v := uint32(0)
		for _, x := range b[max(0, form.size-4):form.size] {
			v = v<<8 | uint32(x)
		}
		c = form.make(v)
		if c.kind == armSave && !c.exists() {
			return c, 0, fmt.Errorf("code %#x saves registers that do not exist", v)
		}
		return c, form.size, nil
	}
	return c, 0, fmt.Errorf("code %#x is not known", b[0])
}
