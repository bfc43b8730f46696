package pdb

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
)

// vtableNames are the prefixes of linkage names of vtables: Microsoft's, and those of the Itanium
// C++ ABI, section 5.1.4.1.
var vtableNames = []string{"??_7", "_ZTV"}

// dataPublics are the public symbols that are no code, in the order of addresses.
func (f *File) dataPublics() []public {
	if f.vtables != nil {
		return f.vtables
	}
	f.vtables = []public{}
	f.publics() // opens the stream of the records
	if f.records == nil {
		return nil
	}
	f.notes.error(f.records.eachRecord(f.addData))
	slices.SortFunc(f.vtables, func(a, b public) int { return cmp.Compare(a.rva, b.rva) })
	return f.vtables
}

func (f *File) addData(r record) {
	if r.kind != symPublic && r.kind != symPublicST || r.at > math.MaxUint32 {
		return
	}
	sect, off, _, err := parsePublic(r)
	if rva, ok := f.addr.rva(sect, off); ok && err == nil && !f.addr.isCode(sect) {
		f.vtables = append(f.vtables, public{rva, uint32(r.at)})
	}
}

// VtableAt returns the linker's name of the vtable that an address lies in, and
// where that begins; "" for none, and for one that several classes share.
func (f *File) VtableAt(rel uint64) (linkage string, start uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	rva, added, ok := f.addr.internal(rel)
	list := f.dataPublics()
	n := sort.Search(len(list), func(i int) bool { return list[i].rva > rva })
	if !ok || added || n == 0 || n > 1 && list[n-2].rva == list[n-1].rva {
		return "", 0
	}
	text := f.publicName(list[n-1])
	if !slices.ContainsFunc(vtableNames, func(prefix string) bool { return strings.HasPrefix(text, prefix) }) {
		return "", 0
	}
	return text, rel - uint64(rva-list[n-1].rva)
}
