package pdb

import "crashglass/core/base/bin"

// Kinds of fields, in the lists of classes and enumerations.
//
// Source: LEAF_ENUM_e of microsoft-pdb's include/cvinfo.h.
const (
	fieldList        = 0x1203 // LF_FIELDLIST
	fieldBits        = 0x1205 // LF_BITFIELD
	fieldBase        = 0x1400 // LF_BCLASS
	fieldVBase       = 0x1401 // LF_VBCLASS
	fieldIndirect    = 0x1402 // LF_IVBCLASS: a virtual base of a base
	fieldMore        = 0x1404 // LF_INDEX: the rest is in another list
	fieldVTable      = 0x1409 // LF_VFUNCTAB: a pointer to the vftable
	fieldFriendClass = 0x140a // LF_FRIENDCLS
	fieldVTableAt    = 0x140c // LF_VFUNCOFF
	fieldEnumerator  = 0x1502 // LF_ENUMERATE
	fieldFriend      = 0x150c // LF_FRIENDFCN
	fieldMember      = 0x150d // LF_MEMBER
	fieldStatic      = 0x150e // LF_STMEMBER
	fieldMethods     = 0x150f // LF_METHOD
	fieldNested      = 0x1510 // LF_NESTTYPE
	fieldMethod      = 0x1511 // LF_ONEMETHOD
	fieldNestedEx    = 0x1512 // LF_NESTTYPEEX
	fieldModified    = 0x1513 // LF_MEMBERMODIFY
	fieldInterface   = 0x151a // LF_BINTERFACE
)

// A field is one entry of a list.
type field struct {
	kind uint16
	typ  uint32
	off  uint64 // of a member, in bytes; of an enumerator, its value
	name string

	vbptr uint64 // of a virtual base: where the pointer to the table is
	index uint64 // and which entry of the table has the offset
}

// Bounds of a list of fields. Lists that go on do so in records of up to 64 KB.
const (
	maxFields     = 1 << 14
	maxFieldLists = 1 << 10
)

// memberWork bounds the bytes of records that are read for members and for the
// constants of enums: thousands of types may have one long list.
const memberWork = 32 << 20

// spend takes a record from the remaining work, and notes when there is none left.
func (f *File) spend(r record) bool {
	if f.members == nil {
		f.members = bin.NewBudget(memberWork)
	}
	if f.members.Spend(int64(len(r.data)) + recordCost) {
		return true
	}
	f.notes.add("members of types take more than %d bytes; the rest is left out", memberWork)
	return false
}

// recordCost is what reading a record costs beside its bytes.
const recordCost = 16

// eachField calls do for each field of a list, until do returns false.
func (f *File) eachField(number uint32, do func(*field) bool) {
	left := maxFields
	for range maxFieldLists {
		if number < firstType {
			return
		}
		r, err := f.types.find(number)
		if err != nil {
			f.notes.error(err)
			return
		}
		if !f.spend(r) {
			return
		}
		if r.kind != fieldList {
			f.notes.add("type %#x is of kind %#x, a list of fields is wanted", number, r.kind)
			return
		}
		c := bin.NewCursor("list of fields", r.at+4, r.data)
		if number = fieldsOf(c, &left, do); number == 0 {
			f.notes.error(c.Err())
			return
		}
	}
}

// minField is more than what pads a record, and less than any field.
const minField = 4

// fieldsOf goes through one record. It returns the number of the list that goes
// on, or 0.
func fieldsOf(c *bin.Cursor, left *int, do func(*field) bool) uint32 {
	for c.Len() >= minField {
		var d field
		d.read(c)
		if *left--; c.Err() != nil || *left < 0 {
			return 0
		}
		if d.kind == fieldMore {
			return d.typ
		}
		if !do(&d) {
			return 0
		}
		skipPadding(c)
	}
	return 0
}

// skipPadding skips LF_PAD: bytes from 0xf0 on, whose lower half says how many
// there are.
func skipPadding(c *bin.Cursor) {
	rest := c.Rest()
	if len(rest) > 0 && rest[0] >= 0xf0 {
		c.Skip(min(max(int(rest[0]&0xf), 1), len(rest)))
	}
}

// read reads lfMember and its neighbours of cvinfo.h.
func (d *field) read(c *bin.Cursor) {
	d.kind = c.U16()
	attributes := c.U16() // or the number of methods, or padding
	if d.kind != fieldEnumerator {
		d.typ = c.U32()
	}
	switch d.kind {
	case fieldBase, fieldInterface:
		d.off = numeric(c)
	case fieldVBase, fieldIndirect:
		c.Skip(4) // type of the pointer
		d.vbptr, d.index = numeric(c), numeric(c)
	case fieldMore, fieldVTable, fieldFriendClass:
	case fieldVTableAt:
		d.off = uint64(c.U32())
	case fieldEnumerator, fieldMember:
		d.off = numeric(c)
		d.name = fieldName(c)
	case fieldMethod:
		if introducing(attributes) {
			c.Skip(4) // where in the vftable it is
		}
		d.name = fieldName(c)
	case fieldStatic, fieldMethods, fieldNested, fieldNestedEx, fieldModified, fieldFriend:
		d.name = fieldName(c)
	default:
		c.Fail("a field of kind %#x", d.kind)
	}
}

// introducing reports whether a method is the first of its name in the vftable:
// CV_MTintro and CV_MTpureintro of CV_methodprop_e.
func introducing(attributes uint16) bool {
	property := attributes >> 2 & 7
	return property == 4 || property == 6
}

// fieldName reads a name that ends with a zero byte.
func fieldName(c *bin.Cursor) string {
	text, ok := textAt(c.Rest(), 0)
	if !ok {
		c.Fail("a name without an end")
		return ""
	}
	c.Skip(len(text) + 1)
	return text
}
