package pe

import "crashglass/core/base/bin"

// symbolSize is the size of a COFF symbol.
const symbolSize = 18

// Classes and types of symbols. Source: PE Format, "Storage Class", "Type Representation".
const (
	classExternal = 2
	classStatic   = 3
	typeFunction  = 0x20
)

// coffSymbols finds the functions of the COFF symbol table, which MinGW's
// linkers leave in images: those that are visible to a linker, and static ones
// that are marked as functions. The other static ones are sections and labels.
func (f *File) coffSymbols() []symbol {
	const what = "COFF symbol table"
	if f.h.symbols == 0 || f.h.symbolCount == 0 {
		return nil
	}
	size := uint64(f.h.symbolCount) * symbolSize
	if !f.src.Has(f.h.symbols, size) {
		f.note(what, f.h.symbols, "%d symbols reach beyond the end of the file at %#x", f.h.symbolCount, f.src.Size())
		return nil
	}
	var out []symbol
	for i := uint64(0); i < uint64(f.h.symbolCount); {
		at := f.h.symbols + int64(i*symbolSize)
		data, err := f.pages.Bytes(at, symbolSize)
		if err != nil {
			f.notes.add(err)
			return out
		}
		s, aux, ok := f.coffSymbol(bin.NewCursor(what, at, data))
		if ok {
			out = append(out, s)
		}
		i += 1 + uint64(aux)
	}
	return out
}

// coffSymbol reads one symbol and how many auxiliary records follow it.
func (f *File) coffSymbol(c *bin.Cursor) (s symbol, aux uint8, ok bool) {
	s = symbol{nameAt: c.Offset(), limit: 8}
	if c.U32() == 0 {
		s.nameAt, s.limit = f.longStrings()+int64(c.U32()), maxName
	} else {
		c.Skip(4)
	}
	value, number, kind, class, aux := c.U32(), int(int16(c.U16())), c.U16(), c.U8(), c.U8()
	if number < 1 || number > len(f.sections) {
		return s, aux, false // undefined, absolute or for debuggers
	}
	in := f.sections[number-1]
	s.rva = in.rva + value
	function := class == classExternal || class == classStatic && kind == typeFunction
	return s, aux, function && value < in.size && in.flags&flagExecute != 0
}
