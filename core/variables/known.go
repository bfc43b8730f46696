package variables

import (
	"strings"

	"crashglass/core/types"
)

// A library's type is read as what it means: a string as its text, a vector as
// its elements. Each reader checks that what it finds can be that, and reports
// false otherwise; then the members stand for themselves.

// A known is a type of a library, by how its name begins.
type known struct {
	prefix string
	read   func(o *object) bool
	raw    bool // the members are shown, too
	text   bool // it is a text, and nothing else
}

// isString reports whether a type is a library's string: a pointer to one is
// shown as its text.
func (r *reader) isString(t *types.Type) bool {
	if t == nil {
		return false
	}
	for _, k := range r.known(t.Language) {
		if strings.HasPrefix(t.Name, k.prefix) {
			return k.text
		}
	}
	return false
}

// known returns the types of a language's libraries. They are made when they are
// asked for: a program that reads no variables must not link their readers.
func (r *reader) known(l types.Language) []known {
	if list, ok := r.libraries[l]; ok {
		return list
	}
	if r.libraries == nil {
		r.libraries = map[types.Language][]known{}
	}
	var list []known
	switch l {
	case types.CPlusPlus:
		list = libstdcxx()
	case types.Rust:
		list = rust()
	case types.Go:
		list = golang()
	}
	r.libraries[l] = list
	return list
}

// wellKnown reads a structure as what a library means by it.
func (r *reader) wellKnown(out *Value, v view, t *types.Type, depth int) bool {
	for _, k := range r.known(t.Language) {
		if !strings.HasPrefix(t.Name, k.prefix) {
			continue
		}
		o := &object{r: r, v: v, t: t, out: out, depth: depth}
		evidence := r.eval.Evidence
		if !k.read(o) {
			*out = Value{Type: out.Type}
			r.eval.Evidence = evidence
			continue
		}
		if k.raw {
			r.rawMembers(out, v, t, depth)
		}
		return true
	}
	return false
}

// rawMembers adds the members that a library's type is made of.
func (r *reader) rawMembers(out *Value, v view, t *types.Type, depth int) {
	var plain Value
	r.members(&plain, v, t, depth)
	for _, c := range plain.Children {
		c.Raw = true
		out.Children = append(out.Children, c)
	}
}

// An object is a value of a known type, or a part of one.
type object struct {
	r     *reader
	v     view
	t     *types.Type
	out   *Value
	depth int
}

// field finds a member by a path of names, in bases, too. "#name" is a base
// whose name begins so. It is nil where there is none.
func (o *object) field(path string) *object {
	at := o
	for name := range strings.SplitSeq(path, ".") {
		if at = at.one(name, 12); at == nil {
			return nil
		}
	}
	return at
}

func (o *object) one(name string, left int) *object {
	if o.t == nil || left == 0 {
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
		if m := &o.t.Members[i]; m.Base && !m.Virtual || m.Name == "" && !m.Static {
			if found := o.member(m).one(name, left-1); found != nil {
				return found
			}
		}
	}
	return nil
}

// isNumbered reports whether a name begins with a number's, and not with that
// of a longer one. Clang writes 0UL.
func isNumbered(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	return ok && strings.HasPrefix(strings.TrimLeft(rest, "UL"), ",")
}

func (o *object) member(m *types.Member) *object {
	return &object{r: o.r, v: o.v.at(m.Offset), t: types.Strip(m.Type.Get()), out: o.out, depth: o.depth}
}

// uint reads a number, or the address in a pointer.
func (o *object) uint() (uint64, bool) {
	if o == nil || o.t == nil {
		return 0, false
	}
	size, ok := types.Size(o.t)
	if !ok || size == 0 || size > 8 {
		return 0, false
	}
	b, err := o.r.get(o.v, size)
	if err != nil {
		return 0, false
	}
	return o.r.frame.Number(b), true
}

// number is uint of a member.
func (o *object) number(path string) (uint64, bool) { return o.field(path).uint() }

// arg is the type that the i-th argument of a template is.
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

// size is how many bytes a type has, 0 where that is not known.
func sizeOf(t *types.Type) uint64 {
	n, _ := types.Size(t)
	return n
}

// word is the size of an address.
func (o *object) word() uint64 { return uint64(o.r.frame.Arch.Word) }

// load reads an address in memory.
func (o *object) load(addr uint64) (uint64, bool) {
	var b [8]byte
	if !o.r.load(addr, b[:o.word()]) {
		return 0, false
	}
	return o.r.frame.Number(b[:o.word()]), true
}

// push adds an element that lies in memory. It reports false where no more are wanted.
func (o *object) push(addr uint64, t *types.Type) bool {
	if len(o.out.Children) >= o.r.limits.Elements || o.r.values <= 0 {
		return false
	}
	if o.depth <= 0 {
		return false
	}
	child := o.r.value(view{memory: true, addr: addr & o.r.frame.Arch.Mask()}, t, o.depth-1)
	child.named(index(uint64(len(o.out.Children))))
	o.out.Children = append(o.out.Children, child)
	return true
}

// sized says how many elements there are, of which some may be left out.
func (o *object) sized(n uint64) bool {
	o.out.say("size=" + unsigned(n))
	o.out.More = n - min(n, uint64(len(o.out.Children)))
	return true
}

// run adds count elements that lie next to each other. It reports false where
// the first is not captured.
func (o *object) run(addr, count uint64, t *types.Type) bool {
	size := sizeOf(t)
	if size == 0 && count > 0 || count > maxStride/max(size, 1) {
		return false
	}
	if count > 0 && !o.captured(addr) {
		return false
	}
	for i := range count {
		if !o.push(addr+i*size, t) {
			break
		}
	}
	return o.sized(count)
}

// captured reports whether a byte is in the dump.
func (o *object) captured(addr uint64) bool {
	var one [1]byte
	return o.r.load(addr, one[:])
}

// child adds a part under a name.
func (o *object) child(name string, part *object) bool {
	if part == nil || part.t == nil {
		return false
	}
	c := o.r.value(part.v, part.t, o.depth-1)
	c.named(name)
	o.out.Children = append(o.out.Children, c)
	return true
}

// text says what a string of count characters holds.
func (o *object) text(addr, count uint64, t *types.Type) bool {
	t = types.Strip(t)
	if t == nil || t.Size == 0 || t.Size > 4 || count > maxStride {
		return false
	}
	b := make([]byte, min(count*t.Size, maxText))
	if len(b) > 0 && !o.r.load(addr, b) {
		return false
	}
	text := prefixOf(t) + o.r.quote(b, t.Size, false)
	if uint64(len(b)) < count*t.Size {
		text += "…"
	}
	o.out.say(text)
	return true
}

// align is the alignment that a type has, at most 16.
func (o *object) align(t *types.Type, left int) uint64 {
	t = types.Strip(t)
	if t == nil || left == 0 {
		return 1
	}
	switch t.Kind {
	case types.Array:
		return o.align(t.Elem.Get(), left-1)
	case types.Struct, types.Class, types.Union:
		most := uint64(1)
		for i := range t.Members {
			if m := &t.Members[i]; !m.Static {
				most = max(most, o.align(m.Type.Get(), left-1))
			}
		}
		return most
	}
	size := min(max(sizeOf(t), 1), 16)
	for size&(size-1) != 0 {
		size &= size - 1
	}
	if o.word() == 4 && o.r.frame.Arch.Name == "x86" && !o.r.frame.Windows {
		size = min(size, 4) // System V ABI for i386, figure 2.1
	}
	return size
}

// behind is an offset at which a type may lie.
func (o *object) behind(off uint64, t *types.Type) uint64 {
	a := o.align(t, 8)
	return (off + a - 1) / a * a
}
