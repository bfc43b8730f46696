package pe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// The name is read when it is asked for: many symbols may share the bytes of one long name.
type symbol struct {
	rva     uint32
	ordinal uint32 // of an export without a name
	nameAt  int64  // file offset
	limit   int    // of the name's length; 0 when there is none
	linker  bool   // the name is the linker's, which has an underscore in front on x86
}

// names are all symbols in the order of addresses. Of those with one address
// an export comes first.
type names struct{ sorted []symbol }

func (f *File) readNames() *names {
	n := &names{f.exports(f.h.dirs[dirExport])}
	if h := f.hybrid(); h != nil {
		n.add(f.exports(h.exports))
		n.add(h.redirected(n))
	}
	n.add(f.coffSymbols(isFunction))
	return n
}

// add adds symbols behind those of the same address.
func (n *names) add(symbols []symbol) {
	n.sorted = append(n.sorted, symbols...)
	slices.SortStableFunc(n.sorted, func(a, b symbol) int { return cmp.Compare(a.rva, b.rva) })
}

// nameOf is a symbol's name, or "" where it cannot be read. What has only an
// ordinal is called as dbghelp calls it.
func (f *File) nameOf(s symbol) string {
	if s.limit == 0 {
		return fmt.Sprintf("Ordinal%d", s.ordinal)
	}
	name, err := f.pages.String(s.nameAt, s.limit)
	if err != nil {
		f.notes.add(err)
	}
	if s.linker {
		return f.plain(name)
	}
	return name
}

// maxAliases bounds how many symbols of one address are compared.
const maxAliases = 16

// functionAt is the function that the unwind table has at an address, under
// the name of the symbol where it begins, if there is one. A part of a function that lies
// elsewhere, and has records of its own, has the same name.
func (f *File) functionAt(rel uint64) (fn unwind.Function, multiple, ok bool) {
	if len(f.functions().entries) == 0 {
		return fn, false, false
	}
	e, run, covered := f.find(rel)
	if covered != inEntry {
		return fn, false, false
	}
	p, ok := f.join(f.names().at(f.rootOf(e)))
	return unwind.Function{Name: p.Name, Start: run.start, Size: run.end - run.start}, p.Multiple, ok
}

// publicAt is the nearest symbol below an address that can be the address's
// function: one in the same section, and not one of a function before.
func (f *File) publicAt(rel uint64) (symbolize.Public, bool) {
	s := f.sectionAt(rel)
	if s == nil || s.flags&flagExecute == 0 {
		return symbolize.Public{}, false
	}
	lowest := max(f.lowest(rel), uint64(s.rva))
	all := f.names().sorted
	end, _ := slices.BinarySearchFunc(all, rel+1, func(s symbol, a uint64) int { return cmp.Compare(uint64(s.rva), a) })
	if end == 0 || uint64(all[end-1].rva) < lowest {
		return symbolize.Public{}, false
	}
	// After the end of a function its symbol is not used.
	rva := uint64(all[end-1].rva)
	if f.known(rva) {
		return symbolize.Public{}, false
	}
	return f.join(f.names().at(rva))
}

// at are the symbols of an address, as many as are compared.
func (n *names) at(rva uint64) []symbol {
	first, _ := slices.BinarySearchFunc(n.sorted, rva, func(s symbol, a uint64) int { return cmp.Compare(uint64(s.rva), a) })
	end := first
	for end < len(n.sorted) && uint64(n.sorted[end].rva) == rva && end-first < maxAliases {
		end++
	}
	return n.sorted[first:end]
}

func (n *names) in(start, end uint64) bool {
	i, _ := slices.BinarySearchFunc(n.sorted, start, func(s symbol, a uint64) int { return cmp.Compare(uint64(s.rva), a) })
	return i < len(n.sorted) && uint64(n.sorted[i].rva) < end
}

func (f *File) join(same []symbol) (p symbolize.Public, ok bool) {
	for _, s := range same {
		name := f.nameOf(s)
		switch {
		case name == "":
		case p.Name == "":
			p = symbolize.Public{Name: name, Start: uint64(s.rva)}
		case f.plain(name) != f.plain(p.Name):
			p.Multiple = true
		}
	}
	return p, p.Name != ""
}

// plain is a name without the underscore that symbols of x86 have in front,
// and exports have not.
func (f *File) plain(name string) string {
	if f.h.machine == machineI386 {
		return strings.TrimPrefix(name, "_")
	}
	return name
}

// Locate returns the function, line and inlined calls that DWARF has for an
// address, or else the function that the unwind table has there, if a symbol
// names it, or else the nearest export or COFF symbol below.
func (f *File) Locate(rel uint64) (symbolize.Location, bool) {
	if loc, ok := f.info().Locate(rel); ok {
		return loc, true
	}
	if loc, ok := f.golang().Locate(rel); ok {
		return loc, true
	}
	if fn, multiple, ok := f.functionAt(rel); ok {
		return symbolize.Location{Function: fn.Name, Start: fn.Start, Size: fn.Size, Multiple: multiple}, true
	}
	p, ok := f.publicAt(rel)
	if !ok {
		return symbolize.Location{}, false
	}
	return symbolize.Location{Function: p.Name, Start: p.Start, Public: true, Multiple: p.Multiple}, true
}

// known reports whether DWARF or Go's table has the function at an address.
func (f *File) known(rel uint64) bool {
	_, known := f.info().Function(rel)
	if !known {
		_, known = f.golang().Function(rel)
	}
	return known
}

// Function is Locate for the unwinder.
func (f *File) Function(rel uint64) (unwind.Function, bool) {
	if fn, ok := f.info().Function(rel); ok {
		return fn, true
	}
	if fn, ok := f.golang().Function(rel); ok {
		return fn, true
	}
	if fn, _, ok := f.functionAt(rel); ok {
		return fn, true
	}
	p, ok := f.publicAt(rel)
	if !ok {
		return unwind.Function{}, false
	}
	return unwind.Function{Name: p.Name, Start: p.Start, Public: true}, true
}

const symbolSize = 18

// Classes and types of symbols. Source: PE Format, "Storage Class", "Type Representation".
const (
	classExternal = 2
	classStatic   = 3
	typeFunction  = 0x20
)

// coffSymbols finds symbols of a kind in the COFF symbol table, which MinGW's
// linkers leave in images.
func (f *File) coffSymbols(wanted func(in *section, class uint8, kind uint16) bool) []symbol {
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
		s, aux, ok := f.coffSymbol(bin.NewCursor(what, at, data), wanted)
		if ok {
			out = append(out, s)
		}
		i += 1 + uint64(aux)
	}
	return out
}

// coffSymbol reads one symbol and how many auxiliary records follow it.
func (f *File) coffSymbol(c *bin.Cursor, wanted func(in *section, class uint8, kind uint16) bool) (s symbol, aux uint8, ok bool) {
	s = symbol{nameAt: c.Offset(), limit: 8, linker: true}
	if c.U32() == 0 {
		s.nameAt, s.limit = f.longStrings()+int64(c.U32()), maxName
	} else {
		c.Skip(4)
	}
	value, number, kind, class, aux := c.U32(), int(int16(c.U16())), c.U16(), c.U8(), c.U8()
	if number < 1 || number > len(f.sections) {
		return s, aux, false // undefined, absolute or for debuggers
	}
	in := &f.sections[number-1]
	s.rva = in.rva + value
	return s, aux, value < in.size && wanted(in, class, kind)
}

// isFunction reports whether a symbol is a function: one that is visible to a linker, or a static one that is marked as a function. The other
// static ones are sections and labels.
func isFunction(in *section, class uint8, kind uint16) bool {
	return in.flags&flagExecute != 0 && (class == classExternal || class == classStatic && kind == typeFunction)
}
