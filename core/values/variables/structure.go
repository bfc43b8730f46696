package variables

import (
	"slices"

	"crashglass/core/values/types"
)

// structure reads a structure by its meaning in a library, if that is known, and otherwise by its
// members.
func (r *reader) structure(out *Value, v view, t *types.Type, depth int) {
	if r.viewed(out, v, t, depth) || r.wellKnown(out, v, t, depth) {
		return
	}
	if depth <= 0 && (len(t.Members) > 0 || t.Variants != nil) {
		out.fail(r.tooDeep())
		return
	}
	r.members(out, v, t, depth)
}

// tooDeep is the error of a value beyond the depth limit.
func (r *reader) tooDeep() *Error {
	return Damaged("members are nested more than %d deep", r.limits.Depth)
}

// members reads bases and members one by one.
func (r *reader) members(out *Value, v view, t *types.Type, depth int) {
	if depth <= 0 {
		return
	}
	if v.memory && t.Sized {
		out.object = Extent{v.addr, t.Size}
	}
	for i := range t.Members {
		m := &t.Members[i]
		if m.Static || m.Artificial || m.Base && empty(types.Strip(m.Type.Get()), into(16)) {
			continue
		}
		if r.values <= 0 {
			out.More++
			continue
		}
		out.Children = append(out.Children, r.member(v, m, depth-1))
	}
	if t.Variants != nil {
		r.variant(out, v, t, depth)
	}
}

// empty reports whether objects of a base class have nothing to show.
func empty(t *types.Type, d descent) bool {
	if !d.enters(t) || t.Variants != nil || t.Incomplete || t.Kind != types.Struct && t.Kind != types.Class {
		return false
	}
	for i := range t.Members {
		m := &t.Members[i]
		if !m.Static && !m.Artificial && !(m.Base && empty(types.Strip(m.Type.Get()), d.deeper())) {
			return false
		}
	}
	return true
}

func (r *reader) member(v view, m *types.Member, depth int) *Value {
	t := m.Type.Get()
	out := &Value{Type: types.Spell(t)}
	was := r.inArray
	r.inArray = false
	defer func() { r.inArray = was }()
	switch at, err := r.memberView(v, m); {
	case err != nil:
		r.values--
		out.fail(asError(err))
	case m.Bits > 0:
		r.values--
		r.bitField(out, v, m, t)
	default:
		out = r.value(at, t, depth)
	}
	if out.named(m.Name); m.Base && m.Name == "" {
		out.named(types.Named(t))
	}
	return out
}

// memberView returns the bytes of a member.
func (r *reader) memberView(v view, m *types.Member) (view, error) {
	if !m.Virtual {
		return v.at(m.Offset), nil
	}
	off, err := r.virtualOffset(v, m)
	return v.at(off), err
}

// virtualOffset finds a virtual base by the vtable of the object.
func (r *reader) virtualOffset(v view, m *types.Member) (uint64, error) {
	if !m.VBase.Known {
		return 0, Damaged("where a virtual base is depends on what is not supported")
	}
	if m.VBase.Table {
		return r.tableOffset(v, &m.VBase)
	}
	word := r.frame.Arch.Word
	b, err := r.get(v, uint64(word))
	if err != nil {
		return 0, err
	}
	off, err := r.vtableWord(r.frame.Number(b) + uint64(m.VBase.Slot))
	return uint64(extend(off, 8*uint64(word))), err
}

func (r *reader) bitField(out *Value, v view, m *types.Member, t *types.Type) {
	t = types.Strip(t)
	if t == nil || m.Bits > 64 {
		out.fail(Damaged("a bit field of %d bits", m.Bits))
		return
	}
	n, err := r.bits(v, m)
	if err != nil {
		out.fail(asError(err))
		return
	}
	if hasSign(t) || t.Kind == types.Enum && isSigned(t) {
		n = uint64(extend(n, m.Bits))
	}
	size := min(max(t.Size, 1), 8)
	if t.Kind == types.Enum { // the value was extended, and so are the enumerators
		size = 8
	}
	out.say(r.number(n, size, t))
}

// bits reads the bits of a member, at most 64.
func (r *reader) bits(v view, m *types.Member) (n uint64, err error) {
	first, last := m.BitOffset/8, (m.BitOffset+m.Bits-1)/8
	b, err := r.get(v.at(first), last-first+1)
	if err != nil {
		return 0, err
	}
	for i := range m.Bits {
		bit := m.BitOffset + i - 8*first
		if r.frame.BigEndian {
			n = n<<1 | uint64(b[bit/8]>>(7-bit%8)&1)
		} else {
			n |= uint64(b[bit/8]>>(bit%8)&1) << i
		}
	}
	return n, nil
}

// hasSign reports whether numbers of a type have a sign. Whether char has one depends on the CPU, and
// debug information says it.
func hasSign(t *types.Type) bool {
	return t.Kind == types.Signed || (t.Kind == types.Char || t.Kind == types.Wide) && t.Minus
}

// isSigned reports whether the enumerators of an enumeration have a sign, by its base type.
func isSigned(enum *types.Type) bool {
	base := types.Strip(enum.Elem.Get())
	return base != nil && hasSign(base)
}

// variant reads the active alternative of an object.
func (r *reader) variant(out *Value, v view, t *types.Type, depth int) {
	chosen, err := r.chooseVariant(v, t.Variants)
	if err != nil {
		out.fail(asError(err))
		return
	}
	child := r.member(v, &chosen.Member, depth-1)
	out.say(chosen.Member.Name)
	if len(child.Children) > 0 || child.State != Known {
		out.Children = append(out.Children, child)
	}
}

// chooseVariant returns the active variant of an object, by its discriminant. Rust has discriminants
// of up to 128 bits, and none for an enumeration with one variant.
func (r *reader) chooseVariant(v view, vs *types.Variants) (*types.Variant, error) {
	n := uint64(0)
	if vs.Discr != nil {
		size, ok := types.Size(vs.Discr.Type.Get())
		if !ok || size > 16 {
			return nil, Damaged("the discriminant's size is not known")
		}
		b, err := r.get(v.at(vs.Discr.Offset), size)
		if err != nil {
			return nil, err
		}
		// Discriminants of 128 bits are compared as 64 bits if the upper half is 0.
		if b = r.highestFirst(b); size > 8 && slices.Max(b[:size-8]) > 0 {
			return noneOf(vs)
		}
		n = 0
		for _, digit := range b[max(0, int(size)-8):] {
			n = n<<8 | uint64(digit)
		}
		if size > 0 && size < 8 {
			return pick(vs, n, ^uint64(0)>>(64-8*size))
		}
	}
	return pick(vs, n, ^uint64(0))
}

// noneOf finds the default variant for a discriminant of more than 64 bits. No other variant can
// match, because their values have fewer bits or could not be read.
func noneOf(vs *types.Variants) (*types.Variant, error) {
	for i := range vs.List {
		for _, r := range vs.List[i].Values {
			if r.Low > r.High {
				return nil, Damaged("a discriminant of more than 64 bits")
			}
		}
	}
	return pick(&types.Variants{List: slices.DeleteFunc(slices.Clone(vs.List), func(v types.Variant) bool { return len(v.Values) > 0 })}, 0, 0)
}

// pick finds the variant of a discriminant. Values are compared with the discriminant's number of
// bits.
func pick(vs *types.Variants, n, mask uint64) (*types.Variant, error) {
	var other *types.Variant
	for i := range vs.List {
		variant := &vs.List[i]
		if len(variant.Values) == 0 {
			other = variant
		}
		for _, r := range variant.Values {
			if low, high := r.Low&mask, r.High&mask; low <= n && n <= high {
				return variant, nil
			}
		}
	}
	if other == nil {
		return nil, Damaged("the discriminant %d is of no variant", n)
	}
	return other, nil
}
