package pdb

import "crashglass/core/base/bin"

// Kinds of type records. The records of the symbol stream and those of types
// have the same head: a length and a kind.
//
// Source: LEAF_ENUM_e of microsoft-pdb's include/cvinfo.h.
const (
	leafModifier   = 0x1001 // LF_MODIFIER
	leafPointer    = 0x1002 // LF_POINTER
	leafProc       = 0x1008 // LF_PROCEDURE
	leafMethod     = 0x1009 // LF_MFUNCTION
	leafArguments  = 0x1201 // LF_ARGLIST
	leafArray      = 0x1503 // LF_ARRAY
	leafClass      = 0x1504 // LF_CLASS
	leafStruct     = 0x1505 // LF_STRUCTURE
	leafUnion      = 0x1506 // LF_UNION
	leafEnum       = 0x1507 // LF_ENUM
	leafAlias      = 0x150a // LF_ALIAS
	leafModifiers  = 0x1518 // LF_MODIFIER_EX: a list of modifiers
	leafInterface  = 0x1519 // LF_INTERFACE
	leafVector     = 0x151b // LF_VECTOR, of HLSL
	leafClass2     = 0x1608 // LF_CLASS, LF_STRUCTURE, LF_UNION and LF_INTERFACE with room for more properties,
	leafStruct2    = 0x1609 // which the compilers of Visual Studio 2019 16.8 and later write
	leafUnion2     = 0x160a
	leafInterface2 = 0x160b
	leafFuncID     = 0x1601 // LF_FUNC_ID
	leafMethodID   = 0x1602 // LF_MFUNC_ID
	leafStringID   = 0x1605 // LF_STRING_ID
)

// firstType is the first number that is not a primitive type.
const firstType = 0x1000

// oldLeaves are the kinds with a length in front of the name, of Visual C++ 7.0
// and 7.1, and what they are otherwise: LF_ARRAY_ST, LF_CLASS_ST and so on.
var oldLeaves = map[uint16]uint16{0x1003: leafArray, 0x1004: leafClass, 0x1005: leafStruct, 0x1006: leafUnion, 0x1007: leafEnum}

// A typ is one type, with the fields that its kind has.
type typ struct {
	kind   uint16
	name   string // of a class, union or enum
	unique string // its decorated name, which the definition has, too
	of     uint32 // what a modifier, pointer, array or enum is made of; what a function returns
	args   uint32 // number of the list of arguments
	class  uint32 // of a method
	this   uint32 // of a method; 0 when it is static
	list   []uint32
	size   uint64 // of a class, union or array
	fields uint32 // number of the list of fields, of a class, union or enum

	isConst   bool // a modifier, or the pointer itself
	volatile  bool
	mode      uint8
	bytes     uint32 // size of a pointer
	forward   bool   // the size is with the definition
	hasUnique bool
	call      uint8 // calling convention
	structOut bool  // the result is written where a hidden argument says
}

// typeAt returns a type of unit u; a primitive one has only its kind, 0.
func (f *File) typeAt(u *unit, number uint32) (t typ, err error) {
	if number, err = f.number(u, number); err != nil || number < firstType {
		return t, err
	}
	r, err := f.types.find(number)
	if err != nil {
		return t, err
	}
	return parseTyp(r)
}

func parseTyp(r record) (t typ, err error) {
	c := r.cursor("type record")
	kind, old := oldLeaves[r.kind]
	if t.kind = r.kind; old {
		t.kind = kind
	}
	parseType(c, &t, old)
	return t, c.Err()
}

// number resolves a reference to a type of another module.
func (f *File) number(u *unit, number uint32) (uint32, error) {
	n, ok := f.resolve(u, number)
	if !ok {
		c := bin.NewCursor("cross module references of "+u.what, 0, nil)
		c.Fail("%#x leads nowhere", number)
		return 0, c.Err()
	}
	return n, nil
}

// parseType reads lfModifier, lfPointer and so on of cvinfo.h. Kinds that are
// not here leave t as it is.
func parseType(c *bin.Cursor, t *typ, old bool) {
	switch t.kind {
	case leafModifier:
		t.of = c.U32()
		bits := c.U16()
		t.isConst, t.volatile = bits&1 != 0, bits&2 != 0
	case leafModifiers:
		t.of = c.U32()
		for range min(int(c.U16()), c.Len()/2) {
			modifier := c.U16()
			t.isConst = modifier == modifierConst || t.isConst
			t.volatile = modifier == modifierVolatile || t.volatile
		}
	case leafPointer:
		t.of = c.U32()
		bits := c.U32()
		t.mode, t.volatile, t.isConst, t.bytes = uint8(bits>>5&7), bits&(1<<9) != 0, bits&(1<<10) != 0, bits>>13&0x3f
		if (t.mode == modeMember || t.mode == modeMethod) && c.Len() >= 4 {
			t.class = c.U32()
		}
	case leafProc, leafMethod:
		t.of = c.U32()
		if t.kind == leafMethod {
			t.class, t.this = c.U32(), c.U32()
		}
		t.call = c.U8()
		t.structOut = c.U8()&1 != 0
		c.Skip(2) // number of arguments, which the list says, too
		t.args = c.U32()
	case leafArguments:
		for range min(c.Count(4), maxTypeSteps+1) { // of a longer list no name is written
			t.list = append(t.list, c.U32())
		}
	case leafArray:
		t.of = c.U32()
		c.Skip(4)
		t.size = numeric(c)
	case leafClass, leafStruct, leafInterface, leafUnion, leafClass2, leafStruct2, leafInterface2, leafUnion2:
		wide := t.kind >= leafClass2 // with more properties in front of the number of members
		if wide {
			t.bits(c.U32())
		} else {
			t.properties(c)
		}
		t.fields = c.U32()
		if t.kind != leafUnion && t.kind != leafUnion2 {
			c.Skip(8) // bases, shape of the table of virtual functions
		}
		if wide {
			numeric(c) // number of members
		}
		t.size = numeric(c)
		t.names(c, old)
	case leafEnum:
		t.properties(c)
		t.of, t.fields = c.U32(), c.U32()
		t.names(c, old)
	case leafAlias:
		t.of = c.U32()
		t.name = name(c, false)
	case leafVector:
		t.of = c.U32()
		c.Skip(4)
		t.size, t.name = numeric(c), name(c, false)
	}
}

// Modifiers that are read: CV_MOD_CONST and CV_MOD_VOLATILE of CV_modifier_e.
const (
	modifierConst    = 1
	modifierVolatile = 2
)

// Modes of pointers that are followed by a class: CV_PTR_MODE_PMEM and
// CV_PTR_MODE_PMFUNC of CV_ptrmode_e.
const (
	modeReference = 1
	modeMember    = 2
	modeMethod    = 3
	modeRValue    = 4
)

// properties reads the number of members and the bits of CV_prop_t.
func (t *typ) properties(c *bin.Cursor) {
	c.Skip(2)
	t.bits(uint32(c.U16()))
}

// bits are fwdref and hasuniquename of CV_prop_t.
func (t *typ) bits(prop uint32) { t.forward, t.hasUnique = prop&0x80 != 0, prop&0x200 != 0 }

// names reads the name and, where there is one, the decorated name.
func (t *typ) names(c *bin.Cursor, old bool) {
	if old {
		t.name = name(c, true)
		return
	}
	names := c.Bytes(c.Len())
	t.name = nameAtStart(names)
	if t.hasUnique && len(t.name) < len(names) {
		t.unique = nameAtStart(names[len(t.name)+1:])
	}
}

// nameAtStart is what is before the first zero byte, or all where there is none.
func nameAtStart(b []byte) string {
	if text, ok := textAt(b, 0); ok {
		return text
	}
	return string(b)
}

// numeric reads a number of variable size: itself when it is below 0x8000,
// else its kind (LF_CHAR, LF_SHORT and so on) and then the number. Of those of
// 16 bytes it is the lower half.
func numeric(c *bin.Cursor) uint64 {
	switch kind := c.U16(); {
	case kind < 0x8000:
		return uint64(kind)
	case kind == 0x8000: // LF_CHAR
		return uint64(int8(c.U8()))
	case kind == 0x8001: // LF_SHORT
		return uint64(int16(c.U16()))
	case kind == 0x8002: // LF_USHORT
		return uint64(c.U16())
	case kind == 0x8003: // LF_LONG
		return uint64(int32(c.U32()))
	case kind == 0x8004: // LF_ULONG
		return uint64(c.U32())
	case kind == 0x8009 || kind == 0x800a: // LF_QUADWORD, LF_UQUADWORD
		return c.U64()
	case kind == 0x8017 || kind == 0x8018: // LF_OCTWORD, LF_UOCTWORD
		v := c.U64()
		c.Skip(8)
		return v
	default:
		c.Fail("a number of kind %#x", kind)
		return 0
	}
}

// A funcID is the content of an inlined function's id record.
type funcID struct {
	kind  uint16
	scope uint32 // an id for functions, a type for methods
	typ   uint32
	name  string
}

func (f *File) idAt(u *unit, number uint32) (id funcID, err error) {
	if number, err = f.number(u, number); err != nil {
		return id, err
	}
	r, err := f.ids.find(number)
	if err != nil {
		return id, err
	}
	c := r.cursor("id record")
	switch id.kind = r.kind; r.kind {
	case leafFuncID, leafMethodID:
		id.scope, id.typ, id.name = c.U32(), c.U32(), name(c, false)
	case leafStringID:
		id.scope, id.name = c.U32(), name(c, false)
	}
	return id, c.Err()
}

// isModifier reports whether a type is another one with const or the like.
func isModifier(t typ) bool { return t.kind == leafModifier || t.kind == leafModifiers }
