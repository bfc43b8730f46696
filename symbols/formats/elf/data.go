package elf

import "strings"

// symbolObject is the type of a symbol of data (the low half of st_info).
const symbolObject = 1

// readData reads the symbols of data, of this file and of those attached.
func (f *File) readData() *symtab {
	t := &symtab{}
	for _, from := range append([]*File{f}, f.attached...) {
		for i := range from.sects {
			if s := &from.sects[i]; (s.kind == secSymbols || s.kind == secDynSymbols) && len(t.strings) < maxTables {
				from.addSymbols(t, s, from.placeData)
			}
		}
	}
	t.finish()
	return t
}

func (f *File) placeData(s *symbol, kind uint8, index uint16) bool {
	if kind != symbolObject || index == undefined || index >= firstReserved && index != extendedIndex || s.addr < f.base || s.size == 0 {
		return false
	}
	s.addr -= f.base
	return true
}

// DataAt returns the linker's name of the variable, vtable or other data that an address lies in, and
// where that begins; "" for none.
func (f *File) DataAt(rel uint64) (linkage string, start uint64) {
	t := f.objects()
	s, ok := t.below(rel)
	if !ok || rel-s.addr >= s.size {
		return "", 0
	}
	return t.nameOf(s), s.addr
}

// EachData calls each for the symbols of data whose names begin with prefix.
func (f *File) EachData(prefix string, each func(name string, rel uint64)) {
	t := f.objects()
	for _, list := range [][]symbol{t.list, t.aliases} {
		for _, s := range list {
			if name := t.nameOf(s); strings.HasPrefix(name, prefix) {
				each(name, s.addr)
			}
		}
	}
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
