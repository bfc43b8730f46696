package macho

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
)

// Bits of n_type.
const (
	symbolDebug   = 0xe0 // N_STAB
	symbolType    = 0x0e
	symbolSection = 0x0e // N_SECT

	maxSymbolName = 64 << 10
	symbolsAtOnce = 4096
	namesInCache  = 16 << 20
)

// A symbol is the name of code.
type symbol struct {
	addr     uint64
	name     uint32
	text     uint8 // which of symbols.names has its name
	multiple bool  // another name has this address
}

// symbols are those of code, in the order of their addresses.
type symbols struct {
	list    []symbol
	aliases []symbol // further symbols of an address in list
	names   []*bin.Pager
	hidden  *SymbolMap
}

// readSymbols reads the symbol table and the exports. A stripped library has only exports.
func (f *File) readSymbols() *symbols {
	t := &symbols{hidden: f.opt.SymbolMap}
	f.addSymbols(t)
	f.addExports(t)
	t.finish()
	return t
}

// addSymbols reads the symbol table (LC_SYMTAB).
func (f *File) addSymbols(t *symbols) {
	t.names = append(t.names, bin.NewPager("macho: names of symbols", f.source("names of symbols", f.symtab.strings), namesInCache))
	f.eachSymbol(func(c *bin.Cursor) {
		if s, ok := f.parseSymbol(c); ok {
			s.text = uint8(len(t.names) - 1)
			t.list = append(t.list, s)
		}
	})
}

// eachSymbol reads a part at a time. A part that cannot be read ends it.
func (f *File) eachSymbol(read func(*bin.Cursor)) {
	entry := uint64(12)
	if f.h.is64 {
		entry = 16
	}
	raw := f.source("symbol table", byteRange{f.symtab.off, f.symtab.count * entry})
	for off := uint64(0); off+entry <= uint64(raw.Size()); off += entry * symbolsAtOnce {
		data, err := raw.ReadUpTo("macho: symbol table", int64(off), entry*symbolsAtOnce)
		if err != nil {
			f.note("%v", err)
			return
		}
		c := bin.NewOrderedCursor("macho: symbol table", int64(off), data, f.h.order)
		for uint64(c.Len()) >= entry {
			read(c)
		}
	}
}

// parseSymbol reads one nlist entry, and reports whether it is one of code.
// Stabs describe sources and are no symbols. Thumb code has a flag in n_desc
// and an even address; old tools set the lowest bit, too.
func (f *File) parseSymbol(c *bin.Cursor) (s symbol, ok bool) {
	s.name = c.U32()
	kind, index := c.U8(), int(c.U8())
	c.U16()
	s.addr = f.h.word(c)
	if kind&symbolDebug != 0 || kind&symbolType != symbolSection || index == 0 || index > len(f.sects) || s.name == 0 {
		return s, false
	}
	if f.h.cpu == cpuARM {
		s.addr &^= 1
	}
	sect := &f.sects[index-1]
	if !sect.isCode() || s.addr < f.base || s.addr-sect.addr >= sect.size {
		return s, false
	}
	s.addr -= f.base
	return s, true
}

// finish sorts the symbols. If several have one address, the first one with a name is used.
func (t *symbols) finish() {
	slices.SortStableFunc(t.list, func(a, b symbol) int { return cmp.Compare(a.addr, b.addr) })
	kept := t.list[:0]
	for _, s := range t.list {
		if n := len(kept); n > 0 && kept[n-1].addr == s.addr {
			t.join(&kept[n-1], s)
			continue
		}
		kept = append(kept, s)
	}
	t.list = slices.Clip(kept)
}

// The export trie repeats the symbol table's.
func (t *symbols) join(first *symbol, s symbol) {
	switch name, other := t.nameOf(*first), t.nameOf(s); {
	case name == other || other == "":
	case name == "" || IsHidden(name) && !IsHidden(other):
		s.multiple = first.multiple
		*first = s
	case !IsHidden(other):
		t.aliases = append(t.aliases, s)
		first.multiple = true
	}
}

// upTo is how many symbols of a sorted list start at an address or below.
func upTo(list []symbol, rel uint64) int {
	return sort.Search(len(list), func(i int) bool { return list[i].addr > rel })
}

// Len, Start and Public make a [dwarf.Table] of the symbols.
func (t *symbols) Len() int { return len(t.list) }

// Start returns the address of a symbol.
func (t *symbols) Start(i int) uint64 { return t.list[i].addr }

// Public returns a symbol with its name.
func (t *symbols) Public(i int) symbolize.Public {
	s := t.list[i]
	return symbolize.Public{Name: t.nameOf(s), Start: s.addr, Multiple: s.multiple}
}

// nameOf returns the name of a symbol without the underscore in front, "" when
// it cannot be read. Apple's own files have a word for names that were removed.
func (t *symbols) nameOf(s symbol) string {
	name, err := t.names[s.text].String(int64(s.name), maxSymbolName)
	if err != nil || name == "<redacted>" {
		return ""
	}
	if IsHidden(name) {
		return t.hidden.symbol(name)
	}
	return strings.TrimPrefix(name, "_")
}

// linkage returns the linkage name of the function at an address: the requested one if there are
// several.
func (t *symbols) linkage(rel uint64, wanted string) string {
	i := upTo(t.list, rel)
	if i == 0 || t.list[i-1].addr != rel {
		return ""
	}
	name := t.nameOf(t.list[i-1])
	if name == wanted || wanted == "" {
		return name
	}
	for k := upTo(t.aliases, rel) - 1; k >= 0 && t.aliases[k].addr == rel; k-- {
		if t.nameOf(t.aliases[k]) == wanted {
			return wanted
		}
	}
	return name
}

// readStarts reads where functions begin (LC_FUNCTION_STARTS): distances, the
// first one from __TEXT, each an unsigned LEB128 number, up to a zero. Of
// Thumb code the lowest bit is set. Without it, symbols tell.
func (f *File) readStarts() (out []uint64) {
	if f.starts.size == 0 {
		for _, s := range f.names().list {
			out = append(out, s.addr)
		}
		return out
	}
	src := f.source("function starts", f.starts)
	data, err := src.ReadUpTo("macho: function starts", 0, uint64(src.Size()))
	if err != nil {
		f.note("%v", err)
	}
	addr := uint64(0)
	for len(data) > 0 {
		delta, n := binary.Uvarint(data)
		if delta == 0 || n <= 0 || addr+delta < addr {
			break
		}
		addr += delta
		data = data[n:]
		if f.h.cpu == cpuARM {
			out = append(out, addr&^1)
		} else {
			out = append(out, addr)
		}
	}
	return out
}

// startBelow returns where the function at an address begins, if that is known.
func (f *File) startBelow(rel uint64) (uint64, bool) {
	starts := f.functions()
	i, ok := slices.BinarySearch(starts, rel)
	if ok {
		return rel, true
	}
	if i == 0 {
		return 0, false
	}
	return starts[i-1], true
}

// startAbove returns where the next function begins, or the limit.
func (f *File) startAbove(rel, limit uint64) uint64 {
	starts := f.functions()
	i, ok := slices.BinarySearch(starts, rel)
	if ok {
		i++
	}
	if i < len(starts) {
		return min(starts[i], limit)
	}
	return limit
}
