package cfi

// operation executes one operation of an expression. DWARF 5, section 7.7.1.
func (x *compiler) operation(expr []byte) {
	c := x.c
	op := c.U8()
	switch {
	case op >= 0x30 && op <= 0x4f: // lit0 to lit31
		x.push(x.constant(uint64(op - 0x30)))
	case op >= 0x70 && op <= 0x8f: // breg0 to breg31
		x.register(uint64(op-0x70), sleb(c))
	case op >= 0x08 && op <= 0x11:
		x.push(x.constant(x.literal(op)))
	case op >= 0x19 && op <= 0x2e && op != 0x28:
		x.arithmetic(op)
	case op == 0x92: // bregx
		reg := uleb(c)
		x.register(reg, sleb(c))
	case op == 0x06: // deref
		x.push(x.load(x.pop()))
	case op == 0x94: // deref_size
		x.loadPart(int(c.U8()))
	case op == 0x12: // dup
		x.pick(0)
	case op == 0x13: // drop
		x.pop()
	case op == 0x14: // over
		x.pick(1)
	case op == 0x15: // pick
		x.pick(int(c.U8()))
	case op == 0x16: // swap
		b, a := x.pop(), x.pop()
		x.push(b)
		x.push(a)
	case op == 0x17: // rot
		x.rotate()
	case op == 0x2f: // skip
		x.jump(expr, int16(c.U16()))
	case op == 0x28: // bra
		x.branch(expr, int16(c.U16()))
	case op == 0x96: // nop
	default:
		x.refuse("the operation %#x", op)
	}
}

// literal reads the operand of const1u to consts.
func (x *compiler) literal(op byte) uint64 {
	c := x.c
	switch op {
	case 0x08:
		return uint64(c.U8())
	case 0x09:
		return uint64(int8(c.U8()))
	case 0x0a:
		return uint64(c.U16())
	case 0x0b:
		return uint64(int16(c.U16()))
	case 0x0c:
		return uint64(c.U32())
	case 0x0d:
		return uint64(int32(c.U32()))
	case 0x0e, 0x0f:
		return c.U64()
	case 0x10:
		return uleb(c)
	}
	return uint64(sleb(c))
}

// loadPart is deref_size, for sizes up to a word. The whole word is read.
func (x *compiler) loadPart(size int) {
	if size < 1 || size > x.word {
		x.refuse("a load of %d bytes", size)
		return
	}
	whole := x.load(x.pop())
	unused := uint(8 * (x.word - size))
	switch {
	case unused == 0:
		x.push(whole)
	case x.t.s.Order.Uint16([]byte{0, 1}) == 1: // big-endian: the part is the upper end
		x.push(x.shiftRight(whole, x.constant(uint64(unused))))
	default:
		x.push(x.and(whole, x.constant(1<<(8*size)-1)))
	}
}

// arithmetic executes the operations abs to ne.
func (x *compiler) arithmetic(op byte) {
	switch op {
	case 0x19:
		x.push(x.abs(x.pop()))
		return
	case 0x1f: // neg
		x.push(x.binary("-", x.constant(0), x.pop()))
		return
	case 0x20: // not
		x.push(x.binary("-", x.constant(^uint64(0)), x.pop()))
		return
	case 0x23: // plus_uconst
		x.push(x.add(x.pop(), x.constant(uleb(x.c))))
		return
	}
	b, a := x.pop(), x.pop()
	switch op {
	case 0x1a:
		x.push(x.and(a, b))
	case 0x1b:
		x.push(x.divide(a, b))
	case 0x1c:
		x.push(x.binary("-", a, b))
	case 0x1d:
		x.push(x.modulo(a, b))
	case 0x1e:
		x.push(x.binary("*", a, b))
	case 0x21:
		x.push(x.binary(".or", a, b))
	case 0x22:
		x.push(x.add(a, b))
	case 0x24:
		x.push(x.shiftLeft(a, b))
	case 0x25:
		x.push(x.shiftRight(a, b))
	case 0x26:
		x.push(x.shiftSigned(a, b))
	case 0x27:
		x.push(x.binary(".xor", a, b))
	case 0x29:
		x.push(x.binary(".eq", a, b))
	case 0x2a: // ge
		x.push(x.atLeast(a, b))
	case 0x2b: // gt
		x.push(x.less(b, a))
	case 0x2c: // le
		x.push(x.atLeast(b, a))
	case 0x2d: // lt
		x.push(x.less(a, b))
	case 0x2e: // ne
		x.push(x.opposite(x.binary(".eq", a, b)))
	}
}
