package variables

import "crashglass/core/values/types"

// Classes is a Source that knows classes by name.
type Classes interface {
	// Class returns a class by its full name, or nil.
	Class(name string) *types.Type

	// TypeNamed returns a type of any kind by its full name, or nil.
	TypeNamed(name string) *types.Type

	// VtableAt returns the class whose vtable contains an address, and the vtable's beginning, both
	// addresses relative to the module; "" for none.
	VtableAt(rel uint64) (class string, start uint64)

	// VtableWord returns an offset in a vtable before its functions.
	VtableWord(rel uint64) (uint64, bool)
}

// vtableWord reads such an offset from memory or, because it never changes, from the module's file.
func (r *reader) vtableWord(addr uint64) (uint64, error) {
	v, err := r.eval.Word(addr, r.frame.Arch.Word)
	if err == nil {
		return v, nil
	}
	if classes := r.frame.Symbols.Classes; classes != nil {
		rel := addr - r.frame.Base()
		if class, _ := classes.VtableAt(rel); class == "" {
			return 0, err
		}
		if v, ok := classes.VtableWord(rel); ok {
			return v, nil
		}
	}
	return 0, err
}

// dynamic finds the complete object behind a pointer to one of its bases, by the vtable, as
// debuggers do. Without a known vtable it returns the object of the pointer's type.
func (r *reader) dynamic(addr uint64, t *types.Type) (uint64, *types.Type) {
	of := types.Strip(t)
	classes := r.frame.Symbols.Classes
	if classes == nil || !polymorphic(of, into(8)) {
		return addr, t
	}
	word := uint64(r.frame.Arch.Word)
	b, err := r.get(view{memory: true, addr: addr}, word)
	if err != nil {
		return addr, t
	}
	vptr := r.frame.Number(b)
	name, start := classes.VtableAt(vptr - r.frame.Base())
	if name == "" {
		return addr, t
	}
	start += r.frame.Base()
	class := classes.Class(name)
	if class == nil || class.Incomplete || class.Name == of.Name {
		return addr, t
	}
	if vptr == start {
		return derived(addr, of, class, t)
	}
	if vptr == start+2*word && simpleVtable(class, into(8)) { // of the whole object: the first two words are no functions
		return addr, class
	}
	up, err := r.vtableWord(vptr - 2*word) // Itanium C++ ABI, section 2.5.2: the offset to top
	if err != nil {
		return addr, t
	}
	return addr + uint64(extend(up, 8*word)), class
}

// derived finds the object of a class around a base. Microsoft's vftables begin with functions and
// do not have the object's beginning. The base's offset in the class gives it, if the class has
// only one such base.
func derived(addr uint64, base, class, t *types.Type) (uint64, *types.Type) {
	off, n := baseOffset(class, base.Name, into(8))
	if n != 1 {
		return addr, t
	}
	return addr - off, class
}

// baseOffset finds a base by its name, and counts the bases with that name. A virtual base counts
// as several, because its offset depends on the object.
func baseOffset(class *types.Type, name string, d descent) (off uint64, n int) {
	if !d.enters(class) {
		return 0, 0
	}
	for i := range class.Members {
		m := &class.Members[i]
		if !m.Base {
			continue
		}
		of := types.Strip(m.Type.Get())
		if of != nil && of.Name == name {
			off, n = m.Offset, n+1
		}
		if in, more := baseOffset(of, name, d.deeper()); more > 0 {
			off, n = m.Offset+in, n+more
		}
		if m.Virtual && n > 0 {
			n += 2
		}
	}
	return off, n
}

// polymorphic reports whether objects of a class begin with a pointer to a vtable.
func polymorphic(t *types.Type, d descent) bool {
	if !d.enters(t) || t.Kind != types.Struct && t.Kind != types.Class {
		return false
	}
	for i := range t.Members {
		m := &t.Members[i]
		if m.Artificial && m.Offset == 0 && !m.Static {
			return true
		}
		if m.Base && (m.Virtual || m.Offset == 0 && polymorphic(types.Strip(m.Type.Get()), d.deeper())) {
			return true
		}
	}
	return false
}

// simpleVtable reports whether a class has no virtual bases, whose offsets would be before the
// offset to top.
func simpleVtable(t *types.Type, d descent) bool {
	if !d.enters(t) {
		return false
	}
	for i := range t.Members {
		if m := &t.Members[i]; m.Base && (m.Virtual || !simpleVtable(types.Strip(m.Type.Get()), d.deeper())) {
			return false
		}
	}
	return true
}

// vbptrs is the number of an object's words that are tried as the pointer to the table of virtual
// bases. Clang does not record its offset.
const vbptrs = 8

// tableOffset finds a virtual base by Microsoft's table. The table's first number is the distance
// from the pointer back to its class, which distinguishes a table from other memory.
func (r *reader) tableOffset(v view, base *types.VBase) (uint64, error) {
	at, table, err := r.vbtable(v, base.At)
	if err != nil {
		return 0, err
	}
	off, err := r.vtableInt(table + uint64(base.Slot))
	return at + off, err
}

// vbtable finds the pointer and the table.
func (r *reader) vbtable(v view, at uint64) (uint64, uint64, error) {
	word := uint64(r.frame.Arch.Word)
	if at != 0 {
		table, back, err := r.vbtableAt(v, at)
		if err == nil && back > at {
			err = Damaged("the table of virtual bases leads %d bytes back, and lies %d in the object", back, at)
		}
		return at, table, err
	}
	var first error
	for at := uint64(0); at < vbptrs*word; at += word {
		table, back, err := r.vbtableAt(v, at)
		if err == nil && back == at {
			return at, table, nil
		}
		if err != nil && first == nil {
			first = err
		}
	}
	if first == nil {
		first = Damaged("where the table of virtual bases is, is not in the debug information")
	}
	return 0, 0, first
}

// vbtableAt reads a pointer, and the first number that it leads to.
func (r *reader) vbtableAt(v view, at uint64) (table, back uint64, err error) {
	b, err := r.get(v.at(at), uint64(r.frame.Arch.Word))
	if err != nil {
		return 0, 0, err
	}
	table = r.frame.Number(b)
	off, err := r.vtableInt(table)
	return table, -off, err
}

// vtableInt reads a number of four bytes with a sign.
func (r *reader) vtableInt(addr uint64) (uint64, error) {
	v, err := r.eval.Word(addr, 4)
	return uint64(extend(v, 32)), err
}
