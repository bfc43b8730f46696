package elf

// symbolObject is the type of a symbol of data (the low half of st_info).
const symbolObject = 1

// vtableName is how the linker's names of vtables begin (Itanium C++ ABI, section 5.1.4.1).
const vtableName = "_ZTV"

// readVtables reads the symbols of vtables, of this file and of those attached.
func (f *File) readVtables() *symtab {
	t := &symtab{}
	for _, from := range append([]*File{f}, f.attached...) {
		for i := range from.sects {
			if s := &from.sects[i]; (s.kind == secSymbols || s.kind == secDynSymbols) && len(t.strings) < maxTables {
				from.addSymbols(t, s, func(s *symbol, kind uint8, index uint16) bool { return from.placeVtable(t, s, kind, index) })
			}
		}
	}
	t.finish()
	return t
}

func (f *File) placeVtable(t *symtab, s *symbol, kind uint8, index uint16) bool {
	if kind != symbolObject || index == undefined || index >= firstReserved && index != extendedIndex || s.addr < f.base {
		return false
	}
	name, err := t.strings[s.strings].Bytes(int64(s.name), uint64(len(vtableName)))
	s.addr -= f.base
	return err == nil && string(name) == vtableName
}

// VtableAt returns the linker's name of the vtable that an address lies in, and
// where that begins; "" for none.
func (f *File) VtableAt(rel uint64) (linkage string, start uint64) {
	t := f.vtabs()
	s, ok := t.below(rel)
	if !ok || rel-s.addr >= s.size {
		return "", 0
	}
	return t.nameOf(s), s.addr
}

// sectionBytes is the type of a section whose bytes are in the file (SHT_PROGBITS).
const sectionBytes = 1

// VtableWord reads a word of a vtable out of the file. It is good for the
// offsets before the functions: no relocation changes them.
func (f *File) VtableWord(rel uint64) (uint64, bool) {
	size := uint64(f.h.wordSize())
	addr := f.base + rel
	for i := range f.sects {
		s := &f.sects[i]
		if s.kind != sectionBytes || s.addr == 0 || addr < s.addr || addr-s.addr >= s.size || s.size-(addr-s.addr) < size {
			continue
		}
		data, err := f.data(s).Read("elf: section "+s.name, int64(addr-s.addr), size)
		if err != nil {
			return 0, false
		}
		if size == 4 {
			return uint64(f.h.order.Uint32(data)), true
		}
		return f.h.order.Uint64(data), true
	}
	return 0, false
}
