package variables

import (
	"crashglass/core/values/natvis"
	"crashglass/core/values/types"
)

// An operand is the value of an expression of a view: an object, or a number that may be a pointer.
type operand struct {
	o     *object     // nil for a number
	n     int64       // the number, or the address in a pointer
	to    *types.Type // of a pointer: its target type
	known bool        // false if a part of the expression could not be read
}

// numeric is a number that is known.
func numeric(n int64) operand { return operand{n: n, known: true} }

// truth is the number of a condition: 1 or 0, as in C++.
func truth(b bool) operand {
	if b {
		return numeric(1)
	}
	return numeric(0)
}

// integer returns an operand as a number.
func (a operand) integer() (int64, bool) {
	if !a.known || a.o == nil {
		return a.n, a.known
	}
	if a.o.t == nil || !scalar(a.o.t) || a.o.t.Kind == types.Float {
		return 0, false
	}
	n, ok := a.o.uint()
	if t := a.o.t; !hasSign(t) && !(t.Kind == types.Enum && isSigned(t)) {
		return int64(n), ok
	}
	if a.o.bits != nil {
		return extend(n, a.o.bits.Bits), ok
	}
	return extend(n, 8*sizeOf(a.o.t)), ok
}

// target returns the target type of a pointer, or the element type of an array.
func (a operand) target() *types.Type {
	if a.o != nil {
		return a.o.element()
	}
	return a.to
}

// pointed returns the object behind a pointer, for a view of o.
func (a operand) pointed(o *object) *object { return a.element(0).in(o).o }

// element returns the i-th element of an array, or behind a pointer.
func (a operand) element(i int64) operand {
	t := a.target()
	size := int64(sizeOf(t))
	if !a.known || t == nil || i != 0 && (size == 0 || i < 0 || i > maxStride/size) {
		return operand{}
	}
	if a.o != nil && a.o.t.Kind == types.Array {
		return operand{o: &object{r: a.o.r, v: a.o.v.at(uint64(i * size)), t: types.Strip(t), out: a.o.out, depth: a.o.depth}, known: true}
	}
	n, ok := a.integer()
	if !ok || n == 0 {
		return operand{}
	}
	return operand{o: &object{v: view{memory: true, addr: uint64(n + i*size)}, t: types.Strip(t)}, known: true}
}

// value reads an operand for a view of o.
func (a operand) value(o *object) *Value {
	switch {
	case !a.known:
		return nil
	case a.o != nil && a.o.bits != nil:
		out := &Value{Type: types.Spell(a.o.t)}
		o.r.bitField(out, a.o.v, a.o.bits, a.o.t)
		return out
	case a.o != nil:
		return o.r.value(a.o.v, a.o.t, o.depth-1)
	case a.to != nil:
		t := &types.Type{Kind: types.Pointer, Elem: func() *types.Type { return a.to }, Language: types.CPlusPlus, Size: o.word(), Sized: true}
		return o.r.value(view{bytes: o.r.frame.Bytes(uint64(a.n), int(o.word())), known: make([]*Error, o.word())}, t, o.depth-1)
	}
	out := &Value{Type: "int"}
	out.say(signed(a.n))
	return out
}

// eval evaluates an expression for an object, where $i is a number.
func (o *object) eval(e *natvis.Expr, i uint64) operand {
	var args [2]operand
	for n := range min(len(e.Args), 2) {
		args[n] = o.eval(e.Args[n], i).in(o)
		if !args[n].known {
			return operand{}
		}
		// && and || do not read their second operand if the first one decides: a view tests a pointer
		// before it follows it.
		if short := args[0]; n == 0 && (e.Op == natvis.And || e.Op == natvis.Or) {
			if v, ok := short.integer(); ok && (v != 0) == (e.Op == natvis.Or) {
				return truth(v != 0)
			}
		}
	}
	switch e.Op {
	case natvis.Number:
		return numeric(int64(e.Number))
	case natvis.Index: // $i
		return numeric(int64(i))
	case natvis.This:
		return operand{n: int64(o.v.addr), to: o.t, known: o.v.memory}
	case natvis.Member: // a.b, or a member of the object itself
		from := o
		if len(e.Args) > 0 {
			from = args[0].o
		}
		return found(from.part(e.Name))
	case natvis.Arrow: // a->b
		return found(args[0].pointed(o).part(e.Name))
	case natvis.Deref: // *a
		return args[0].element(0).in(o)
	case natvis.Subscript: // a[b]
		n, ok := args[1].integer()
		if !ok {
			return operand{}
		}
		return args[0].element(n).in(o)
	case natvis.Address: // &a, which a bit field or a value in a register does not have
		at := args[0].o
		if at == nil || !at.v.memory || at.bits != nil {
			return operand{}
		}
		return operand{n: int64(at.v.addr), to: at.t, known: true}
	}
	return arithmetic(e.Op, args[0], args[1])
}

// found is the operand of an object, unknown for nil.
func found(o *object) operand { return operand{o: o, known: o != nil} }

// in makes an object in memory, with the reader of o.
func (a operand) in(o *object) operand {
	if a.o != nil && a.o.r == nil {
		at := *a.o
		at.r, at.out, at.depth = o.r, o.out, o.depth
		a.o = &at
	}
	return a
}

// arithmetic compares and adds numbers. Pointer arithmetic counts in elements.
func arithmetic(op natvis.Op, a, b operand) operand {
	x, ok := a.integer()
	if op == natvis.Not {
		return operand{n: truth(x == 0).n, known: ok}
	}
	y, okB := b.integer()
	if !ok || !okB {
		return operand{}
	}
	switch op {
	case natvis.Add, natvis.Sub:
		return sum(op, a, b, x, y)
	case natvis.Equal:
		return truth(x == y)
	case natvis.Unequal:
		return truth(x != y)
	case natvis.Less:
		return truth(x < y)
	case natvis.LessEqual:
		return truth(x <= y)
	case natvis.More:
		return truth(x > y)
	case natvis.MoreEqual:
		return truth(x >= y)
	case natvis.And:
		return truth(x != 0 && y != 0)
	case natvis.Or:
		return truth(x != 0 || y != 0)
	}
	return operand{}
}

// sum adds or subtracts. A number that is added to a pointer counts in elements, and the difference of
// two pointers does, too. The sum of two pointers is unknown.
func sum(op natvis.Op, a, b operand, x, y int64) operand {
	t := a.target()
	if t == nil {
		if op == natvis.Add {
			return numeric(x + y)
		}
		return numeric(x - y)
	}
	size := int64(sizeOf(t))
	switch {
	case size == 0:
		return operand{}
	case b.target() != nil:
		if op == natvis.Add || (x-y)%size != 0 {
			return operand{}
		}
		return numeric((x - y) / size)
	case op == natvis.Sub:
		y = -y
	}
	return operand{n: x + y*size, to: t, known: true}
}
