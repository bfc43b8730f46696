package pdb

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"strings"
)

// A public is a public symbol and the offset of its record.
type public struct {
	rva uint32
	at  uint32
}

// recordsRead is how much of the stream of global symbols is read at once.
const recordsRead = 1 << 20

// publics are the public symbols that are code, in the order of addresses.
//
// The stream of publics has them in that order already, as places of records
// among those of all global symbols. But to see whether the order is true each
// record would have to be looked at, at places all over the file, which takes
// longer than reading it once from front to back.
func (f *File) publics() []public {
	if f.publicList != nil {
		return f.publicList
	}
	f.publicList = []public{}
	if f.dbi.s == nil || f.dbi.symbols == noStream {
		return nil
	}
	s, err := f.msf.stream(f.dbi.symbols, "symbol records")
	f.notes.error(err)
	f.records = s
	f.notes.error(s.eachRecord(f.addPublic))
	for _, list := range [][]public{f.publicList, f.dataList} {
		slices.SortFunc(list, func(a, b public) int { return cmp.Or(cmp.Compare(a.rva, b.rva), cmp.Compare(a.at, b.at)) })
	}
	return f.publicList
}

// addPublic adds a public symbol to those that are code or to those that are data.
func (f *File) addPublic(r record) {
	if r.kind != symPublic && r.kind != symPublicST || r.at > math.MaxUint32 {
		return
	}
	sect, off, _, err := parsePublic(r)
	f.notes.error(err)
	rva, ok := f.addr.rva(sect, off)
	list := &f.dataList
	if f.addr.isCode(sect) {
		list = &f.publicList
	}
	if ok && err == nil {
		*list = append(*list, public{rva, uint32(r.at)})
	}
}

// eachRecord reads a stream of symbol records in pieces.
func (s *stream) eachRecord(do func(record)) error { return s.eachRecordFrom(0, do) }

func (s *stream) eachRecordFrom(at int64, do func(record)) error {
	for at < s.size {
		data, err := s.read(at, uint64(min(recordsRead, s.size-at)))
		if err != nil {
			return err
		}
		off := int64(0)
		for {
			r, next, ok := nextRecord(data, off, at)
			if !ok {
				break
			}
			do(r)
			off = next
		}
		if off == 0 || s.size-at <= recordsRead && off < int64(len(data)) {
			c, _ := s.cursor(at+off, 0)
			c.Fail("a symbol record reaches beyond the end, %d bytes are left", int64(len(data))-off)
			return c.Err()
		}
		at += off
	}
	return nil
}

func (s *stream) recordAt(at int64) ([]byte, error) {
	head, err := s.read(at, 2)
	if err != nil {
		return nil, err
	}
	return s.read(at, 2+uint64(binary.LittleEndian.Uint16(head)))
}

// parsePublic reads S_PUB32: PUBSYM32 of cvinfo.h.
func parsePublic(r record) (sect uint16, off uint32, text string, err error) {
	c := r.cursor("public symbol")
	c.Skip(4) // flags: code, function, managed; not all linkers set them
	off, sect = c.U32(), c.U16()
	text = name(c, r.kind == symPublicST)
	return sect, off, text, c.Err()
}

func (f *File) publicName(p public) string {
	if f.publicRecords != nil {
		return publicText(f.publicRecords, int64(p.at))
	}
	if text, ok := f.publicNames.Get(p.at); ok {
		return text
	}
	data, err := f.records.recordAt(int64(p.at))
	if err != nil {
		f.notes.error(err)
		return ""
	}
	text := publicText(data, 0)
	f.publicNames.Put(p.at, text, 64+len(text))
	return text
}

func publicText(data []byte, off int64) string {
	r, _, ok := nextRecord(data, off, 0)
	if !ok {
		return ""
	}
	_, _, text, _ := parsePublic(r)
	return text
}

// mostPublicRecords bounds how much of the records is kept in memory for a listing,
// which needs all of them, in an order that is not theirs.
const mostPublicRecords = 64 << 20

// allRecords are the records of public symbols, for a listing; nil when there
// are too many.
func (f *File) allRecords() []byte {
	if f.publics(); f.records == nil || f.records.size > mostPublicRecords {
		return nil
	}
	c, err := f.records.all()
	if err != nil {
		return nil // reading one by one says which is missing
	}
	return c.Bytes(c.Len())
}

// publicsAt returns the public symbols at an internal address.
func (f *File) publicsAt(rva uint32) []public {
	if f.state.Searching() {
		return f.searchPublics(rva)
	}
	list := f.publics()
	i := sort.Search(len(list), func(i int) bool { return list[i].rva >= rva })
	j := i
	for j < len(list) && list[j].rva == rva && j-i < maxAliases {
		j++
	}
	return list[i:j]
}

// maxAliases bounds how many names of one address are looked at. Empty
// functions share their code by the thousands.
const maxAliases = 16

// public is the answer for an address outside of functions.
//
// The symbol below it is taken when both are in one section, and no piece of
// the program and no function begins between them. The bytes between two
// pieces count as part of the one before.
func (f *File) public(rva uint32, rel uint64) (hit, bool) {
	list := f.publics()
	i := sort.Search(len(list), func(i int) bool { return list[i].rva > rva }) - 1
	if i < 0 {
		return hit{}, false
	}
	start := list[i].rva
	if startsIn(f.owners(), start+1, rva) || f.addr.sectionOf(start) != f.addr.sectionOf(rva) {
		return hit{}, false
	}
	if owner, ok := f.owners().Find(uint64(start)); ok && startsIn(&f.unit(int(owner.Value)).byAddr, start, rva) {
		return hit{}, false
	}
	image, ok := f.addr.blockOf(start, rel)
	if !ok {
		return hit{}, false
	}
	h := hit{named: f.publicNamed(start), start: image, public: true}
	return h, h.name != ""
}

// namesAt are the symbols of the code at an internal address: those that are not data, and not
// `vector deleting destructor'. If no class needs one, it is another name of `scalar deleting
// destructor', and says nothing of functions that share code.
func (f *File) namesAt(rva uint32) (names []string) {
	var vector []string
	for _, p := range f.publicsAt(rva) {
		switch text := f.publicName(p); {
		case text == "" || isConstant(text):
		case strings.HasPrefix(text, "??_E"):
			vector = append(vector, text)
		default:
			names = append(names, text)
		}
	}
	if len(names) == 0 {
		return vector
	}
	return names
}

// publicNamed is what the symbols at an address call it: the first of them.
func (f *File) publicNamed(rva uint32) (n named) {
	names := f.namesAt(rva)
	if len(names) == 0 {
		return n
	}
	n = named{name: names[0], multiple: len(names) > 1}
	if plain, size, _ := f.undecorate(n.name); plain != "" {
		n.name, n.linkage, n.params = plain, names[0], size
	}
	return n
}

// isConstant reports whether a symbol is a string or a floating point number,
// which compilers of Windows itself put among code.
func isConstant(name string) bool {
	for _, prefix := range []string{"??_C@", "__real@", "__xmm@", "__ymm@", "__zmm@"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// vtableNames are the prefixes of linkage names of vtables: Microsoft's, and those of the Itanium
// C++ ABI, section 5.1.4.1.
var vtableNames = []string{"??_7", "_ZTV"}

// DataAt returns the linker's name of the variable or other data that begins at an address, or of the vtable that begins before it, and
// where that begins; "" for none, and for data with several names. Public symbols have no size, and static variables have none: an address
// behind the beginning of a variable may be in one without a symbol.
func (f *File) DataAt(rel uint64) (linkage string, start uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	rva, added, ok := f.addr.internal(rel)
	f.publics() // reads those of data, too
	list := f.dataList
	n := sort.Search(len(list), func(i int) bool { return list[i].rva > rva })
	if !ok || added || n == 0 || n > 1 && list[n-2].rva == list[n-1].rva {
		return "", 0
	}
	text, behind := f.publicName(list[n-1]), uint64(rva-list[n-1].rva)
	if behind > 0 && !slices.ContainsFunc(vtableNames, func(prefix string) bool { return strings.HasPrefix(text, prefix) }) {
		return "", 0
	}
	return text, rel - behind
}
