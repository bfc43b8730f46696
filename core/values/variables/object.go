package variables

import (
	"strings"

	"crashglass/core/values/types"
)

// An object is a value with its type, or a part of one.
type object struct {
	r     *reader     // with the budget of the frame
	v     view        // its bytes
	t     *types.Type // stripped of typedefs; nil if it is unknown
	out   *Value      // what is being filled, also for a part
	depth int         // levels of members that may still be read

	bits *types.Member // it is this bit field of what is at v
	is   *types.Type   // with typedefs; nil for t
}

// field finds a member by a path of names, also in bases. Of several paths, separated by "|", the
// first one that exists is used. "#name" is a base with that prefix. It returns nil if there is
// none.
func (o *object) field(paths string) *object {
	for path := range strings.SplitSeq(paths, "|") {
		if at := o.follow(path); at != nil {
			return at
		}
	}
	return nil
}

// follow finds a member by the names of a path, each within the one before.
func (o *object) follow(path string) *object {
	at := o
	for name := range strings.SplitSeq(path, ".") {
		if at == nil {
			return nil
		}
		at = at.one(name, into(12))
	}
	return at
}

// one finds a member by its name: first among the object's own members, then in its bases and in
// anonymous structures and unions.
func (o *object) one(name string, d descent) *object {
	if !d.enters(o.t) {
		return nil
	}
	base, isBase := strings.CutPrefix(name, "#")
	for i := range o.t.Members {
		m := &o.t.Members[i]
		if m.Static || m.Virtual {
			continue
		}
		if isBase && m.Base && isNumbered(types.Named(m.Type.Get()), base) || !isBase && m.Name == name && !m.Base {
			return o.member(m)
		}
	}
	for i := range o.t.Members {
		m := &o.t.Members[i]
		if m.Static || !m.Base && m.Name != "" {
			continue
		}
		part, err := o.member(m), error(nil)
		if m.Virtual {
			part.v, err = o.r.memberView(o.v, m)
		}
		if found := part.one(name, d.deeper()); found != nil && err == nil {
			return found
		}
	}
	return nil
}

// isNumbered reports whether a name begins with exactly the given number; Clang writes 0UL.
func isNumbered(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	return ok && strings.HasPrefix(strings.TrimLeft(rest, "UL"), ",")
}

// member returns the object of a member. A bit field stays at the beginning of its structure, because
// its offset counts in bits from there.
func (o *object) member(m *types.Member) *object {
	part := &object{r: o.r, v: o.v, t: types.Strip(m.Type.Get()), is: m.Type.Get(), out: o.out, depth: o.depth}
	if m.Bits > 0 {
		part.bits = m
	} else {
		part.v = o.v.at(m.Offset)
	}
	return part
}

// pointee returns the object behind a pointer, with the pointer's type; nil if it is unknown.
func (o *object) pointee() *object {
	at, ok := o.uint()
	if !ok || at == 0 || o.t.Kind != types.Pointer {
		return nil
	}
	return o.in(at, o.t.Elem.Get())
}

// in returns an object of a type in memory.
func (o *object) in(addr uint64, t *types.Type) *object {
	at := view{memory: true, addr: addr & o.r.frame.Arch.Mask()}
	return &object{r: o.r, v: at, t: types.Strip(t), is: t, out: o.out, depth: o.depth}
}

// uint reads a number, or the address in a pointer.
func (o *object) uint() (uint64, bool) {
	if o == nil || o.t == nil {
		return 0, false
	}
	n, err := o.whole()
	return n, err == nil
}

// whole is uint with the reason why it is unknown.
func (o *object) whole() (uint64, error) {
	size, ok := types.Size(o.t)
	switch {
	case o.bits != nil && o.bits.Bits <= 64:
		return o.r.bits(o.v, o.bits)
	case refers(o.t) && o.bits == nil:
		return o.r.address(o.v, o.t)
	case !ok || size == 0 || size > 8:
		return 0, Damaged("a number of %d bytes", size)
	}
	b, err := o.r.get(o.v, size)
	if err != nil {
		return 0, err
	}
	return o.r.frame.Number(b), nil
}

// number is uint of a member.
func (o *object) number(path string) (uint64, bool) { return o.field(path).uint() }

// A num is a number to be read: where it is, and where it goes.
type num struct {
	path string
	to   *uint64
}

// numbers reads several members that are numbers, and reports whether there are all.
func (o *object) numbers(list ...num) (ok bool) {
	for _, n := range list {
		if *n.to, ok = o.part(n.path).uint(); !ok {
			return false
		}
	}
	return true
}

// arg returns the i-th template argument, if it is a type.
func (o *object) arg(i int) *types.Type {
	if o == nil || o.t == nil {
		return nil
	}
	for _, a := range o.t.Args {
		if a.Value != nil {
			continue
		}
		if i == 0 {
			return a.Type.Get()
		}
		i--
	}
	return nil
}

// sizeOf returns the size of a type, 0 if it is unknown.
func sizeOf(t *types.Type) uint64 {
	n, _ := types.Size(t)
	return n
}

func (o *object) word() uint64 { return uint64(o.r.frame.Arch.Word) }

func (o *object) load(addr uint64) (uint64, bool) {
	var b [8]byte
	if !o.r.load(addr, b[:o.word()]) {
		return 0, false
	}
	return o.r.frame.Number(b[:o.word()]), true
}

// align returns the alignment of a type, at most 16.
func (o *object) align(t *types.Type, d descent) uint64 {
	t = types.Strip(t)
	if !d.enters(t) {
		return 1
	}
	switch t.Kind {
	case types.Array:
		return o.align(t.Elem.Get(), d.deeper())
	case types.Struct, types.Class, types.Union:
		most := uint64(1)
		for i := range t.Members {
			if m := &t.Members[i]; !m.Static {
				most = max(most, o.align(m.Type.Get(), d.deeper()))
			}
		}
		return most
	}
	// A scalar is aligned to its size; a long double of 12 bytes, to 8 before the next rule.
	size := min(max(sizeOf(t), 1), 16)
	for size&(size-1) != 0 {
		size &= size - 1
	}
	if o.word() == 4 && o.r.frame.Arch.Is386() && !o.r.frame.Windows {
		size = min(size, 4) // System V ABI for i386, figure 2.1
	}
	return size
}

// behind rounds an offset up to the alignment of a type.
func (o *object) behind(off uint64, t *types.Type) uint64 {
	a := o.align(t, into(8))
	return (off + a - 1) / a * a
}

// A descent bounds a search through the members and bases of a type, by depth and by the number of
// members. In a damaged file a class may be its own base, many times.
type descent struct {
	left int
	room *int
}

// maxDescent is more members than a class has together with its bases.
const maxDescent = 1 << 14

// into begins a descent of at most depth levels.
func into(depth int) descent {
	room := maxDescent
	return descent{depth, &room}
}

// enters reports whether the search may enter the members of a type.
func (d descent) enters(t *types.Type) bool {
	if t == nil || d.left == 0 || *d.room <= 0 {
		return false
	}
	*d.room -= 1 + len(t.Members)
	return true
}

// deeper is the descent one level further. All levels share the room.
func (d descent) deeper() descent { return descent{d.left - 1, d.room} }
