package variables

import (
	"strconv"
	"strings"

	"crashglass/core/values/expr"
	"crashglass/core/values/types"
)

// An evaluator evaluates expressions, for [Evaluate] and for views. Its methods return nil for what
// is unknown, and keep the first reason.
type evaluator struct {
	at    *object            // the value of a view; for a frame, an object without a place
	index uint64             // $i
	names naming             // of a frame; nil for a view, whose names are members
	types bool               // only types are wanted, and nothing is read: sizeof, and the other branch of "?"
	args  map[string]*object // of an intrinsic, by the names of its parameters
	place bool               // only a place is wanted, which may be that of a null pointer: &((Node *)0)->next
	err   *Error
}

// A naming finds what an expression names in a frame.
type naming interface {
	variable(ev *evaluator, module, name string) *object
	register(ev *evaluator, name string) *object
}

// fail keeps the first reason.
func (ev *evaluator) fail(err *Error) *object {
	if ev.err == nil {
		ev.err = err
	}
	return nil
}

// eval evaluates an expression of a view of o, where $i is a number.
func (o *object) eval(e *expr.Expr, i uint64) *object {
	ev := evaluator{at: o, index: i}
	return ev.eval(e)
}

// eval evaluates an expression. && and || and ? read only what decides: they test a pointer before
// it is followed.
func (ev *evaluator) eval(e *expr.Expr) *object {
	switch e.Op {
	case expr.And, expr.Or:
		x, ok := ev.isTrue(ev.eval(e.Args[0]))
		if ok && x == (e.Op == expr.And) {
			x, ok = ev.isTrue(ev.eval(e.Args[1]))
		}
		return ev.truth(x, ok)
	case expr.If:
		return ev.choose(e)
	case expr.SizeOf:
		return ev.sizeOf(e)
	case expr.Call:
		return ev.call(e)
	}
	var args [3]*object
	place := ev.place
	for n := range e.Args {
		ev.place = e.Op == expr.Address || place && e.Op == expr.Member
		if args[n] = ev.behind(ev.eval(e.Args[n])); args[n] == nil {
			return nil
		}
	}
	ev.place = place
	if len(e.Args) == 0 {
		return ev.atom(e)
	}
	return ev.apply(e, args)
}

func (ev *evaluator) atom(e *expr.Expr) *object {
	switch e.Op {
	case expr.This:
		return ev.address(ev.at)
	case expr.Index:
		return ev.number(ev.whole(8, false), ev.index)
	case expr.Register:
		return ev.names.register(ev, e.Name)
	case expr.Name:
		if ev.names != nil {
			return ev.names.variable(ev, e.Module, e.Name)
		}
		return ev.viewName(e.Name)
	}
	return ev.constant(e)
}

func (ev *evaluator) apply(e *expr.Expr, args [3]*object) *object {
	switch a := args[0]; e.Op {
	case expr.Member:
		if a.t != nil && a.t.Kind == types.Pointer && ev.names != nil { // Go and Rust follow it, and so does GDB
			a = ev.behind(ev.element(a, 0))
		}
		return ev.member(a, e.Name)
	case expr.Arrow:
		return ev.member(ev.behind(ev.pointee(a)), e.Name)
	case expr.Deref:
		return ev.pointee(a)
	case expr.Subscript:
		if a.t != nil && expands(a.t) {
			return ev.contained(a, args[1])
		}
		i, ok := ev.operand(args[1])
		if !ok || !i.isWhole() {
			return ev.fail(Damaged("an index is no whole number"))
		}
		return ev.element(a, int64(i.n))
	case expr.Slice:
		from, ok := ev.operand(args[1])
		to, okTo := ev.operand(args[2])
		if !ok || !okTo || !from.isWhole() || !to.isWhole() {
			return ev.fail(Damaged("the bounds of a slice are no whole numbers"))
		}
		return ev.repeated(ev.element(a, int64(from.n)), int64(to.n-from.n), int64(from.n))
	case expr.Repeat:
		n, ok := ev.operand(args[1])
		if !ok || !n.isWhole() {
			return ev.fail(Damaged("a number of values is no whole number"))
		}
		return ev.repeated(a, int64(n.n), 0)
	case expr.Address:
		return ev.address(a)
	case expr.Not:
		if n, ok := ev.operand(a); ok && n.isWhole() && a.t.Kind != types.Bool && ev.at.t != nil && ev.at.t.Language == types.Rust {
			return ev.unary(expr.Flip, a) // of Rust
		}
		x, ok := ev.isTrue(a)
		return ev.truth(!x, ok)
	case expr.Minus, expr.Plus, expr.Flip:
		return ev.unary(e.Op, a)
	case expr.Cast:
		if t, ok := ev.typeNamed(e.Name, e.Suffix); ok {
			return ev.cast(a, t)
		}
		return nil
	}
	return ev.binary(e, args[0], args[1])
}

// viewName finds what a view names: a parameter of an intrinsic, a number among the template's arguments, an
// enumerator, or a member.
func (ev *evaluator) viewName(name string) *object {
	if o, ok := ev.args[name]; ok {
		return o
	}
	if own := ev.at.r.expanded(name); own != name {
		n, err := strconv.ParseInt(strings.TrimRight(own, "uUlL"), 0, 64)
		if err != nil {
			return ev.fail(Damaged("%s is no number", own))
		}
		return ev.number(ev.whole(8, false), uint64(n))
	}
	if strings.Contains(name, "::") {
		if o := ev.enumerator(name); o != nil {
			return o
		}
		return ev.fail(Damaged("there is no enumerator %s", name))
	}
	return ev.member(ev.at, name)
}

// expanded replaces the arguments of the view's template in a name: $T1. What an argument itself contains is not replaced, because debug
// information may name types that double the text each time. An argument that the template lacks stays as it is.
func (r *reader) expanded(name string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(name, "$T")
		if out.WriteString(before); !found {
			return out.String()
		}
		name = strings.TrimLeft(after, "0123456789")
		digits := after[:len(after)-len(name)]
		if n, err := strconv.Atoi(digits); err == nil && n > 0 && n <= len(r.viewing.args) {
			out.WriteString(r.viewing.args[n-1])
		} else {
			out.WriteString("$T" + digits)
		}
	}
}

// call evaluates an intrinsic of the view of an object, or a conversion to a type.
func (ev *evaluator) call(e *expr.Expr) *object {
	r := ev.at.r
	of := ev.behind(ev.pointee(ev.eval(e.Args[0])))
	if of == nil {
		return nil
	}
	was := r.viewing
	defer func() { r.viewing = was }()
	if r.viewing.deep++; e.Args[0].Op != expr.This {
		for at, d := of, into(maxBases); at != nil && d.enters(at.t); at, d = at.firstBase(), d.deeper() {
			if shown, args := at.ownView(); shown != nil {
				of, r.viewing.View, r.viewing.args = at, shown, args
				break
			}
		}
	}
	in := evaluator{at: of, types: ev.types, args: map[string]*object{}}
	call := r.frame.Views.Intrinsic(r.viewing.View, e.Name, len(e.Args)-1)
	if call == nil && len(e.Args) == 2 && e.Args[0].Op == expr.This { // a conversion: size_t(1)
		r.viewing = was
		if t, ok := ev.typeNamed(e.Name, ""); ok {
			if a := ev.behind(ev.eval(e.Args[1])); a != nil {
				return ev.cast(a, t)
			}
		}
		return nil
	}
	if r.calls++; call == nil || r.viewing.deep > maxViews || r.calls > maxCalls {
		return ev.fail(Damaged("there is no intrinsic %s", e.Name))
	}
	own := r.viewing
	for i, a := range e.Args[1:] {
		r.viewing = was
		o := ev.behind(ev.eval(a))
		if o == nil {
			return nil
		}
		in.args[call.Params[i]] = o
	}
	r.viewing = own
	out := in.behind(in.eval(call.Value))
	if out == nil {
		return ev.fail(in.err)
	}
	return out
}

// choose evaluates "?". Its type is that of both branches, of which one is read.
func (ev *evaluator) choose(e *expr.Expr) *object {
	yes, ok := ev.isTrue(ev.eval(e.Args[0]))
	if !ok {
		return nil
	}
	chosen, other := e.Args[2], e.Args[1]
	if yes {
		chosen, other = other, chosen
	}
	out := ev.behind(ev.eval(chosen))
	only := evaluator{at: ev.at, index: ev.index, names: ev.names, args: ev.args, types: true}
	y, okY := only.operand(only.behind(only.eval(other)))
	if out == nil || out.t == nil || !okY || !y.isNumber() || !scalar(out.t) || out.t.Kind == types.Pointer {
		return out
	}
	x, ok := ev.operand(out)
	if !ok || !x.isNumber() {
		return out
	}
	return ev.converted(x, ev.common(x, y))
}

// sizeOf returns the size of a type, or of the type of an expression, which is not read. A name in
// parentheses may be either.
func (ev *evaluator) sizeOf(e *expr.Expr) *object {
	var t *types.Type
	if len(e.Args) == 0 {
		t, _ = ev.typeNamed(e.Name, e.Suffix)
	} else {
		only := evaluator{at: ev.at, index: ev.index, names: ev.names, args: ev.args, types: true}
		o := only.behind(only.eval(e.Args[0]))
		switch {
		case o != nil && o.bits != nil:
			return ev.fail(Damaged("a bit field has no size in bytes"))
		case o != nil:
			t = o.t
		case e.Args[0].Op == expr.Name:
			t, _ = ev.typeNamed(e.Args[0].Name, "")
		default:
			ev.fail(only.err)
		}
	}
	size, ok := types.Size(t)
	if !ok {
		return ev.fail(Damaged("the size of the type is not known"))
	}
	return ev.number(ev.whole(ev.at.word(), true), size)
}

// behind returns what a reference refers to, and other objects as they are.
func (ev *evaluator) behind(o *object) *object {
	if o != nil && o.t != nil && (o.t.Kind == types.Reference || o.t.Kind == types.RValueReference) {
		return ev.element(o, 0)
	}
	return o
}

// pointee returns what a pointer, or an object that holds one, points to.
func (ev *evaluator) pointee(o *object) *object {
	if o.t == nil || !expands(o.t) {
		return ev.element(o, 0)
	}
	for _, name := range []string{"pointer", "Value", "item"} { // as readers of libraries name it
		if in := ev.child(o, func(c *Value) *Value { return c.when(c.Name == name) }); in != nil && name == "pointer" {
			return ev.element(in, 0)
		} else if in != nil {
			return in
		}
	}
	return ev.fail(Damaged("a value of type %s is no pointer", types.Spell(o.t)))
}

// contained returns an element of a container by its index, or a value by its key.
func (ev *evaluator) contained(o, at *object) *object {
	want := at.plain()
	n, isIndex := at.integer()
	if isIndex && n >= 0 && n < maxStride {
		defer func(was int) { o.r.limits.Elements = was }(o.r.limits.Elements)
		o.r.limits.Elements = max(o.r.limits.Elements, int(min(n+1, int64(o.r.limits.Values))))
	}
	found := ev.child(o, func(c *Value) *Value {
		if pair := c.Children; len(pair) > 1 && (pair[0].Name == "key" || pair[0].Name == "first") {
			return pair[1].when(want != "" && pair[0].Said && unaddressed(pair[0].Text) == want)
		}
		return c.when(isIndex && n >= 0 && c.Name == index(uint64(n)))
	})
	if found == nil {
		return ev.fail(Damaged("the value of type %s has no such element", types.Spell(o.t)))
	}
	return found
}

// child reads an object as a library's reader does, and returns the part in memory that a function picks.
func (ev *evaluator) child(o *object, pick func(*Value) *Value) *object {
	for _, c := range o.r.value(o.v, o.t, o.r.limits.Depth).Children {
		if c.Raw {
			continue
		}
		if c = pick(c); c != nil && c.t != nil {
			return o.in(c.at, c.t)
		}
	}
	return nil
}

// when is v if that holds, and nil otherwise.
func (v *Value) when(holds bool) *Value {
	if holds {
		return v
	}
	return nil
}

// member returns a member by its name. Those of Rust's tuples are numbers.
func (ev *evaluator) member(o *object, name string) *object {
	if o == nil {
		return nil
	}
	found := o.one(name, into(12))
	if found == nil && name[0] >= '0' && name[0] <= '9' {
		found = o.one("__"+name, into(12))
	}
	if found == nil {
		return ev.fail(Damaged("a value of type %s has no member %s", types.Spell(o.t), name))
	}
	return found
}

// element returns the i-th element of an array, or behind a pointer.
func (ev *evaluator) element(o *object, i int64) *object {
	if o == nil {
		return nil
	}
	if o.t == nil {
		return ev.fail(Damaged("a value of type void has no elements"))
	}
	isArray := o.t.Kind == types.Array
	t := o.element()
	if refers(o.t) {
		t = o.t.Elem.Get()
	}
	if isArray {
		var count types.Count
		t, count = o.r.rows(o.t)
		i -= count.Low
	}
	size := int64(sizeOf(t))
	switch {
	case t == nil:
		return ev.fail(Damaged("a value of type %s is no pointer and no array", types.Spell(o.t)))
	case i != 0 && (size == 0 || max(i, -i) < 0 || max(i, -i) > maxStride/size):
		return ev.fail(Damaged("there is no element %d of %d bytes", i, size))
	case i < 0 && (ev.names == nil || isArray && !o.v.memory):
		return ev.fail(Damaged("there is no element %d", i))
	case isArray:
		part := *o
		part.v, part.is, part.t = o.v.at(uint64(i*size)), t, types.Strip(t)
		return &part
	}
	at, ok := ev.read(o)
	switch {
	case !ok:
		return nil
	case at == 0 && !ev.types && !ev.place:
		return ev.fail(Damaged("the pointer is null"))
	}
	return o.in(at+uint64(i*size), t)
}

// repeated is an array of adjacent values, of which the first is an object.
func (ev *evaluator) repeated(o *object, n, low int64) *object {
	switch {
	case o == nil:
		return nil
	case !o.v.memory || o.bits != nil:
		return ev.fail(Damaged("the value is not in memory"))
	case n < 0 || n > maxStride/int64(max(sizeOf(o.t), 1)):
		return ev.fail(Damaged("an array of %d values", n))
	}
	elem := o.declared()
	return o.in(o.v.addr, &types.Type{Kind: types.Array, Elem: func() *types.Type { return elem }, Counts: []types.Count{{N: uint64(n), Known: true, Low: low}}})
}

// address is a pointer to an object. A bit field or a value in a register has none.
func (ev *evaluator) address(o *object) *object {
	if !o.v.memory || o.bits != nil {
		return ev.fail(Damaged("the value is not in memory, and has no address"))
	}
	return ev.number(o.pointerTo(o.declared()), o.v.addr)
}

func (o *object) pointerTo(t *types.Type) *types.Type {
	out := &types.Type{Kind: types.Pointer, Elem: func() *types.Type { return t }, Language: types.CPlusPlus, Size: o.word(), Sized: true}
	if t := types.Strip(t); t != nil {
		out.Language = t.Language
	}
	return out
}

// declared is the type of an object with its typedefs.
func (o *object) declared() *types.Type {
	if o.is != nil {
		return o.is
	}
	return o.t
}

// value reads an object; nil for none. One of a bit field is a number.
func (o *object) value() *Value {
	switch {
	case o == nil:
		return nil
	case o.bits != nil:
		out := &Value{Type: types.Spell(o.declared())}
		o.r.bitField(out, o.v, o.bits, o.t)
		return out
	}
	return o.r.value(o.v, o.declared(), o.depth-1)
}
