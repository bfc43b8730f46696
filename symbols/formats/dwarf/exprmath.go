package dwarf

import (
	"math"

	"crashglass/core/values/types"
)

// shuffle does what moves numbers on the stack.
func (m *evaluator) shuffle(o operation) {
	need := map[uint8]int{opDup: 1, opDrop: 1, opOver: 2, opPick: int(o.a) + 1, opSwap: 2, opRot: 3}[o.code]
	s, n := m.stack, len(m.stack)
	if n < need {
		m.damaged("an expression needs %d numbers on the stack, and there are %d", need, n)
		return
	}
	switch o.code {
	case opDrop:
		m.stack = s[:n-1]
	case opDup, opOver, opPick:
		m.pushTyped(s[n-need])
	case opSwap:
		s[n-1], s[n-2] = s[n-2], s[n-1]
	case opRot:
		s[n-1], s[n-2], s[n-3] = s[n-2], s[n-3], s[n-1]
	}
}

// plus adds a constant to the top of the stack (DW_OP_plus_uconst), and keeps its type.
func (m *evaluator) plus(n uint64) {
	w := m.popTyped()
	if isFloat(w.t) {
		m.damaged("an expression adds an integer to a float")
	}
	m.pushTyped(word{v: m.fit(w.v+n, w.t), t: w.t})
}

// width is how many bits a number has.
func (m *evaluator) width(t *types.Type) uint {
	if t == nil || !t.Sized || t.Size == 0 || t.Size > 8 {
		return uint(8 * min(m.n.addr, 8))
	}
	return uint(8 * t.Size)
}

func (m *evaluator) fit(v uint64, t *types.Type) uint64 {
	w := m.width(t)
	return v << (64 - w) >> (64 - w)
}

// signed is a number with the sign that its highest bit is. One without a type has the size of an address.
func (m *evaluator) signed(w word) int64 {
	n := m.width(w.t)
	return int64(w.v<<(64-n)) >> (64 - n)
}

// isFloat reports whether a type is a float; numbers without a type are integers.
func isFloat(t *types.Type) bool { return t != nil && t.Kind == types.Float }

func (m *evaluator) arithmetic(op uint8) {
	b := m.popTyped()
	if op == opAbs || op == opNeg || op == opNot {
		m.pushTyped(word{v: m.unary(op, b), t: b.t})
		return
	}
	a := m.popTyped()
	test, compares := comparisons[op]
	switch {
	case isFloat(a.t) || isFloat(b.t):
		m.floats(op, a, b)
	case (op == opDiv || op == opMod) && b.v == 0:
		m.damaged("an expression divides by zero")
	case compares:
		m.push(oneIf(test(m.compare(a, b))))
	default:
		m.pushTyped(word{v: m.fit(m.binary(op, a, b), a.t), t: a.t})
	}
}

// oneIf is the result of a comparison (section 2.5.1.5).
func oneIf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// unsupported fails because of an operation on floats.
func (m *evaluator) unsupported() {
	m.damaged("an expression uses an operation on floats that is not supported")
}

// unary computes abs, neg and not. The result has the type of the operand.
func (m *evaluator) unary(op uint8, w word) uint64 {
	f, ok := m.float(w)
	v := m.signed(w)
	switch {
	case ok && op == opNeg:
		return floatBits(-f, w.t)
	case ok && op == opAbs:
		return floatBits(math.Abs(f), w.t)
	case isFloat(w.t):
		m.unsupported()
	case op == opNot:
		return m.fit(^w.v, w.t)
	case op == opNeg || v < 0:
		return m.fit(uint64(-v), w.t)
	}
	return w.v
}

// isUnsigned reports whether a number has a type without a sign: one without a
// type is signed where that matters (section 2.5.1.4).
func isUnsigned(t *types.Type) bool {
	return t != nil && (t.Kind == types.Unsigned || t.Kind == types.Bool || t.Kind == types.Wide || t.Kind == types.Char && !t.Minus)
}

// binary computes what takes two integers, except comparisons. Divisors are not 0 here. shl and shr by as
// many bits as there are, or more, make 0, and shra only signs: CPUs disagree, and DWARF does not say.
func (m *evaluator) binary(op uint8, a, b word) uint64 {
	switch op {
	case opAnd:
		return a.v & b.v
	case opOr:
		return a.v | b.v
	case opXor:
		return a.v ^ b.v
	case opPlus:
		return a.v + b.v
	case opMinus:
		return a.v - b.v
	case opMul:
		return a.v * b.v
	case opShl:
		return a.v << min(b.v, 64)
	case opShr:
		return a.v >> min(b.v, 64)
	case opShra:
		return uint64(m.signed(a) >> min(b.v, 63))
	case opMod:
		if a.t != nil && !isUnsigned(a.t) {
			return uint64(m.signed(a) % m.signed(b))
		}
		return a.v % b.v
	}
	if isUnsigned(a.t) { // a division
		return a.v / b.v
	}
	return uint64(m.signed(a) / m.signed(b))
}

// comparisons say of the result of compare whether an operation holds.
var comparisons = map[uint8]func(int) bool{
	opEq: func(c int) bool { return c == 0 }, opNe: func(c int) bool { return c != 0 },
	opLt: func(c int) bool { return c < 0 }, opLe: func(c int) bool { return c <= 0 },
	opGt: func(c int) bool { return c > 0 }, opGe: func(c int) bool { return c >= 0 },
}

// compare returns -1, 0 or 1. Numbers without a type are compared with a sign (section 2.5.1.5).
func (m *evaluator) compare(a, b word) int {
	x, y := m.signed(a), m.signed(b)
	switch less := x < y; {
	case a.v == b.v:
		return 0
	case isUnsigned(a.t) && a.v < b.v, !isUnsigned(a.t) && less:
		return -1
	}
	return 1
}

func (m *evaluator) floats(op uint8, a, b word) {
	x, okX := m.float(a)
	y, okY := m.float(b)
	if !okX || !okY || a.t.Size != b.t.Size {
		m.unsupported()
		return
	}
	results := map[uint8]float64{opPlus: x + y, opMinus: x - y, opMul: x * y, opDiv: x / y}
	tests := map[uint8]bool{opEq: x == y, opNe: x != y, opLt: x < y, opLe: x <= y, opGt: x > y, opGe: x >= y}
	if f, ok := results[op]; ok {
		m.pushTyped(word{v: floatBits(f, a.t), t: a.t})
	} else if holds, ok := tests[op]; ok {
		m.push(oneIf(holds))
	} else {
		m.unsupported()
	}
}

func (m *evaluator) float(w word) (float64, bool) {
	switch {
	case !isFloat(w.t):
		return 0, false
	case w.t.Size == 4:
		return float64(math.Float32frombits(uint32(w.v))), true
	case w.t.Size == 8:
		return math.Float64frombits(w.v), true
	}
	return 0, false
}

// floatBits is a float in the bytes of its type, which has 4 or 8.
func floatBits(f float64, t *types.Type) uint64 {
	if t.Size == 4 {
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// typed does the operations on numbers with types (section 2.5.1.6), and reads
// memory.
func (m *evaluator) typed(o operation) {
	switch o.code {
	case opDeref:
		m.load(int(m.n.addr), nil)
	case opDerefSize:
		m.load(int(o.a), nil)
	case opDerefType:
		m.load(int(o.a), m.baseType(o.b))
	case opConstType:
		if len(o.block) > 8 {
			m.damaged("a constant of %d bytes in an expression", len(o.block))
			return
		}
		m.pushTyped(word{v: m.e.Frame.Number(o.block), t: m.baseType(o.a)})
	case opRegvalType:
		m.typedReg(o)
	case opConvert, opReinterpret:
		m.convert(o)
	default:
		m.damaged("operation DW_OP_%s is not supported", opcodes[o.code].name)
	}
}

// load replaces an address by the number that memory has there.
func (m *evaluator) load(size int, t *types.Type) {
	if at := m.pop(); m.err == nil {
		m.pushTyped(word{v: m.of(m.e.Word(at, size)), t: t})
	}
}

// baseType is a base type by its offset in the unit. 0 is that of addresses.
func (m *evaluator) baseType(off uint64) *types.Type {
	if off == 0 {
		return nil
	}
	d, ok := m.n.die(int(min(off, uint64(len(m.n.data)))))
	if !ok || d.tag != tagBase {
		m.damaged("an expression has a type that is none, at %#x", m.n.off+off)
		return nil
	}
	t := d.baseType()
	if t.Size == 0 || t.Size > 8 || t.Kind == types.Complex || t.Kind == types.Decimal {
		m.damaged("an expression computes with type %s, which is not supported", t.Name)
	}
	return t
}

// typedReg pushes a register as a number of a type (DW_OP_regval_type). GCC writes it where arithmetic
// depends on the type, as that of floats does. A float is in the low bytes of its register, except that
// an x87 register has one of 80 bits, whatever the type.
func (m *evaluator) typedReg(o operation) {
	t, name := m.baseType(o.b), m.regName(o.a)
	switch {
	case m.err != nil:
	case !isFloat(t):
		m.pushTyped(word{v: m.fit(m.of(m.e.Reg(name)), t), t: t})
	default:
		b, err := m.e.Bytes(name)
		if err != nil {
			m.fail(err)
		} else if uint64(len(b)) < t.Size || len(b) == x87Bytes {
			m.damaged("an expression takes a float of %d bytes from a register of %d", t.Size, len(b))
		} else {
			m.pushTyped(word{v: m.e.Frame.Number(b[:t.Size]), t: t})
		}
	}
}

// x87Bytes is the size of a register of the x87.
const x87Bytes = 10

// convert changes the type of a number, and for DW_OP_convert keeps its value.
func (m *evaluator) convert(o operation) {
	t, w := m.baseType(o.a), m.popTyped()
	f, from := m.float(w)
	to := word{t: t}
	switch {
	case m.err != nil:
	case o.code == opReinterpret && m.width(w.t) != m.width(t):
		m.damaged("an expression takes %d bits for %d", m.width(w.t), m.width(t))
	case o.code == opReinterpret:
		to.v = w.v
	case isFloat(w.t) && !from || isFloat(t) && t.Size != 4 && t.Size != 8:
		m.unsupported()
	case from && isFloat(t):
		to.v = floatBits(f, t)
	case from && (math.IsNaN(f) || f < -1<<63 || f >= 1<<63):
		m.damaged("an expression makes an integer of %g", f)
	case from:
		to.v = m.fit(uint64(int64(f)), t)
	case isFloat(t) && isUnsigned(w.t):
		to.v = floatBits(float64(w.v), t)
	case isFloat(t):
		to.v = floatBits(float64(m.signed(w)), t)
	case isUnsigned(w.t) || w.t == nil:
		to.v = m.fit(w.v, t)
	default:
		to.v = m.fit(uint64(m.signed(w)), t)
	}
	m.pushTyped(to)
}
