package pdb

import (
	"strings"

	"crashglass/core/values/types"
)

var structKinds = map[uint16]types.Kind{
	leafClass: types.Class, leafClass2: types.Class, leafInterface: types.Class, leafInterface2: types.Class,
	leafStruct: types.Struct, leafStruct2: types.Struct, leafUnion: types.Union, leafUnion2: types.Union,
}

// structure makes a structure, class or union.
func (m *modeling) structure() *types.Type {
	t := &m.t
	out := &types.Type{Kind: structKinds[t.kind], Name: typeName(t.name, m.l), Size: t.size, Sized: !t.forward, Incomplete: t.forward}
	if t.forward {
		return out
	}
	out.Args = m.arguments(t.name)
	if m.l == types.Rust && out.Kind == types.Union && strings.HasPrefix(t.name, rustEnum) {
		m.variants(out)
		return out
	}
	m.f.eachField(t.fields, func(d *field) bool {
		if member, ok := m.member(d); ok {
			out.Members = append(out.Members, member)
		}
		return true
	})
	return out
}

// member makes a member of a field. Methods, nested types and friends are none;
// virtual bases of bases are shown where those are.
func (m *modeling) member(d *field) (out types.Member, ok bool) {
	out = types.Member{Name: d.name, Type: m.ref(d.typ), Offset: d.off}
	switch d.kind {
	case fieldMember:
		m.bitField(&out, d)
	case fieldStatic:
		out.Static = true
	case fieldBase, fieldInterface:
		out.Base = true
	case fieldVBase:
		out.Base, out.Virtual = true, true
		out.VBase = m.virtualBase(d)
	case fieldVTable, fieldVTableAt:
		out.Name, out.Artificial = "__vfptr", true
	default:
		return out, false
	}
	return out, true
}

// virtualBase says where the offset of a virtual base is. LLVM writes the number
// of a word before the Itanium C++ ABI's vtable as the number of an entry; the
// decorated name of the class tells which ABI it has.
func (m *modeling) virtualBase(d *field) types.VBase {
	if d.index >= maxFields || d.vbptr >= maxObject {
		return types.VBase{}
	}
	if strings.HasPrefix(m.t.unique, "_Z") {
		return types.VBase{Slot: -int64(4 * d.index), Known: true}
	}
	return types.VBase{Slot: int64(4 * d.index), At: d.vbptr, Table: true, Known: true}
}

// bitField reads where the bits of a member are: lfBitfield of cvinfo.h.
func (m *modeling) bitField(out *types.Member, d *field) {
	if d.typ < firstType {
		return
	}
	r, err := m.f.types.find(d.typ)
	if err != nil || r.kind != fieldBits {
		return // a type of its own, or one that is said to be damaged when it is read
	}
	c := r.cursor("bit field")
	of := c.U32()
	out.Bits, out.BitOffset = uint64(c.U8()), 8*d.off+uint64(c.U8())
	m.f.notes.error(c.Err())
	out.Type = m.ref(of)
}
