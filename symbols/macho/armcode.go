package macho

import (
	"encoding/binary"
	"slices"
)

// An armInst is an instruction that saves, restores, or moves the stack.
type armInst struct {
	kind   op
	regs   []int // loaded or stored, in the order of addresses; none of floating point
	at     int64 // where they are, from the stack pointer after move
	move   int64 // what is added to the stack pointer, before a store or after a load
	target int64 // of a jump, from the instruction
}

// Instructions with an immediate, as a mask and what is left under it.
//
// Encodings: Arm Architecture Reference Manual for A-profile, C6.2.
var armForms = []struct {
	mask, value uint32
	read        func(w uint32) armInst
}{
	{0xffff_f01f, 0xd503_201f, func(uint32) armInst { return armInst{kind: opKeep} }}, // hints: paciasp, autibsp, bti
	{0xff80_03ff, 0xd100_03ff, func(w uint32) armInst { return armInst{kind: opGrow, move: -armImmediate(w)} }},
	{0xff80_03ff, 0x9100_03ff, func(w uint32) armInst { return armInst{kind: opShrink, move: armImmediate(w)} }},
	{0xff80_03ff, 0x9100_03fd, func(w uint32) armInst { return armInst{kind: opFrame, at: armImmediate(w)} }},
	{0xffc0_03e0, 0xa980_03e0, func(w uint32) armInst { return armPair(opPush, w, armSigned(w>>15, 7)*8, true) }},
	{0xffc0_03e0, 0xa900_03e0, func(w uint32) armInst { return armPair(opPush, w, armSigned(w>>15, 7)*8, false) }},
	{0xffc0_03e0, 0xa8c0_03e0, func(w uint32) armInst { return armPair(opPop, w, armSigned(w>>15, 7)*8, true) }},
	{0xffc0_03e0, 0xa940_03e0, func(w uint32) armInst { return armPair(opPop, w, armSigned(w>>15, 7)*8, false) }},
	{0xffc0_03e0, 0x6d80_03e0, func(w uint32) armInst { return armInst{kind: opPush, move: armSigned(w>>15, 7) * 8} }},
	{0xffc0_03e0, 0x6d00_03e0, func(uint32) armInst { return armInst{kind: opPush} }},
	{0xffc0_03e0, 0x6cc0_03e0, func(w uint32) armInst { return armInst{kind: opPop, move: armSigned(w>>15, 7) * 8} }},
	{0xffc0_03e0, 0x6d40_03e0, func(uint32) armInst { return armInst{kind: opPop} }},
	{0xffe0_0fe0, 0xf800_0fe0, func(w uint32) armInst { return armOne(opPush, w, armSigned(w>>12, 9), true) }},
	{0xffe0_0fe0, 0xf840_07e0, func(w uint32) armInst { return armOne(opPop, w, armSigned(w>>12, 9), true) }},
	{0xffc0_03e0, 0xf900_03e0, func(w uint32) armInst { return armOne(opPush, w, int64(w>>10&0xfff)*8, false) }},
	{0xffc0_03e0, 0xf940_03e0, func(w uint32) armInst { return armOne(opPop, w, int64(w>>10&0xfff)*8, false) }},
	{0xffff_ffff, 0xd65f_03c0, func(uint32) armInst { return armInst{kind: opReturn} }},
	{0xffff_fbff, 0xd65f_0bff, func(uint32) armInst { return armInst{kind: opReturn} }}, // retaa, retab
	{0xfc00_0000, 0x1400_0000, func(w uint32) armInst { return armInst{kind: opJump, target: armSigned(w, 26) * 4} }},
}

// armImmediate is the operand of add and sub, which may be shifted by 12.
func armImmediate(w uint32) int64 {
	n := int64(w >> 10 & 0xfff)
	if w&(1<<22) != 0 {
		n <<= 12
	}
	return n
}

func armSigned(v uint32, bits int) int64 { return int64(int32(v<<(32-bits)) >> (32 - bits)) }

// armPair is a store or load of two registers. One that moves the stack pointer
// has them where that is when it is the lower.
func armPair(kind op, w uint32, n int64, moves bool) armInst {
	i := armInst{kind: kind, regs: []int{int(w & 31), int(w >> 10 & 31)}, at: n}
	if moves {
		i.at, i.move = 0, n
	}
	return i
}

func armOne(kind op, w uint32, n int64, moves bool) armInst {
	i := armPair(kind, w, n, moves)
	i.regs = i.regs[:1]
	return i
}

func armDecode(code []byte) armInst {
	if len(code) < 4 {
		return armInst{}
	}
	w := binary.LittleEndian.Uint32(code)
	for _, form := range armForms {
		if w&form.mask == form.value {
			return form.read(w)
		}
	}
	return armInst{}
}

// armName is the register that a walk knows by a number; "" for those that
// functions may change.
func armName(n int) string {
	switch {
	case n == 30:
		return returnAddress
	case n >= 19 && n <= 29:
		return armReg(n)
	}
	return ""
}

func (a armFrames) prolog(code []byte, at int) (*frame, bool) {
	fr := a.leaf()
	depth := int64(0)
	for pos := 0; pos < at; pos += 4 {
		i := armDecode(code[min(pos, len(code)):])
		if !isArmProlog(i) {
			return nil, false
		}
		depth -= i.move
		for k, n := range i.regs {
			if name := armName(n); name != "" && !fr.has(name) {
				fr.saved = append(fr.saved, saved{name, i.at + 8*int64(k) - depth})
			}
		}
		switch {
		case i.kind == opFrame:
			fr.base, fr.offset = armFP, depth-i.at
		case fr.base == armSP:
			fr.offset = depth
		}
	}
	return fr, true
}

func isArmProlog(i armInst) bool {
	switch i.kind {
	case opKeep, opFrame:
		return true
	case opPush, opGrow:
		return i.move <= 0
	}
	return false
}

func (armFrames) steps(code []byte) (out []int) {
	for pos := 0; pos+4 <= len(code) && isArmProlog(armDecode(code[pos:])); pos += 4 {
		out = append(out, pos+4)
	}
	return out
}

// epilog runs loads and additions to the stack pointer up to a return, or a
// jump to another function. What is still to be loaded is on the stack; what is
// not has been, or was never saved. A jump alone says nothing: it may lead to
// the function's cold part.
func (a armFrames) epilog(f *File, before, code []byte, rel uint64, r run, body *frame) (*frame, bool) {
	fr := a.leaf()
	undone := body.base == armSP && body.offset == 0 || len(before) >= 4 && undoes(armDecode(before[len(before)-4:]))
	for pos := 0; pos+4 <= len(code); pos += 4 {
		i := armDecode(code[pos:])
		switch i.kind {
		case opReturn:
			return fr.relative(), true
		case opJump:
			target := rel + uint64(pos) + uint64(i.target)
			if !undone || target >= r.start && target < r.end || f.codeAt(target) == nil {
				return nil, false
			}
			return fr.relative(), true
		case opKeep:
			continue
		case opPop, opShrink:
			if i.move < 0 {
				return nil, false
			}
			undone = true
		default:
			return nil, false
		}
		for k, n := range i.regs {
			if name := armName(n); name != "" && !fr.has(name) {
				fr.saved = append(fr.saved, saved{name, fr.offset + i.at + 8*int64(k)})
			}
		}
		fr.offset += i.move
	}
	return nil, false
}

// undoes reports whether an instruction gives up a part of a frame.
func undoes(i armInst) bool {
	return i.kind == opShrink || i.kind == opPop && slices.Contains(i.regs, 30)
}

// relative makes offsets from the stack pointer ones from the CFA.
func (fr *frame) relative() *frame {
	for i := range fr.saved {
		fr.saved[i].at -= fr.offset
	}
	return fr
}
