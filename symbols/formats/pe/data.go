package pe

import (
	"cmp"
	"slices"
	"strings"
)

// readData lists the variables of the COFF symbol table, in the order of addresses.
func (f *File) readData() []symbol {
	data := f.coffSymbols(isData)
	slices.SortStableFunc(data, func(a, b symbol) int { return cmp.Compare(a.rva, b.rva) })
	return data
}

// isData reports whether a symbol is a variable: one that is visible to a linker, or a static one, in a section that is not executed. DataAt leaves out the names
// of sections.
func isData(in *section, class uint8, _ uint16) bool {
	return (class == classExternal || class == classStatic) && in.flags&flagExecute == 0
}

// DataAt returns the linkage name of the variable that most likely has an address, and where that begins; "" for none. COFF symbols have no size: it
// is the nearest one below in the same section.
func (f *File) DataAt(rel uint64) (linkage string, start uint64) {
	in := f.sectionAt(rel)
	if in == nil || in.flags&flagExecute != 0 {
		return "", 0
	}
	all := f.data()
	end, _ := slices.BinarySearchFunc(all, rel+1, func(s symbol, a uint64) int { return cmp.Compare(uint64(s.rva), a) })
	for end > 0 && all[end-1].rva >= in.rva {
		end--
		if name := f.nameOf(all[end]); name != "" && !strings.HasPrefix(name, ".") {
			return name, uint64(all[end].rva)
		}
	}
	return "", 0
}
