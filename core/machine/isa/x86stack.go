package isa

import (
	"bytes"

	"crashglass/core/machine/cpu"
)

// Numbers of registers in instructions.
const (
	numberSP = 4
	numberBP = 5
)

// reg returns a register by its number; the highest bit is in a REX prefix.
func (x *x86) reg(number, high byte) cpu.Reg {
	if x.word == 4 {
		return cpu.X86Numbers[number&7]
	}
	return cpu.AMD64Numbers[number&7|high&1<<3]
}

// regOf returns the register of a ModRM byte's reg field, and rmOf that of its rm field.
func (x *x86) regOf(modrm byte) cpu.Reg { return x.reg(modrm>>3, x.rex>>2) }
func (x *x86) rmOf(modrm byte) cpu.Reg  { return x.reg(modrm, x.rex) }
func (x *x86) sp() cpu.Reg              { return x.reg(numberSP, 0) }
func (x *x86) bp() cpu.Reg              { return x.reg(numberBP, 0) }

// nop reads endbr64, endbr32, and nops of one byte and of several.
func (x *x86) nop() (Insn, bool) {
	code, n := x.code, 0
	if bytes.HasPrefix(code, []byte{0xf3, 0x0f, 0x1e, 0xfa}) || bytes.HasPrefix(code, []byte{0xf3, 0x0f, 0x1e, 0xfb}) {
		return Insn{Size: 4, Flow: Next, Hint: true}, true
	}
	for n < min(maxPrefixes, len(code)) && code[n] == 0x66 {
		n++
	}
	switch rest := code[n:]; {
	case bytes.HasPrefix(rest, []byte{0x90}):
		n++
	case len(rest) >= 3 && rest[0] == 0x0f && rest[1] == 0x1f:
		n += 2 + operandSize(rest[2], (&x86{code: rest}).byteAt(3))
	default:
		return Insn{}, false
	}
	if n > len(code) {
		return Insn{}, false
	}
	return does(n, Effect{}), true
}

// does makes an instruction of a given size that continues with the next one.
func does(size int, e Effect) Insn { return Insn{Size: size, Flow: Next, Stack: e} }

func (x *x86) stack() Insn {
	switch b := x.code[0]; {
	case b&0xf8 == 0x50:
		return x.push(1, x.reg(b, x.rex))
	case b == 0x5c && x.rex&1 == 0: // pop rsp
		return does(1, unreadable)
	case b&0xf8 == 0x58:
		return x.pop(1, x.reg(b, x.rex))
	case b == 0x6a:
		return x.push(2, cpu.None)
	case b == 0x68:
		return x.push(5, cpu.None)
	case b == 0x9c: // pushf
		return x.push(1, cpu.None)
	case b == 0x9d: // popf
		return x.pop(1, cpu.None)
	case b == 0xff && x.byteAt(1)>>3&7 == 6: // push r/m
		return x.push(1+operandSize(x.byteAt(1), x.byteAt(2)), cpu.None)
	case b == 0x8f && x.byteAt(1)>>3&7 == 0 && x.byteAt(1)>>6 != 3: // pop m
		return x.pop(1+operandSize(x.byteAt(1), x.byteAt(2)), cpu.None)
	case b == 0xc9: // leave
		return does(1, setsSP(x.bp(), 0).with(x.bp()).moving(x.word))
	case b == 0xc8: // enter, which no compiler writes
		return does(4, unreadable)
	case x.word == 8 && x.rex&8 == 0:
		return Insn{} // arithmetic of 32 bits
	}
	return x.arithmetic()
}

func (x *x86) push(size int, reg cpu.Reg) Insn { return does(size, stores(0, reg).moving(-x.word)) }
func (x *x86) pop(size int, reg cpu.Reg) Insn  { return does(size, loads(0, reg).moving(x.word)) }

// arithmetic decodes operations on the whole stack pointer.
func (x *x86) arithmetic() Insn {
	switch modrm := x.byteAt(1); x.code[0] {
	case 0x83:
		return x.add(modrm, 1)
	case 0x81:
		return x.add(modrm, 4)
	case 0x89:
		return x.move(modrm, x.rmOf(modrm), x.regOf(modrm), Stores)
	case 0x8b:
		return x.move(modrm, x.regOf(modrm), x.rmOf(modrm), Loads)
	case 0x8d:
		return x.lea(modrm)
	}
	return Insn{}
}

// add decodes add and sub of a constant. and, which aligns, is Unreadable.
func (x *x86) add(modrm byte, size int) Insn {
	n := x.number(2, size)
	if modrm>>6 != 3 || x.rmOf(modrm) != x.sp() {
		return Insn{}
	}
	switch modrm >> 3 & 7 {
	case 0:
		return does(2+size, moves(n))
	case 5:
		return does(2+size, moves(-n))
	case 7: // cmp
		return does(2+size, Effect{})
	}
	return does(2+size, unreadable)
}

// move reads mov between registers, and between one and the stack.
func (x *x86) move(modrm byte, to, from cpu.Reg, kind Kind) Insn {
	switch {
	case modrm>>6 != 3:
		return x.slot(modrm, kind)
	case to == x.sp():
		return does(2, setsSP(from, 0))
	case to == x.bp() && from == x.sp():
		return does(2, setsFP(to, 0))
	}
	return does(2, Effect{})
}

// slot reads mov to or from [sp+n].
func (x *x86) slot(modrm byte, kind Kind) Insn {
	n, size, ok := x.offset(modrm)
	reg := x.regOf(modrm)
	switch {
	case !ok:
		return Insn{}
	case kind == Loads && reg == x.sp():
		return does(1+size, unreadable)
	}
	return does(1+size, Effect{Kind: kind, Off: n}.with(reg))
}

// offset reads the operand [sp+n], without an index, and the operand's size.
func (x *x86) offset(modrm byte) (n int64, size int, ok bool) {
	const base = 0x24 // SIB: sp and no index
	if modrm>>6 == 3 || modrm&7 != numberSP || x.byteAt(2) != base || x.rex&3 != 0 {
		return 0, 0, false
	}
	switch modrm >> 6 {
	case 1:
		n = x.number(3, 1)
	case 2:
		n = x.number(3, 4)
	}
	return n, operandSize(modrm, base), true
}

// lea decodes lea of sp from itself or from a frame pointer, and lea of a frame pointer from sp.
func (x *x86) lea(modrm byte) Insn {
	to, size := x.regOf(modrm), operandSize(modrm, x.byteAt(2))
	if n, _, ok := x.offset(modrm); ok {
		switch to {
		case x.sp():
			return does(1+size, moves(n))
		case x.bp():
			return does(1+size, setsFP(to, n))
		}
		return does(1+size, Effect{})
	}
	switch {
	case to != x.sp():
		return Insn{}
	case modrm&7 == numberSP || modrm>>6 == 0 || modrm>>6 == 3:
		return does(1+size, unreadable)
	case modrm>>6 == 1:
		return does(1+size, setsSP(x.rmOf(modrm), x.number(2, 1)))
	}
	return does(1+size, setsSP(x.rmOf(modrm), x.number(2, 4)))
}
