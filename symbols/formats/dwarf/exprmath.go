package dwarf

import (
	"math"

	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

// shuffle does what moves numbers on the stack.
func (m *evaluator) shuffle(o operation) error {
	need := map[uint8]int{opDup: 1, opDrop: 1, opOver: 2, opPick: int(o.a) + 1, opSwap: 2, opRot: 3}[o.code]
	n := len(m.stack)
	if n < need {
		return variables.Damaged("an expression needs %d numbers on the stack, and there are %d", need, n)
	}
	s := m.stack
	switch o.code {
	case opDrop:
		m.stack = s[:n-1]
	case opDup, opOver, opPick:
		return m.pushTyped(s[n-need])
	case opSwap:
		s[n-1], s[n-2] = s[n-2], s[n-1]
	case opRot:
		s[n-1], s[n-2], s[n-3] = s[n-2], s[n-3], s[n-1]
	}
	return nil
}

// plus adds a constant to the top of the stack (DW_OP_plus_uconst), and keeps its type.
func (m *evaluator) plus(n uint64) error {
	w, err := m.popTyped()
	if err != nil {
		return err
	}
	if isFloat(w.t) {
		return variables.Damaged("an expression adds an integer to a float")
	}
	w.v = m.fit(w.v+n, w.t)
	return m.pushTyped(w)
}

// width is how many bits a number has.
func (m *evaluator) width(t *types.Type) uint {
	if t == nil || !t.Sized || t.Size == 0 || t.Size > 8 {
		return uint(8 * min(m.n.addr, 8))
	}
	return uint(8 * t.Size)
}

// fit cuts a number to its type.
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

// arithmetic does what takes one or two numbers and makes one.
func (m *evaluator) arithmetic(op uint8) error {
	b, err := m.popTyped()
	if err != nil {
		return err
	}
	if op == opAbs || op == opNeg || op == opNot {
		v, err := m.unary(op, b)
		if err != nil {
			return err
		}
		return m.pushTyped(word{v: v, t: b.t})
	}
	a, err := m.popTyped()
	if err != nil {
		return err
	}
	if isFloat(a.t) || isFloat(b.t) {
		return m.floats(op, a, b)
	}
	if op == opDiv || op == opMod {
		if b.v == 0 {
			return variables.Damaged("an expression divides by zero")
		}
	}
	if test, ok := comparisons[op]; ok {
		return m.push(oneIf(test(m.compare(a, b))))
	}
	return m.pushTyped(word{v: m.fit(m.binary(op, a, b), a.t), t: a.t})
}

// oneIf is the result of a comparison (section 2.5.1.5).
func oneIf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// unary computes abs, neg and not. The result has the type of the operand.
func (m *evaluator) unary(op uint8, w word) (uint64, error) {
	if f, ok := m.float(w); ok && op != opNot {
		if op == opNeg {
			f = -f
		}
		if op == opAbs {
			f = math.Abs(f)
		}
		return floatBits(f, w.t), nil
	} else if isFloat(w.t) {
		return 0, variables.Damaged("an expression uses an operation on floats that is not supported")
	}
	switch v := m.signed(w); {
	case op == opNot:
		return m.fit(^w.v, w.t), nil
	case op == opNeg || v < 0:
		return m.fit(uint64(-v), w.t), nil
	}
	return w.v, nil
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

// floats does arithmetic with floats.
func (m *evaluator) floats(op uint8, a, b word) error {
	x, okX := m.float(a)
	y, okY := m.float(b)
	if !okX || !okY || a.t.Size != b.t.Size {
		return variables.Damaged("an expression uses an operation on floats that is not supported")
	}
	var f float64
	switch op {
	case opPlus:
		f = x + y
	case opMinus:
		f = x - y
	case opMul:
		f = x * y
	case opDiv:
		f = x / y
	case opEq, opNe, opLt, opLe, opGt, opGe:
		holds := map[uint8]bool{opEq: x == y, opNe: x != y, opLt: x < y, opLe: x <= y, opGt: x > y, opGe: x >= y}[op]
		return m.push(oneIf(holds))
	default:
		return variables.Damaged("an expression uses an operation on floats that is not supported")
	}
	return m.pushTyped(word{v: floatBits(f, a.t), t: a.t})
}

// float is a number as the float that it is.
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
func (m *evaluator) typed(o operation) error {
	switch o.code {
	case opDeref:
		return m.load(int(m.n.addr), nil)
	case opDerefSize:
		return m.load(int(o.a), nil)
	case opDerefType:
		t, err := m.baseType(o.b)
		if err != nil {
			return err
		}
		return m.load(int(o.a), t)
	case opConstType:
		t, err := m.baseType(o.a)
		if err != nil || len(o.block) > 8 {
			return variables.Damaged("a constant of %d bytes in an expression", len(o.block))
		}
		return m.pushTyped(word{v: m.e.Frame.Number(o.block), t: t})
	case opRegvalType:
		return m.typedReg(o)
	case opConvert, opReinterpret:
		return m.convert(o)
	}
	return variables.Damaged("operation DW_OP_%s is not supported", opcodes[o.code].name)
}

// load replaces an address by the number that memory has there.
func (m *evaluator) load(size int, t *types.Type) error {
	at, err := m.pop()
	if err != nil {
		return err
	}
	v, err := m.e.Word(at, size)
	if err != nil {
		return err
	}
	return m.pushTyped(word{v: v, t: t})
}

// baseType is a base type by its offset in the unit. 0 is that of addresses.
func (m *evaluator) baseType(off uint64) (*types.Type, error) {
	if off == 0 {
		return nil, nil
	}
	d, ok := m.n.die(int(min(off, uint64(len(m.n.data)))))
	if !ok || d.tag != tagBase {
		return nil, variables.Damaged("an expression has a type that is none, at %#x", m.n.off+off)
	}
	t := d.baseType()
	if t.Size == 0 || t.Size > 8 || t.Kind == types.Complex || t.Kind == types.Decimal {
		return nil, variables.Damaged("an expression computes with type %s, which is not supported", t.Name)
	}
	return t, nil
}

// typedReg pushes a register as a number of a type (DW_OP_regval_type). GCC writes it where
// arithmetic depends on the type, as that of floats does.
func (m *evaluator) typedReg(o operation) error {
	t, err := m.baseType(o.b)
	if err != nil {
		return err
	}
	name, err := m.regName(o.a)
	if err != nil {
		return err
	}
	if t != nil && t.Kind == types.Float {
		return m.floatReg(name, t)
	}
	v, err := m.e.Reg(name)
	if err != nil {
		return err
	}
	return m.pushTyped(word{v: m.fit(v, t), t: t})
}

// floatReg pushes the float that is in the low bytes of a register. An x87
// register has one of 80 bits, whatever the type.
func (m *evaluator) floatReg(name string, t *types.Type) error {
	b, err := m.e.Bytes(name)
	if err != nil {
		return err
	}
	if uint64(len(b)) < t.Size || len(b) == x87Bytes {
		return variables.Damaged("an expression takes a float of %d bytes from a register of %d", t.Size, len(b))
	}
	return m.pushTyped(word{v: m.e.Frame.Number(b[:t.Size]), t: t})
}

// x87Bytes is the size of a register of the x87.
const x87Bytes = 10

// convert changes the type of a number, and for DW_OP_convert keeps its value.
func (m *evaluator) convert(o operation) error {
	t, err := m.baseType(o.a)
	if err != nil {
		return err
	}
	w, err := m.popTyped()
	if err != nil {
		return err
	}
	if o.code == opReinterpret {
		if m.width(w.t) != m.width(t) {
			return variables.Damaged("an expression takes %d bits for %d", m.width(w.t), m.width(t))
		}
		return m.pushTyped(word{v: w.v, t: t})
	}
	f, from := m.float(w)
	switch {
	case isFloat(w.t) && !from || isFloat(t) && t.Size != 4 && t.Size != 8:
		return variables.Damaged("an expression uses an operation on floats that is not supported")
	case from && isFloat(t):
		return m.pushTyped(word{v: floatBits(f, t), t: t})
	case from:
		if math.IsNaN(f) || f < -1<<63 || f >= 1<<63 {
			return variables.Damaged("an expression makes an integer of %g", f)
		}
		return m.pushTyped(word{v: m.fit(uint64(int64(f)), t), t: t})
	case isFloat(t) && isUnsigned(w.t):
		return m.pushTyped(word{v: floatBits(float64(w.v), t), t: t})
	case isFloat(t):
		return m.pushTyped(word{v: floatBits(float64(m.signed(w)), t), t: t})
	case isUnsigned(w.t) || w.t == nil:
		return m.pushTyped(word{v: m.fit(w.v, t), t: t})
	}
	return m.pushTyped(word{v: m.fit(uint64(m.signed(w)), t), t: t})
}
