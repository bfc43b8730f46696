package elf

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
)

// Types of symbols (the low half of st_info).
const (
	symbolFunction = 2
	symbolIndirect = 10 // STT_GNU_IFUNC: the address is that of a resolver, which is code, too
)

// Sections that are none (st_shndx).
const (
	undefined      = 0
	firstReserved  = 0xff00
	extendedIndex  = 0xffff // SHN_XINDEX: another table has the number
	symbolSize32   = 16
	symbolSize64   = 24
	maxSymbolName  = 64 << 10
	symbolsAtOnce  = 4096
	stringsInCache = 16 << 20
)

// A symbol is the name of code.
type symbol struct {
	addr, size uint64
	name       uint32 // where its name is in the strings, or the number of a section
	strings    int16  // which strings; bySection when the name is made of a section's
	binding    uint8
	multiple   bool // another name has this address
}

// Bindings of symbols (the high half of st_info), in the order of their precedence.
const (
	bindingLocal = iota
	bindingWeak
	bindingGlobal
)

// bindings are STB_LOCAL, STB_GLOBAL, STB_WEAK and STB_GNU_UNIQUE.
var bindings = [16]uint8{0: bindingLocal, 1: bindingGlobal, 2: bindingWeak, 10: bindingGlobal}

// bySection marks a symbol for the code of a section that no symbol names.
const bySection = -1

// A symtab is all symbols of code in the order of their addresses.
type symtab struct {
	list     []symbol
	aliases  []symbol // further symbols of an address in list, in the order of addresses
	strings  []*bin.Pager
	sections []string
}

// parseSymbol reads one entry. Its section's index is among the results.
func (f *File) parseSymbol(c *bin.Cursor) (s symbol, kind uint8, index uint16) {
	var info uint8
	s.name = c.U32()
	if f.h.is64 {
		info = c.U8()
		c.Skip(1)
		index = c.U16()
		s.addr, s.size = c.U64(), c.U64()
	} else {
		s.addr, s.size = uint64(c.U32()), uint64(c.U32())
		info = c.U8()
		c.Skip(1)
		index = c.U16()
	}
	s.binding = bindings[info>>4]
	return s, info & 15, index
}

func (f *File) addTables(t *symtab, kind uint32) {
	for i := range f.sects {
		if s := &f.sects[i]; s.kind == kind && len(t.strings) < maxTables {
			opd := f.descriptors()
			f.addSymbols(t, s, func(s *symbol, kind uint8, index uint16) bool { return f.placeSymbol(s, kind, index, opd) })
		}
	}
}

func (f *File) addSymbols(t *symtab, table *section, place func(s *symbol, kind uint8, index uint16) bool) {
	entry := uint64(f.symbolSize())
	if uint64(table.link) >= uint64(len(f.sects)) {
		f.note("elf: section %s at %#x: strings in section %d, there are %d", table.name, table.off, table.link, len(f.sects))
		return
	}
	raw := f.data(table)
	t.strings = append(t.strings, bin.NewPager("elf: strings of "+table.name, f.data(&f.sects[table.link]), stringsInCache))
	for off := uint64(0); off+entry <= uint64(raw.Size()); off += entry * symbolsAtOnce {
		data, err := raw.ReadUpTo("elf: section "+table.name, int64(off), entry*symbolsAtOnce)
		if err != nil {
			f.note("%v", err)
			return
		}
		c := bin.NewOrderedCursor("elf: section "+table.name, int64(table.off+off), data, f.h.order)
		for uint64(c.Len()) >= entry {
			s, kind, index := f.parseSymbol(c)
			s.strings = int16(len(t.strings) - 1)
			if place(&s, kind, index) {
				t.list = append(t.list, s)
			}
		}
	}
}

// placeSymbol reports whether a symbol names code, and finds its address in the module. ARM's
// mapping symbols ($a, $t, $d) mark no functions, and their type says so.
func (f *File) placeSymbol(s *symbol, kind uint8, index uint16, opd *descriptors) bool {
	if kind != symbolFunction && kind != symbolIndirect || index == undefined || s.name == 0 {
		return false
	}
	if index < firstReserved && int(index) < len(f.sects) {
		sect := &f.sects[index]
		if opd != nil && sect == opd.section {
			s.addr = opd.code(s.addr)
		} else if !sect.executable() {
			return false
		}
	} else if index != extendedIndex {
		return false
	}
	if f.isPlaced() && index < firstReserved {
		s.addr += f.sects[index].addr
	}
	if f.h.machine == machineARM {
		s.addr &^= 1 // of functions in Thumb code
	}
	if s.addr < f.base {
		return false
	}
	if index < firstReserved && s.size > f.sects[index].addr+f.sects[index].size-s.addr && f.sects[index].executable() {
		s.size = 0 // it leaves the section: hand-written assembly with a wrong .size
	}
	s.addr -= f.base
	return true
}

func (f *File) data(s *section) bin.Source {
	if s.flags&secCompressed != 0 {
		return f.compressed(s)
	}
	if f.isPlaced() {
		return f.relocated(s, f.raw(s))
	}
	return f.raw(s)
}

// readSymbols reads all tables of symbols of this file and of those attached.
func (f *File) readSymbols() *symtab {
	t := &symtab{}
	for _, kind := range []uint32{secSymbols, secDynSymbols} {
		for _, from := range append([]*File{f}, f.attached...) {
			from.addTables(t, kind)
		}
	}
	if mini := f.miniDebug(); mini != nil {
		mini.addTables(t, secSymbols)
	}
	f.addSections(t)
	t.finish()
	return t
}

// maxTables bounds the tables of symbols; files have two.
const maxTables = 64

// addSections is used where no symbol begins with the section: for the linker's code in .plt, and for the whole .text of a stripped program.
func (f *File) addSections(t *symtab) {
	name := f.opt.Name
	if f.soname != "" {
		name = f.soname
	}
	if name == "" {
		name = "unknown"
	}
	for i := range f.sects {
		s := &f.sects[i]
		if s.executable() && s.addr >= f.base && s.size > 0 {
			t.list = append(t.list, symbol{addr: s.addr - f.base, strings: bySection, name: uint32(len(t.sections))})
			t.sections = append(t.sections, "<"+s.name+" ELF section in "+name+">")
		}
	}
}

// finish sorts the symbols. If several have one address, the largest is used, and of those the first of
// the first table: glibc's assembly has aliases without a size. A symbol that ends inside another one is
// a label in it.
func (t *symtab) finish() {
	slices.SortStableFunc(t.list, func(a, b symbol) int {
		return cmp.Or(cmp.Compare(a.addr, b.addr), cmp.Compare(b.size, a.size))
	})
	kept := t.list[:0]
	var end uint64 // of the last symbol that was kept
	for _, s := range t.list {
		if n := len(kept); n > 0 && kept[n-1].addr == s.addr {
			if s.strings != bySection {
				t.aliases = append(t.aliases, s)
				kept[n-1].multiple = true
			}
			continue
		}
		if s.addr < end && s.size <= end-s.addr {
			t.aliases = append(t.aliases, s)
			continue
		}
		kept, end = append(kept, s), s.addr+s.size
	}
	t.list = slices.Clip(kept)
}

func (t *symtab) below(rel uint64) (symbol, bool) {
	i := startsUpTo(t.list, rel)
	if i == 0 {
		return symbol{}, false
	}
	return t.list[i-1], true
}

// startsUpTo is how many symbols of a sorted list start at an address or below.
func startsUpTo(list []symbol, rel uint64) int {
	return sort.Search(len(list), func(i int) bool { return list[i].addr > rel })
}

// Len, Start and Public make a [dwarf.Table] of the symbols.
func (t *symtab) Len() int { return len(t.list) }

// Start returns the address of a symbol.
func (t *symtab) Start(i int) uint64 { return t.list[i].addr }

// Public returns a symbol with its name.
func (t *symtab) Public(i int) symbolize.Public {
	s := t.list[i]
	return symbolize.Public{Name: t.nameOf(s), Start: s.addr, Multiple: s.multiple}
}

// nameOf returns the name of a symbol, "" when it cannot be read.
func (t *symtab) nameOf(s symbol) string {
	if s.strings == bySection {
		return t.sections[s.name]
	}
	name, err := t.strings[s.strings].String(int64(s.name), maxSymbolName)
	if err != nil {
		return ""
	}
	return name
}

// maxAliases bounds the names of one address that are read to choose one.
const maxAliases = 64

// shown returns the name of a symbol for stacks, of several names of its code: a global name before a weak and a local
// one, then that with fewer underscores in front (clone3, not __clone3 or __GI___clone3), then the first.
func (t *symtab) shown(s symbol) string {
	name := t.nameOf(s)
	if !s.multiple {
		return name
	}
	first := startsUpTo(t.aliases, s.addr-min(s.addr, 1))
	if s.addr == 0 {
		first = 0
	}
	for _, other := range t.aliases[first:min(first+maxAliases, startsUpTo(t.aliases, s.addr))] {
		if other.size != s.size || other.binding < s.binding {
			continue
		}
		if o := t.nameOf(other); o != "" && (other.binding > s.binding || underscores(o) < underscores(name)) {
			s, name = other, o
		}
	}
	return name
}

func underscores(name string) int { return len(name) - len(strings.TrimLeft(name, "_")) }

// linkage returns the linkage name of the function at an address: the requested one if there are
// several.
func (t *symtab) linkage(rel uint64, wanted string) string {
	i := startsUpTo(t.list, rel)
	if i == 0 || t.list[i-1].addr != rel || t.list[i-1].strings == bySection {
		return ""
	}
	name := t.nameOf(t.list[i-1])
	if name == wanted || wanted == "" {
		return name
	}
	for k := startsUpTo(t.aliases, rel) - 1; k >= 0 && t.aliases[k].addr == rel; k-- {
		if other := t.nameOf(t.aliases[k]); other == wanted {
			return other
		}
	}
	return name
}
