package elf

import (
	"cmp"
	"encoding/binary"
	"slices"

	"crashglass/core/base/bin"
)

// stubs are the stubs of a file, in the order of addresses.
type stubs struct {
	list    []stub
	strings []*bin.Pager
}

// A symbolName is where a name is.
type symbolName struct {
	at      uint32 // in the strings; 0 for none
	strings int    // which strings
}

// maxTableCode bounds the code of one procedure linkage table. A browser's table has some hundred
// KiB.
const maxTableCode = 4 << 20

// linkageTables are the sections with stubs. .plt has stubs of functions that are found at their
// first call. If branches need marked targets (IBT), .plt has the first parts of stubs and .plt.sec
// the second parts. .plt.got has stubs of functions whose address is taken, too.
var linkageTables = []string{".plt", ".plt.sec", ".plt.got"}

// readStubs names the stubs for calls of other modules, which have no symbols of their own. A
// relocation fills the word through which a stub jumps, and the relocation has the symbol. A stub
// without a relocation has no name. All relocations may have to be read, so this happens only when
// an address in a stub is looked up.
func (f *File) readStubs() *stubs {
	t := &stubs{}
	for _, from := range append([]*File{f}, f.attached...) {
		if t.list = from.findStubs(); len(t.list) == 0 {
			continue
		}
		slots := map[uint64]symbolName{}
		for _, s := range t.list {
			slots[s.slot] = symbolName{}
		}
		from.nameSlots(t, slots)
		for i, s := range t.list {
			t.list[i].name = slots[s.slot]
		}
		break
	}
	return t
}

// findStubs decodes the tables, in the order of addresses.
func (f *File) findStubs() (out []stub) {
	form, ok := stubsByMachine[f.h.machine]
	if !ok || f.h.order != binary.LittleEndian {
		return nil
	}
	for _, name := range linkageTables {
		s := f.find(name)
		if s == nil || !s.executable() || s.addr < f.base {
			continue
		}
		raw := f.raw(s)
		if raw.Size() == 0 {
			continue
		}
		data, err := raw.ReadUpTo("elf: section "+name, 0, maxTableCode)
		if err != nil {
			f.note("%v", err)
			continue
		}
		out = append(out, form.in(data, s.addr, f.base, f.got())...)
	}
	slices.SortStableFunc(out, func(a, b stub) int { return cmp.Compare(a.addr, b.addr) })
	return out
}

// in decodes the code of one table. A stub ends where the next one begins.
func (form stubsOf) in(code []byte, addr, base, got uint64) (out []stub) {
	for i := uint64(0); i < uint64(len(code)); i += form.step {
		slot, in, ok := form.decode(code[i:], code[:i], addr+i, got)
		if !ok {
			continue
		}
		at := addr + i - in - base
		if n := len(out); n > 0 {
			out[n-1].size = min(out[n-1].size, at-out[n-1].addr)
		}
		out = append(out, stub{addr: at, size: min(form.most, uint64(len(code))-i+in), slot: slot})
	}
	return out
}

// nameSlots finds the symbols of words among the relocations of the file.
func (f *File) nameSlots(t *stubs, slots map[uint64]symbolName) {
	for i := range f.sects {
		s := &f.sects[i]
		if s.kind != secRela && s.kind != secRel || s.flags&secCompressed != 0 || uint64(s.link) >= uint64(len(f.sects)) {
			continue
		}
		symbols := &f.sects[s.link]
		if symbols.kind != secDynSymbols || uint64(symbols.link) >= uint64(len(f.sects)) || len(t.strings) >= maxTables {
			continue
		}
		t.strings = append(t.strings, bin.NewPager("elf: strings of "+symbols.name, f.data(&f.sects[symbols.link]), stringsInCache))
		names := bin.NewPager("elf: section "+symbols.name, f.data(symbols), stringsInCache)
		f.eachSlot(s, func(slot uint64, symbol uint32) {
			if _, asked := slots[slot]; !asked {
				return
			}
			if there := names.Size() / f.symbolSize(); int64(symbol) >= there {
				f.note("elf: section %s at %#x: symbol %d, there are %d", s.name, s.off, symbol, there)
				return
			}
			data, err := names.Bytes(int64(symbol)*f.symbolSize(), 4)
			if err != nil {
				f.note("%v", err)
				return
			}
			slots[slot] = symbolName{f.h.order.Uint32(data), len(t.strings) - 1}
		})
	}
}

func (f *File) symbolSize() int64 {
	if f.h.is64 {
		return symbolSize64
	}
	return symbolSize32
}

// eachSlot goes through the relocations of a section that are of slots.
func (f *File) eachSlot(s *section, use func(slot uint64, symbol uint32)) {
	size := uint64(2 * f.h.wordSize())
	if s.kind == secRela {
		size += uint64(f.h.wordSize())
	}
	raw := f.raw(s)
	kinds := stubsByMachine[f.h.machine].fills
	for off := uint64(0); off+size <= uint64(raw.Size()); off += size * symbolsAtOnce {
		data, err := raw.ReadUpTo("elf: section "+s.name, int64(off), size*symbolsAtOnce)
		if err != nil {
			f.note("%v", err)
			return
		}
		c := bin.NewOrderedCursor("elf: section "+s.name, int64(s.off+off), data, f.h.order)
		for uint64(c.Len()) >= size {
			slot, info := f.h.word(c), f.h.word(c)
			c.Skip(int(size) - 2*f.h.wordSize())
			kind, symbol := uint32(info)&0xff, uint32(info>>8)
			if f.h.is64 {
				kind, symbol = uint32(info), uint32(info>>32)
			}
			if kind == kinds[0] || kind == kinds[1] {
				use(slot, symbol)
			}
		}
	}
}

// at returns the name of the stub at an address, and its start.
func (t *stubs) at(rel uint64) (name string, start uint64, ok bool) {
	i, same := slices.BinarySearchFunc(t.list, rel, func(s stub, rel uint64) int { return cmp.Compare(s.addr, rel) })
	if !same {
		i--
	}
	if i < 0 || rel-t.list[i].addr >= t.list[i].size || t.list[i].name.at == 0 {
		return "", 0, false
	}
	s := &t.list[i]
	name, err := t.strings[s.name.strings].String(int64(s.name.at), maxSymbolName)
	return name + "@plt", s.addr, err == nil && name != ""
}
