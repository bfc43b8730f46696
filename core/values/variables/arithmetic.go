package variables

import (
	"math"
	"strings"

	"crashglass/core/values/expr"
	"crashglass/core/values/types"
)

// An operand is a value in arithmetic, after the promotions of C ([conv.prom]): a whole number of 4 or 8
// bytes, a float of 4 or 8 bytes, or an address.
type operand struct {
	n uint64 // a whole number with its sign in all bits, or an address
	f float64
	t *types.Type
}

func (x *operand) isFloat() bool  { return x.t.Kind == types.Float }
func (x *operand) isNumber() bool { return types.Strip(x.t).Kind != types.Pointer } // of any name
func (x *operand) isWhole() bool  { return x.isNumber() && !x.isFloat() }

// whole is the type of whole numbers of a size, by its name in C.
func (ev *evaluator) whole(size uint64, unsigned bool) *types.Type {
	t := &types.Type{Kind: types.Signed, Name: "int", Size: size, Sized: true}
	if size == 8 {
		t.Name = "long"
		if ev.at.r.frame.Windows || ev.at.word() == 4 {
			t.Name = "long long"
		}
	}
	if unsigned {
		t.Kind, t.Name = types.Unsigned, "unsigned "+t.Name
	}
	return t
}

func float(size uint64) *types.Type {
	return &types.Type{Kind: types.Float, Name: map[uint64]string{4: "float", 8: "double"}[size], Size: size, Sized: true}
}

func (ev *evaluator) read(o *object) (uint64, bool) {
	if ev.types {
		return 0, true
	}
	n, err := o.whole()
	if err != nil {
		ev.fail(asError(err))
	}
	return n, err == nil
}

// operand promotes a value. An array becomes the address of its first element.
func (ev *evaluator) operand(o *object) (out operand, ok bool) {
	if o == nil {
		return out, false
	}
	size, _ := types.Size(o.t)
	switch kind := types.Void; {
	case o.t == nil:
	default:
		kind = o.t.Kind
		switch {
		case kind == types.Array && (o.v.memory || ev.types):
			t, _ := o.r.rows(o.t)
			return operand{n: o.v.addr, t: o.pointerTo(t)}, true
		case kind == types.Pointer:
			n, ok := ev.read(o)
			return operand{n: n, t: o.declared()}, ok
		case kind == types.Float && (size == 4 || size == 8):
			n, ok := ev.read(o)
			if size == 4 {
				return operand{f: float64(math.Float32frombits(uint32(n))), t: float(4)}, ok
			}
			return operand{f: math.Float64frombits(n), t: float(8)}, ok
		case size > 0 && size <= 8 && kind >= types.Bool && kind <= types.Wide || kind == types.Enum:
			return ev.promoted(o, size)
		}
	}
	ev.fail(Damaged("there is no arithmetic with values of type %s", types.Spell(o.declared())))
	return out, false
}

// promoted promotes a whole number. One of fewer bits than an int has becomes an int.
func (ev *evaluator) promoted(o *object, size uint64) (operand, bool) {
	n, ok := ev.read(o)
	bits, signed := 8*size, hasSign(o.t) || o.t.Kind == types.Enum && isSigned(o.t)
	if o.bits != nil {
		bits = o.bits.Bits
	}
	if signed {
		n = uint64(extend(n, bits))
	}
	if bits < 32 {
		return operand{n: n, t: ev.whole(4, false)}, ok
	}
	if t := o.t; (t.Kind == types.Signed || t.Kind == types.Unsigned) && bits == 8*size && bits%32 == 0 {
		return operand{n: n, t: t}, ok // long long stays itself
	}
	return operand{n: n, t: ev.whole((bits+31)/32*4, !signed)}, ok
}

// integer returns a number, or the address in a pointer.
func (o *object) integer() (int64, bool) {
	if o == nil {
		return 0, false
	}
	ev := evaluator{at: o}
	x, ok := ev.operand(ev.behind(o))
	return int64(x.n), ok && !x.isFloat()
}

func (ev *evaluator) isTrue(o *object) (yes, ok bool) {
	x, ok := ev.operand(ev.behind(o))
	return x.n != 0 || x.f != 0, ok
}

// truth is the result of a comparison: a bool, and in C an int. It is one in views, too.
func (ev *evaluator) truth(yes, ok bool) *object {
	n := uint64(0)
	switch {
	case !ok:
		return nil
	case yes:
		n = 1
	}
	if ev.names == nil || ev.at.t != nil && ev.at.t.Language == types.C {
		return ev.number(ev.whole(4, false), n)
	}
	return ev.number(boolType(), n)
}

func boolType() *types.Type {
	return &types.Type{Kind: types.Bool, Name: "bool", Size: 1, Sized: true}
}

// number is a value of a type that is not the program's.
func (ev *evaluator) number(t *types.Type, n uint64) *object {
	of := types.Strip(t)
	out := &object{r: ev.at.r, t: of, is: t, out: ev.at.out, depth: ev.at.depth}
	size := sizeOf(of)
	if of.Kind == types.Pointer && size == 0 {
		size = ev.at.word()
	}
	out.v.bytes = ev.at.r.frame.Bytes(n, int(size))
	out.v.known = make([]*Error, len(out.v.bytes))
	return out
}

// converted is an operand as a value of a type of numbers. A float becomes a whole number if that has it.
func (ev *evaluator) converted(x operand, t *types.Type) *object {
	to := types.Strip(t)
	size := sizeOf(to)
	switch {
	case to.Kind == types.Float && !x.isFloat():
		if x.f = float64(int64(x.n)); x.t.Kind == types.Unsigned {
			x.f = float64(x.n)
		}
	case to.Kind == types.Bool:
		x.n = map[bool]uint64{true: 1}[x.n != 0 || x.f != 0]
	case to.Kind != types.Float && x.isFloat():
		if !(x.f > -1<<63 && x.f < 1<<63) {
			return ev.fail(Damaged("the number %g is no whole number", x.f))
		}
		x.n = uint64(int64(x.f))
	}
	switch {
	case to.Kind != types.Float:
		return ev.number(t, x.n)
	case size == 4:
		return ev.number(t, uint64(math.Float32bits(float32(x.f))))
	}
	return ev.number(t, math.Float64bits(x.f))
}

// common is the type of arithmetic with two numbers: [expr.arith.conv].
func (ev *evaluator) common(x, y operand) *types.Type {
	switch {
	case x.isFloat() && y.isFloat():
		return float(max(x.t.Size, y.t.Size))
	case x.isFloat():
		return float(x.t.Size)
	case y.isFloat():
		return float(y.t.Size)
	}
	if rank(y.t) > rank(x.t) {
		return y.t
	}
	return x.t
}

// rank orders the types of whole numbers: by size, then those without a sign, then long long before long before int ([conv.rank]).
func rank(t *types.Type) int {
	n := int(t.Size)*8 + min(strings.Count(t.Name, "long"), 2)
	if t.Kind == types.Unsigned {
		n += 4
	}
	return n
}

func (ev *evaluator) unary(op expr.Op, o *object) *object {
	x, ok := ev.operand(o)
	switch {
	case !ok:
		return nil
	case !x.isNumber() || x.isFloat() && op == expr.Flip:
		return ev.noSuch(x.t)
	case op == expr.Minus:
		x.n, x.f = -x.n, -x.f
	case op == expr.Flip:
		x.n = ^x.n
	}
	return ev.converted(x, x.t)
}

func (ev *evaluator) binary(e *expr.Expr, a, b *object) *object {
	if e.Args[0].Op == expr.Text || e.Args[1].Op == expr.Text {
		return ev.texts(e.Op, a, b)
	}
	x, ok := ev.operand(a)
	y, okB := ev.operand(b)
	switch {
	case !ok || !okB:
		return nil
	case !x.isNumber() || !y.isNumber():
		return ev.pointers(e.Op, x, y)
	}
	t := ev.common(x, y)
	if t.Kind == types.Float {
		return ev.floats(e.Op, x, y, t)
	}
	return ev.integers(e.Op, x, y, t)
}

// texts compares a constant text with the text of a value.
func (ev *evaluator) texts(op expr.Op, a, b *object) *object {
	x, y := a.plain(), b.plain()
	if op != expr.Equal && op != expr.Unequal || !strings.HasSuffix(x, `"`) || !strings.HasSuffix(y, `"`) {
		return ev.fail(Damaged("only two texts that are known as a whole can be compared"))
	}
	return ev.truth((x == y) == (op == expr.Equal), true)
}

// plain is the text of a value, of a string without what stands before it; "" if it is unknown.
func (o *object) plain() string {
	v := o.value()
	if v.State != Known || !v.Said {
		return ""
	}
	return unaddressed(v.Text)
}

// unaddressed is a text without an address before a quoted string.
func unaddressed(text string) string {
	if i := strings.IndexByte(text, '"'); i >= 0 {
		return text[i:]
	}
	return text
}

func order[T uint64 | int64 | float64](op expr.Op, x, y T) bool {
	switch op {
	case expr.Equal:
		return x == y
	case expr.Unequal:
		return x != y
	case expr.Less:
		return x < y
	case expr.LessEqual:
		return x <= y
	case expr.More:
		return x > y
	}
	return x >= y
}

func compares(op expr.Op) bool { return op >= expr.Equal && op <= expr.MoreEqual }

// noSuch is the error of an operator that values of a type do not have.
func (ev *evaluator) noSuch(t *types.Type) *object {
	return ev.fail(Damaged("there is no such arithmetic with values of type %s", types.Spell(t)))
}

// floats computes with floats. One of 4 bytes is rounded once, from a result that is exact enough.
func (ev *evaluator) floats(op expr.Op, x, y operand, t *types.Type) *object {
	for _, each := range []*operand{&x, &y} {
		if !each.isFloat() {
			if each.f = float64(int64(each.n)); each.t.Kind == types.Unsigned {
				each.f = float64(each.n)
			}
			if t.Size == 4 {
				each.f = float64(float32(each.f))
			}
		}
	}
	out := operand{t: t}
	switch {
	case compares(op):
		return ev.truth(order(op, x.f, y.f), true)
	case op == expr.Add:
		out.f = x.f + y.f
	case op == expr.Sub:
		out.f = x.f - y.f
	case op == expr.Mul:
		out.f = x.f * y.f
	case op == expr.Div:
		out.f = x.f / y.f
	default:
		return ev.noSuch(t)
	}
	return ev.converted(out, t)
}

// fit cuts a number to the size of a type, with its sign.
func fit(n uint64, t *types.Type) uint64 {
	if t.Kind == types.Unsigned && t.Size < 8 {
		return n & (1<<(8*t.Size) - 1)
	}
	return uint64(extend(n, 8*t.Size))
}

// integers computes with whole numbers. The type of a shift is that of what is shifted.
func (ev *evaluator) integers(op expr.Op, x, y operand, t *types.Type) *object {
	shifts := op == expr.Left || op == expr.Right
	if shifts {
		t = x.t
	}
	signed := t.Kind == types.Signed
	a, b := fit(x.n, t), fit(y.n, t)
	switch {
	case shifts && y.n >= 8*t.Size:
		return ev.fail(Damaged("a shift by %d of %d bits", int64(y.n), 8*t.Size))
	case (op == expr.Div || op == expr.Rem) && b == 0:
		return ev.fail(Damaged("a division by zero"))
	case compares(op) && signed:
		return ev.truth(order(op, int64(a), int64(b)), true)
	case compares(op):
		return ev.truth(order(op, a, b), true)
	}
	switch op {
	case expr.Add:
		a += b
	case expr.Sub:
		a -= b
	case expr.Mul:
		a *= b
	case expr.BitAnd:
		a &= b
	case expr.BitOr:
		a |= b
	case expr.BitXor:
		a ^= b
	case expr.Left:
		a <<= b
	default:
		if signed {
			a = divided(op, int64(a), int64(b))
		} else {
			a = divided(op, a, b)
		}
	}
	return ev.number(t, a)
}

// divided divides and shifts right, which both depend on the sign.
func divided[T uint64 | int64](op expr.Op, a, b T) uint64 {
	switch op {
	case expr.Div:
		return uint64(a / b)
	case expr.Rem:
		return uint64(a % b)
	}
	return uint64(a >> uint64(b))
}

// pointers compares and moves pointers. A number counts in elements, and so does the difference of two
// pointers.
func (ev *evaluator) pointers(op expr.Op, x, y operand) *object {
	if x.isFloat() || y.isFloat() {
		return ev.noSuch(x.t)
	}
	mask := ev.at.r.frame.Arch.Mask()
	if compares(op) {
		return ev.truth(order(op, x.n&mask, y.n&mask), true)
	}
	if x.isNumber() && op == expr.Add {
		x, y = y, x
	}
	size := stride(x.t)
	switch both := !y.isNumber(); {
	case size <= 0 || both && op != expr.Sub || op != expr.Add && op != expr.Sub:
		return ev.noSuch(x.t)
	case both && (int64(x.n-y.n)%size != 0 || stride(y.t) != size):
		return ev.fail(Damaged("the pointers are no multiple of %d bytes apart", size))
	case both:
		return ev.number(ev.whole(ev.at.word(), false), uint64(int64(x.n-y.n)/size))
	case op == expr.Sub:
		y.n = -y.n
	}
	return ev.number(x.t, (x.n+y.n*uint64(size))&mask)
}

// stride is what a pointer counts in, 0 for a number. In C of GNU, void and functions have a size of 1.
func stride(t *types.Type) int64 {
	t = types.Strip(t)
	if t.Kind != types.Pointer {
		return 0
	}
	elem := types.Strip(t.Elem.Get())
	if elem == nil || elem.Kind == types.Function {
		return 1
	}
	return int64(sizeOf(elem))
}
