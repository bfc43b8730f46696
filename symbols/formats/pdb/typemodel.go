package pdb

import (
	"cmp"
	"strings"

	"crashglass/core/values/types"
)

// A typeKey is a type of a language: records do not say theirs.
type typeKey struct {
	number   uint32
	language types.Language
}

// maxMade bounds the types that are kept.
const maxMade = 1 << 16

// typeRef leads to a type that a record of unit u names. The file is locked.
func (f *File) typeRef(u *unit, number uint32, l types.Language) types.Ref {
	number, err := f.number(u, number)
	if err != nil {
		f.notes.error(err)
		return func() *types.Type { return damagedType() }
	}
	return f.ref(number, l)
}

func damagedType() *types.Type { return &types.Type{Kind: types.Unknown, Name: "(damaged type)"} }

// ref leads to a type, which is read when it is asked for.
func (f *File) ref(number uint32, l types.Language) types.Ref {
	return func() *types.Type {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.typeNumbered(number, l)
	}
}

// typeNumbered is a type. What it refers to is not read, but for its fields.
func (f *File) typeNumbered(number uint32, l types.Language) *types.Type {
	key := typeKey{number, l}
	if t, ok := f.made[key]; ok {
		return t
	}
	if f.made == nil || len(f.made) >= maxMade {
		f.made = map[typeKey]*types.Type{}
	}
	t := f.makeType(number, l)
	f.made[key] = t
	return t
}

func (f *File) makeType(number uint32, l types.Language) *types.Type {
	if number < firstType {
		return f.baseType(number, l)
	}
	r, err := f.types.find(number)
	var t typ
	if err == nil {
		t, err = parseTyp(r)
	}
	if err != nil {
		f.notes.error(err)
		return damagedType()
	}
	m := &modeling{f: f, l: l, t: f.defined(t)}
	out := m.model()
	out.Language = l
	return out
}

type modeling struct {
	f *File
	l types.Language
	t typ
}

func (m *modeling) ref(number uint32) types.Ref { return m.f.ref(number, m.l) }

// elem leads to what a type is made of; nil is void.
func (m *modeling) elem() types.Ref {
	if m.t.of == 3 {
		return nil
	}
	return m.ref(m.t.of)
}

func (m *modeling) model() *types.Type {
	switch t := &m.t; t.kind {
	case leafModifier, leafModifiers:
		return qualify(&types.Type{Kind: types.Qualified, Elem: m.elem()}, t.isConst, t.volatile)
	case leafPointer:
		return m.pointer()
	case leafProc, leafMethod:
		return m.function()
	case leafArray:
		return m.array()
	case leafClass, leafStruct, leafInterface, leafClass2, leafStruct2, leafInterface2, leafUnion, leafUnion2:
		return m.structure()
	case leafEnum:
		return m.enumeration()
	case leafAlias:
		return &types.Type{Kind: types.Typedef, Name: t.name, Elem: m.elem()}
	}
	return &types.Type{Kind: types.Unknown, Name: cmp.Or(m.t.name, unknownType)}
}

// A record with neither of both is __unaligned: MSVC has no other modifier, and those of HLSL are in shaders.
func qualify(t *types.Type, isConst, isVolatile bool) *types.Type {
	switch {
	case isConst && isVolatile:
		t.Name = "const volatile"
	case isConst:
		t.Name = "const"
	case isVolatile:
		t.Name = "volatile"
	default:
		t.Name = "__unaligned"
	}
	return t
}

// pointerKinds are the kinds by CV_ptrmode_e of cvinfo.h.
var pointerKinds = map[uint8]types.Kind{modeReference: types.Reference, modeRValue: types.RValueReference, modeMember: types.MemberPointer, modeMethod: types.MemberPointer}

func (m *modeling) pointer() *types.Type {
	t := &m.t
	out := &types.Type{Kind: types.Pointer, Elem: m.elem(), Size: uint64(t.bytes), Sized: t.bytes > 0, Language: m.l}
	if kind, ok := pointerKinds[t.mode]; ok {
		out.Kind = kind
	}
	if out.Kind == types.MemberPointer {
		out.Class = m.ref(t.class)
	} else if word := m.f.wordSize(); !out.Sized || out.Size > word {
		out.Size, out.Sized = word, true // LLVM writes the size of what an argument by reference is
	}
	if !t.isConst && !t.volatile {
		return out
	}
	return qualify(&types.Type{Kind: types.Qualified, Elem: func() *types.Type { return out }}, t.isConst, t.volatile)
}

func (m *modeling) function() *types.Type {
	out := &types.Type{Kind: types.Function, Elem: m.elem()}
	list, err := m.f.typeAt(&unit{}, m.t.args)
	if err != nil {
		return out
	}
	for _, number := range list.list[:min(len(list.list), maxTypeSteps)] {
		out.Params = append(out.Params, m.ref(number))
	}
	return out
}

// array divides the size, which is in bytes, by that of an element.
func (m *modeling) array() *types.Type {
	out := &types.Type{Kind: types.Array, Elem: m.elem(), Size: m.t.size, Sized: true}
	count := types.Count{}
	if size := m.f.typeSize(&unit{}, m.t.of); size > 0 && m.t.size%size == 0 {
		count = types.Count{N: m.t.size / size, Known: true}
	}
	out.Counts = []types.Count{count}
	return out
}

func (m *modeling) enumeration() *types.Type {
	t := &m.t
	out := &types.Type{Kind: types.Enum, Name: typeName(t.name, m.l), Elem: m.elem(), Incomplete: t.forward}
	if size := m.f.typeSize(&unit{}, t.of); size > 0 {
		out.Size, out.Sized = size, true
	}
	if t.forward {
		return out
	}
	m.f.eachField(t.fields, func(d *field) bool {
		if d.kind == fieldEnumerator {
			out.Enumerators = append(out.Enumerators, types.Enumerator{Name: d.name, Value: int64(d.off)})
		}
		return true
	})
	return out
}

var structKinds = map[uint16]types.Kind{
	leafClass: types.Class, leafClass2: types.Class, leafInterface: types.Class, leafInterface2: types.Class,
	leafStruct: types.Struct, leafStruct2: types.Struct, leafUnion: types.Union, leafUnion2: types.Union,
}

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

// Methods, nested types and friends are none; virtual bases of bases are shown where those are.
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
