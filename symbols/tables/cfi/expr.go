package cfi

import (
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/stack/unwind"
)

// Bounds of one expression. The longest that compilers write has some twenty
// operations.
const (
	maxOps   = 128
	maxStack = 32
	maxWords = 256 // of the text that becomes of it
)

// compile turns a DWARF expression into postfix. Unless it is the CFA's, the CFA is on its stack to
// begin with. It refuses expressions that postfix cannot express, and why names the part: branches
// that depend on values, calls, addresses of the file, which the rules of a loaded image cannot
// contain, and typed values.
//
// Operations on constants are evaluated. If values are known to be small, comparisons and shifts
// become arithmetic, so that Breakpad and rust-minidump understand the rules of a procedure linkage
// table, too:
//
//	rsp + 8 + ((rip & 15) >= 11) << 3   is   $rsp 8 + $rip 16 % 5 + 16 / 8 * +
func (t *Table) compile(f *fde, expr []byte, use exprUse) (v unwind.Value, why string) {
	key := compiled{string(expr), use, f.part.eh}
	if out, ok := t.exprs.Get(key); ok {
		return out.value, out.why
	}
	x := compiler{t: t, f: f, c: bin.NewOrderedCursor(f.part.name+" expression", 0, expr, t.s.Order)}
	x.word = t.s.Word
	if use != cfaExpression {
		x.push(x.variable(unwind.CFA))
	}
	out := x.compile(use == savedAtExpression)
	t.exprs.Put(key, out, 1)
	return out.value, out.why
}

// An exprUse is what an expression is for: the CFA, a saved register's address, or its value.
type exprUse uint8

const (
	cfaExpression exprUse = iota
	savedAtExpression
	savedExpression
)

// compiled is the key of an expression: the part matters for names on Macs.
type compiled struct {
	expr string
	use  exprUse
	eh   bool
}

// A translation is the result for an expression: a value, or the reason why there is none.
type translation struct {
	value unwind.Value
	why   string
}

// A compiler runs an expression on texts instead of values.
type compiler struct {
	t     *Table
	f     *fde
	c     *bin.Cursor
	stack []node
	why   string
	numbers
}

func (x *compiler) compile(load bool) translation {
	expr := x.c.Bytes(x.c.Len())
	x.seek(expr, 0)
	for ops := 0; x.c.Len() > 0 && x.why == ""; ops++ {
		if ops == maxOps {
			x.refuse("more than %d operations", maxOps)
			break
		}
		x.operation(expr)
		if x.c.Err() != nil {
			x.refuse("it ends inside of an operation")
		}
	}
	top := x.pop()
	if x.why != "" {
		return translation{why: x.why}
	}
	if load {
		top = x.load(top)
	}
	return translation{value: unwind.ParseValue(top.text)}
}

func (x *compiler) seek(expr []byte, at int) {
	x.c = bin.NewOrderedCursor("expression", int64(at), expr[at:], x.t.s.Order)
}

func (x *compiler) refuse(format string, args ...any) {
	if x.why == "" {
		x.why = fmt.Sprintf(format, args...)
	}
}

func (x *compiler) push(n node) {
	switch {
	case len(x.stack) >= maxStack:
		x.refuse("more than %d values on the stack", maxStack)
	case n.words > maxWords:
		x.refuse("more than %d words of postfix", maxWords)
	case n.words == 0:
		x.refuse("division by zero")
	default:
		x.stack = append(x.stack, n)
	}
}

func (x *compiler) pop() node {
	n := len(x.stack)
	if n == 0 {
		x.refuse("a value is missing on the stack")
		return x.constant(0)
	}
	top := x.stack[n-1]
	x.stack = x.stack[:n-1]
	return top
}

// pick copies the value that is n below the top.
func (x *compiler) pick(n int) {
	if n >= len(x.stack) {
		x.refuse("a value is missing on the stack")
		return
	}
	x.push(x.stack[len(x.stack)-1-n])
}

func (x *compiler) register(reg uint64, off int64) {
	name := x.t.name(x.f, reg)
	if name == "" {
		x.refuse("register %d has no name", reg)
		return
	}
	x.push(x.add(x.variable(name), x.constant(uint64(off))))
}

// Going back is bounded by the number of operations.
func (x *compiler) jump(expr []byte, by int16) {
	to := x.c.Offset() + int64(by)
	if to < 0 || to > int64(len(expr)) {
		x.refuse("a jump to %d, out of %d bytes", to, len(expr))
		return
	}
	x.seek(expr, int(to))
}

// branch takes a branch whose condition is known now.
func (x *compiler) branch(expr []byte, by int16) {
	cond := x.pop()
	switch {
	case !cond.known:
		x.refuse("a branch depends on a value")
	case cond.value != 0:
		x.jump(expr, by)
	}
}

// rotate turns the upper three values: the top becomes the third.
func (x *compiler) rotate() {
	c, b, a := x.pop(), x.pop(), x.pop()
	x.push(c)
	x.push(a)
	x.push(b)
}

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
	x.push(operators[op](x.numbers, a, b))
}

// operators have two operands.
var operators = map[byte]func(x numbers, a, b node) node{
	0x1a: numbers.and, 0x1b: numbers.divide, 0x1c: operator("-"), 0x1d: numbers.modulo, 0x1e: operator("*"), 0x21: operator(".or"), 0x22: numbers.add,
	0x24: numbers.shiftLeft, 0x25: numbers.shiftRight, 0x26: numbers.shiftSigned, 0x27: operator(".xor"), 0x29: operator(".eq"),
	0x2a: numbers.atLeast,                                                              // ge
	0x2b: func(x numbers, a, b node) node { return x.less(b, a) },                      // gt
	0x2c: func(x numbers, a, b node) node { return x.atLeast(b, a) },                   // le
	0x2d: numbers.less,                                                                 // lt
	0x2e: func(x numbers, a, b node) node { return x.opposite(x.binary(".eq", a, b)) }, // ne
}

// operator is an operator that postfix has, too.
func operator(op string) func(x numbers, a, b node) node {
	return func(x numbers, a, b node) node { return x.binary(op, a, b) }
}
