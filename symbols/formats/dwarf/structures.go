package dwarf

import (
	"slices"

	"crashglass/core/values/types"
)

// maxMembers bounds the members of a structure, and what an enumeration names.
const maxMembers = 1 << 14

// structures are the kinds of types by tag. An interface is a class here.
var structures = map[uint16]types.Kind{tagStruct: types.Struct, tagClass: types.Class, tagUnion: types.Union, tagInterface: types.Class}

func (d *die) structure() *types.Type {
	t := &types.Type{Kind: structures[d.tag], Name: d.fullName(), Incomplete: d.flag(atDeclaration)}
	if t.Incomplete {
		t.Complete = d.definition(t.Name)
		return t
	}
	if v := d.get(atContaining); v.set() && d.n.languageOf() == types.Rust {
		t.Class = d.n.typeRef(v)
	}
	d.each(func(c *die) int {
		if len(t.Members) >= maxMembers {
			return stop
		}
		switch c.tag {
		case tagMember, tagInheritance, tagVariable:
			t.Members = append(t.Members, c.member())
		case tagVariantPart:
			t.Variants = c.variants()
		case tagTypeArg, tagValueArg:
			t.Args = append(t.Args, c.argument())
		case tagGNUPack:
			return c.each(func(p *die) int {
				if len(t.Args) < maxMembers {
					t.Args = append(t.Args, p.argument())
				}
				return 0
			})
		}
		return 0
	})
	return t
}

// member reads a member or a base class (sections 5.7.3 and 5.7.6).
func (d *die) member() types.Member {
	m := types.Member{
		Name: d.text(atName), Type: d.elem(), Base: d.tag == tagInheritance, Artificial: d.flag(atArtificial),
		Static: d.tag == tagVariable || d.flag(atDeclaration) || d.flag(atExternal),
	}
	m.Virtual = m.Base && d.flag(atVirtuality)
	d.memberPlace(&m)
	if bits, ok := d.number(atBitSize); ok && bits > 0 {
		d.bitField(&m, bits)
	}
	return m
}

// memberPlace reads where a member is: a number or, in version 2, an expression.
func (d *die) memberPlace(m *types.Member) {
	at := d.get(atMemberAt)
	if n, ok := d.n.constant(at); ok {
		m.Offset = n
		return
	}
	expr, ok := d.n.block(at)
	if !ok {
		return
	}
	r := buffer{b: expr, big: d.n.group.big}
	var ops []operation
	for r.len() > 0 && len(ops) < 8 {
		o, ok := d.n.operation(&r)
		if !ok {
			break
		}
		ops = append(ops, o)
	}
	switch {
	case len(ops) == 1 && ops[0].code == opPlusUconst:
		m.Offset = ops[0].a
	case m.Virtual:
		m.VBase = virtualBase(ops)
	default:
		m.Virtual = true // its offset depends on the object, by an expression that is not supported
	}
}

// virtualBase reads how GCC and Clang say where a virtual base is: at an offset
// that lies so many bytes before what the pointer to the vtable leads to.
func virtualBase(ops []operation) (v types.VBase) {
	if len(ops) != 6 || ops[0].code != opDup || ops[1].code != opDeref || ops[4].code != opDeref || ops[5].code != opPlus {
		return v
	}
	n := ops[2]
	switch c := n.code; {
	case c >= opLit0 && c < opLit0+32:
		v.Slot = int64(c - opLit0)
	case c == opConstu || c == opConst1u || c == opConst2u || c == opConst4u || c == opConst1s || c == opConsts:
		v.Slot = int64(n.a)
	default:
		return v
	}
	switch ops[3].code {
	case opMinus:
		v.Slot = -v.Slot
	case opPlus:
	default:
		return types.VBase{}
	}
	v.Known = true
	return v
}

// bitField reads where the bits of a member are (section 5.7.6). Up to version
// 3 they count from the most significant bit of storage of a size.
func (d *die) bitField(m *types.Member, bits uint64) {
	m.Bits = bits
	if at, ok := d.number(atDataBits); ok {
		m.BitOffset = at
		return
	}
	old, ok := d.number(atBitOffset)
	if !ok {
		m.BitOffset = 8 * m.Offset
		return
	}
	storage, ok := d.number(atByteSize)
	if !ok {
		storage, _ = types.Size(m.Type.Get())
	}
	m.BitOffset = 8*m.Offset + old
	if !d.n.group.big {
		m.BitOffset = 8*m.Offset + 8*storage - old - bits
	}
}

// variants reads the alternatives of a Rust enum (section 5.7.10).
func (d *die) variants() *types.Variants {
	v := &types.Variants{}
	if discr, ok := d.n.follow(d.get(atDiscr)); ok {
		m := discr.member()
		v.Discr = &m
	}
	d.each(func(c *die) int {
		if c.tag == tagVariant && len(v.List) < maxMembers {
			v.List = append(v.List, c.alternative())
		}
		return 0
	})
	return v
}

// alternative reads one variant (section 5.7.10): the values of the discriminant, none for the default one,
// and its member.
func (d *die) alternative() types.Variant {
	var out types.Variant
	if n, ok := d.discriminant(); ok {
		out.Values = []types.Range{{Low: n, High: n}}
	} else if b, ok := d.n.block(d.get(atDiscrList)); ok {
		out.Values = d.discriminants(b)
	} else if d.get(atDiscrValue).set() {
		out.Values = []types.Range{{Low: 1, High: 0}} // a value that cannot be read matches no variant
	}
	d.each(func(c *die) int {
		if c.tag == tagMember {
			out.Member = c.member()
			return stop
		}
		return 0
	})
	return out
}

// discriminant is the value that a variant has. rustc writes those of 128 bits
// as blocks.
func (d *die) discriminant() (n uint64, ok bool) {
	at := d.get(atDiscrValue)
	b, ok := d.n.block(at)
	if !ok {
		return d.n.constant(at)
	}
	if !d.n.group.big {
		b = slices.Clone(b)
		slices.Reverse(b)
	}
	for _, digit := range b {
		if n>>56 != 0 {
			return 0, false
		}
		n = n<<8 | uint64(digit)
	}
	return n, true
}

// discriminants reads a list of values and ranges (DW_DSC, section 7.23).
func (d *die) discriminants(b []byte) (out []types.Range) {
	r := buffer{b: b, big: d.n.group.big}
	for r.len() > 0 && len(out) < maxMembers {
		kind := r.u8()
		low := r.uleb()
		high := low
		if kind == 1 {
			high = r.uleb()
		}
		out = append(out, types.Range{Low: low, High: high})
	}
	return out
}

func (d *die) enumeration() *types.Type {
	t := &types.Type{Kind: types.Enum, Name: d.fullName(), Elem: d.elem(), Incomplete: d.flag(atDeclaration)}
	if t.Incomplete {
		t.Complete = d.definition(t.Name)
		return t
	}
	if _, ok := d.number(atByteSize); !ok {
		t.Size, t.Sized = types.Size(t.Elem.Get())
	}
	d.each(func(c *die) int {
		if v := c.get(atConstValue); c.tag == tagEnumerator && v.set() && len(t.Enumerators) < maxMembers {
			if n, ok := c.n.constant(v); ok {
				t.Enumerators = append(t.Enumerators, types.Enumerator{Name: c.text(atName), Value: int64(n)})
			}
		}
		return 0
	})
	return t
}

func (d *die) argument() types.Argument {
	out := types.Argument{Name: d.text(atName), Type: d.elem()}
	if n, ok := d.number(atConstValue); ok && d.tag == tagValueArg {
		v := int64(n)
		out.Value = &v
	}
	return out
}
