package pdb

import "crashglass/core/bin"

// Kinds of type records. The records of the symbol stream and those of types
// have the same head: a length and a kind.
//
// Source: LEAF_ENUM_e of microsoft-pdb's include/cvinfo.h.
const (
	leafModifier  = 0x1001 // LF_MODIFIER
	leafPointer   = 0x1002 // LF_POINTER
	leafProc      = 0x1008 // LF_PROCEDURE
	leafMethod    = 0x1009 // LF_MFUNCTION
	leafArguments = 0x1201 // LF_ARGLIST
	leafArray     = 0x1503 // LF_ARRAY
	leafClass     = 0x1504 // LF_CLASS
	leafStruct    = 0x1505 // LF_STRUCTURE
	leafUnion     = 0x1506 // LF_UNION
	leafEnum      = 0x1507 // LF_ENUM
	leafInterface = 0x1519 // LF_INTERFACE
	leafClass2    = 0x1608 // LF_CLASS and LF_STRUCTURE with room for more properties,
	leafStruct2   = 0x1609 // which the compilers of Visual Studio 2019 16.8 and later write
	leafFuncID    = 0x1601 // LF_FUNC_ID
	leafMethodID  = 0x1602 // LF_MFUNC_ID
	leafStringID  = 0x1605 // LF_STRING_ID
)

// firstType is the first number that is not a primitive type.
const firstType = 0x1000

// A typ is one type, with the fields that its kind has.
type typ struct {
	kind  uint16
	name  string // of a class, union or enum
	of    uint32 // what a modifier, pointer, array or enum is made of; what a function returns
	args  uint32 // number of the list of arguments
	class uint32 // of a method
	this  uint32 // of a method; 0 when it is static
	list  []uint32
	size  uint64 // of a class, union or array

	isConst   bool // a modifier, or the pointer itself
	mode      uint8
	bytes     uint32 // size of a pointer
	forward   bool   // the size is elsewhere
	call      uint8  // calling convention
	structOut bool   // the result is written where a hidden argument says
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
	c := bin.NewCursor("type record", r.at+4, r.data)
	t.kind = r.kind
	parseType(c, &t)
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
func parseType(c *bin.Cursor, t *typ) {
	switch t.kind {
	case leafModifier:
		t.of = c.U32()
		t.isConst = c.U16()&1 != 0
	case leafPointer:
		t.of = c.U32()
		bits := c.U32()
		t.mode, t.isConst, t.bytes = uint8(bits>>5&7), bits&(1<<10) != 0, bits>>13&0x3f
	case leafProc:
		t.of = c.U32()
		t.callBits(c)
		t.args = c.U32()
	case leafMethod:
		t.of, t.class, t.this = c.U32(), c.U32(), c.U32()
		t.callBits(c)
		t.args = c.U32()
	case leafArguments:
		for range c.Count(4) {
			t.list = append(t.list, c.U32())
		}
	case leafArray:
		t.of = c.U32()
		c.Skip(4)
		t.size = numeric(c)
	case leafClass, leafStruct, leafInterface:
		t.properties(c)
		c.Skip(12) // fields, bases, shape of the table of virtual functions
		t.size, t.name = numeric(c), name(c, false)
	case leafClass2, leafStruct2:
		t.forward = c.U32()&0x80 != 0
		c.Skip(12 + 2)
		t.size, t.name = numeric(c), name(c, false)
	case leafUnion:
		t.properties(c)
		c.Skip(4)
		t.size, t.name = numeric(c), name(c, false)
	case leafEnum:
		t.properties(c)
		t.of = c.U32()
		c.Skip(4)
		t.name = name(c, false)
	}
}

// callBits reads what types of functions and methods have in common.
func (t *typ) callBits(c *bin.Cursor) {
	t.call = c.U8()
	t.structOut = c.U8()&1 != 0
	c.Skip(2) // number of arguments, which the list says, too
}

// properties reads the number of members and the bits of CV_prop_t.
func (t *typ) properties(c *bin.Cursor) {
	c.Skip(2)
	t.forward = c.U16()&0x80 != 0
}

// numeric reads a number of variable size: itself when it is below 0x8000,
// else its kind (LF_CHAR, LF_SHORT and so on) and then the number.
func numeric(c *bin.Cursor) uint64 {
	switch kind := c.U16(); {
	case kind < 0x8000:
		return uint64(kind)
	case kind == 0x8000:
		return uint64(c.U8())
	case kind == 0x8001 || kind == 0x8002:
		return uint64(c.U16())
	case kind == 0x8003 || kind == 0x8004:
		return uint64(c.U32())
	case kind == 0x8009 || kind == 0x800a:
		return c.U64()
	default:
		c.Fail("a number of kind %#x", kind)
		return 0
	}
}

// A funcID is what an id says of a function that was inlined.
type funcID struct {
	kind  uint16
	scope uint32 // an id for functions, a type for methods
	typ   uint32
	name  string
}

// idAt returns an id of unit u.
func (f *File) idAt(u *unit, number uint32) (id funcID, err error) {
	if number, err = f.number(u, number); err != nil {
		return id, err
	}
	r, err := f.ids.find(number)
	if err != nil {
		return id, err
	}
	c := bin.NewCursor("id record", r.at+4, r.data)
	switch id.kind = r.kind; r.kind {
	case leafFuncID, leafMethodID:
		id.scope, id.typ, id.name = c.U32(), c.U32(), name(c, false)
	case leafStringID:
		id.scope, id.name = c.U32(), name(c, false)
	}
	return id, c.Err()
}
