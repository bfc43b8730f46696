package variables

import (
	"cmp"

	"crashglass/core/values/types"
)

// Most types of libraries have one of a few shapes. A row of a library's table names the shape and
// the members; a path with "|" has the names of several versions.

// chars is a string: a pointer to its characters, and their number.
func chars(data, size string) func(*object) bool {
	return func(o *object) bool {
		p := o.field(data)
		at, ok := p.uint()
		n, okN := o.number(size)
		return ok && okN && o.text(at, n, p.element())
	}
}

// bytesOf is a string of UTF-8: a pointer to its bytes, and their number.
func bytesOf(data, size string) func(*object) bool {
	return func(o *object) bool {
		at, ok := o.number(data)
		n, okN := o.number(size)
		return ok && okN && o.utf8(at, n)
	}
}

// utf8 reads a string of n bytes.
func (o *object) utf8(at, n uint64) bool {
	return o.text(at, n, &types.Type{Kind: types.Char, Size: 1, Sized: true})
}

// packed is an array of bits: a pointer to words of the given size, 0 for that of an address, the number of bits, and that of words, which may be missing.
func packed(data, size, room string, word uint64) func(*object) bool {
	return func(o *object) bool {
		at, ok := o.number(data)
		n, okN := o.number(size)
		w := cmp.Or(word, o.word())
		if words, ok := o.number(room); ok && okN && words <= maxStride && o.exceeds(n, 8*w*words) {
			return true
		}
		return ok && okN && o.bitsAt(at, n, w)
	}
}

// counted is an array: a pointer to its first element, and their number.
func counted(data, size string) func(*object) bool {
	return func(o *object) bool {
		p := o.field(data)
		at, ok := p.uint()
		n, okN := o.number(size)
		return ok && okN && o.run(at, n, p.element())
	}
}

// extent is counted, but a fixed number of elements is a template argument: std::span<int, 4>.
func extent(data, size string) func(*object) bool {
	return func(o *object) bool {
		p := o.field(data)
		at, ok := p.uint()
		n, okN := o.number(size)
		// A span of a fixed size has no member for it.
		if !okN && len(o.t.Args) > 1 && o.t.Args[1].Value != nil {
			n, okN = uint64(*o.t.Args[1].Value), true
		}
		return ok && okN && o.run(at, n, p.element())
	}
}

// ranged is an array: pointers to its first element, to the end of its elements, and to the end of
// its capacity.
func ranged(begin, end, room string) func(*object) bool {
	return func(o *object) bool { return o.span(begin, end, room, o.field(begin).element()) }
}

// span is ranged with the type of the elements.
func (o *object) span(begin, end, room string, t *types.Type) bool {
	var from, to, limit uint64
	var okL bool
	ok := o.numbers(num{begin, &from}, num{end, &to})
	if limit, okL = o.number(room); !okL && !o.v.memory {
		limit, okL = to, true // Clang does not keep what is not used
	}
	switch size := sizeOf(t); {
	case !ok || !okL || size == 0:
		return false
	case to < from:
		return o.inconsistent(nil, "it ends at %#x, before its begin at %#x", to, from)
	case limit < to:
		return o.inconsistent(nil, "it ends at %#x, behind the end of its memory at %#x", to, limit)
	case (to-from)%size != 0 || (limit-from)%size != 0:
		return o.inconsistent(nil, "its %d bytes, or the %d of its memory, are no multiple of %d, the size of an element", to-from, limit-from, size)
	default:
		return o.run(from, (to-from)/size, t)
	}
}

// element returns the target type of a pointer, or the element type of an array.
func (o *object) element() *types.Type {
	if o == nil || o.t == nil || o.t.Kind != types.Pointer && o.t.Kind != types.Array {
		return nil
	}
	return o.t.Elem.Get()
}

// memberArray is an array within the object.
func memberArray(path string) func(*object) bool {
	return func(o *object) bool {
		elements := o.field(path)
		if len(o.t.Args) > 1 && o.t.Args[1].Value != nil && *o.t.Args[1].Value == 0 { // it has room for one
			o.out.Content = Empty
			return true
		}
		if elements == nil || elements.t == nil || elements.t.Kind != types.Array || o.depth <= 0 {
			return false
		}
		o.r.array(o.out, elements.v, elements.t, o.depth)
		return true
	}
}

// through shows a value as one of its members: an atomic number as the number.
func through(path string) func(*object) bool {
	return func(o *object) bool { return o.as(o.field(path)) }
}

// maxThrough bounds the nesting of through, because types of a damaged file may contain themselves.
const maxThrough = 16

// as replaces the value by that of a part.
func (o *object) as(part *object) bool {
	if part == nil || part.t == nil || part.bits != nil || o.r.through >= maxThrough {
		return false
	}
	o.r.through++
	v := o.r.value(part.v, part.t, o.depth)
	o.r.through--
	v.Type = o.out.Type // the type that the user declared, and not that of the part
	*o.out = *v
	return v.State.shown()
}

// handle is a pointer that owns its object, or observes its lifetime.
func handle(path string) func(*object) bool {
	return func(o *object) bool { return o.pointer(o.field(path)) }
}

// pointer adds a pointer, and the object behind it.
func (o *object) pointer(p *object) bool {
	return p != nil && p.t != nil && o.expanded("pointer", p, p.t)
}

// expanded adds a part under a name. A pointer to a structure gets the members of the structure.
func (o *object) expanded(name string, part *object, t *types.Type) bool {
	c := o.r.value(part.v, t, o.depth-1)
	c.named(name)
	o.out.Children = append(o.out.Children, c)
	to := part.pointee()
	if to != nil && to.t != nil && expands(to.t) && o.depth > 1 && c.State == Known && len(c.Children) == 0 {
		addr, of := o.r.dynamic(to.v.addr, to.t)
		o.r.pointee(c, view{memory: true, addr: addr}, types.Strip(of), o.depth-1)
	}
	return true
}

// maybe is an optional value with a flag. The flag is a bool, of which more than 1 is damage.
func maybe(flag, value string) func(*object) bool {
	return func(o *object) bool {
		there, ok := o.number(flag)
		part := o.field(value)
		switch {
		case !ok || part == nil:
			return false
		case there > 1:
			return o.inconsistent(nil, "whether it has a value is %d, and neither 0 nor 1", there)
		}
		return o.optional(there != 0, part)
	}
}

// alternatives is a variant, whose alternatives all begin at one address.
func alternatives(index, storage string) func(*object) bool {
	return func(o *object) bool {
		which := o.field(index)
		i, ok := which.uint()
		value := o.field(storage)
		switch {
		case !ok || value == nil || len(o.t.Args) == 0 || i == ^uint64(0)>>(64-8*sizeOf(which.t)): // valueless by an exception
			return false
		case i >= uint64(len(o.t.Args)):
			return o.inconsistent(nil, "its alternative is %d of %d", i, len(o.t.Args))
		}
		value.t = types.Strip(o.arg(int(i)))
		return o.child("Value", value)
	}
}

// optional is a value that may be missing.
func (o *object) optional(there bool, value *object) bool {
	if !there {
		o.out.Content = NoValue
		return true
	}
	return o.child("Value", value)
}

// nodes is a list of nodes up to an end. The pointer at leads to the first, and gives the type of nodes.
// Each node has a link to the next one, perhaps one back, and a value.
func (o *object) nodes(at *object, end uint64, n *uint64, next, back, value string) bool {
	first, ok := at.uint()
	t := at.element()
	link := func(name string) func(uint64) (uint64, bool) {
		return func(at uint64) (uint64, bool) { return o.in(at, t).part(name).uint() }
	}
	l := links{first: first, end: end, size: n, next: link(next), push: func(at uint64) bool { return o.node(o.in(at, t).part(value)) }}
	if back != "" {
		l = o.twoWay(l, end, link(back))
	}
	return ok && o.linked(l)
}

// part is field for an object that may be nil.
func (o *object) part(path string) *object {
	if o == nil {
		return nil
	}
	return o.field(path)
}

// node adds the value of a node. It reports false if it was not captured, or at the limit.
func (o *object) node(value *object) bool {
	return value != nil && value.v.memory && o.captured(value.v.addr) && o.push(value.v.addr, value.t)
}
