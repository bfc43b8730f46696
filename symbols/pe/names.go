package pe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"crashglass/core/symbolize"
	"crashglass/core/unwind"
)

// A symbol is a name for an address. The name is read when it is asked for:
// many symbols may share the bytes of one long name.
type symbol struct {
	rva     uint32
	ordinal uint32 // of an export without a name
	nameAt  int64  // file offset
	limit   int    // of the name's length; 0 when there is none
}

// names are all symbols in the order of addresses. Of those with one address
// an export comes first.
type names struct{ sorted []symbol }

func (f *File) readNames() *names {
	n := &names{sorted: append(f.exports(), f.coffSymbols()...)}
	slices.SortStableFunc(n.sorted, func(a, b symbol) int { return cmp.Compare(a.rva, b.rva) })
	return n
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
	return name
}

// maxAliases bounds how many symbols of one address are compared.
const maxAliases = 16

// publicAt is the nearest symbol below an address that can be the address's
// function: one in the same section, and, where the unwind table says where
// functions begin, not one of a function before.
func (f *File) publicAt(rel uint64) (symbolize.Public, bool) {
	s := f.sectionAt(rel)
	if s == nil || s.flags&flagExecute == 0 {
		return symbolize.Public{}, false
	}
	at, lowest := f.functionStart(rel)
	lowest = max(lowest, uint64(s.rva))
	all := f.names().sorted
	end, _ := slices.BinarySearchFunc(all, at+1, func(s symbol, a uint64) int { return cmp.Compare(uint64(s.rva), a) })
	if end == 0 || uint64(all[end-1].rva) < lowest {
		return symbolize.Public{}, false
	}
	rva := all[end-1].rva
	first, _ := slices.BinarySearchFunc(all, rva, func(s symbol, a uint32) int { return cmp.Compare(s.rva, a) })
	return f.join(all[first:min(end, first+maxAliases)])
}

// join makes one answer of the symbols of one address.
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

// Locate returns the nearest export or COFF symbol below an address.
func (f *File) Locate(rel uint64) (symbolize.Location, bool) {
	p, ok := f.publicAt(rel)
	if !ok {
		return symbolize.Location{}, false
	}
	return symbolize.Location{Function: p.Name, Start: p.Start, Public: true, Multiple: p.Multiple}, true
}

// Function is Locate for the unwinder.
func (f *File) Function(rel uint64) (unwind.Function, bool) {
	p, ok := f.publicAt(rel)
	if !ok {
		return unwind.Function{}, false
	}
	return unwind.Function{Name: p.Name, Start: p.Start, Public: true}, true
}

// EachFunction has nothing to tell: an image says where functions are, but not
// what they are called.
func (f *File) EachFunction(func(*symbolize.Function) error) error { return nil }

// EachPublic tells the exports and COFF symbols, those of one address as one.
func (f *File) EachPublic(add func(symbolize.Public) error) error {
	all := f.names().sorted
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].rva == all[0].rva {
			n++
		}
		if p, ok := f.join(all[:min(n, maxAliases)]); ok {
			if err := add(p); err != nil {
				return err
			}
		}
		all = all[n:]
	}
	return nil
}
