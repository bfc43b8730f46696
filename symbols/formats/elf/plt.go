package elf

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/core/base/sorting"
)

// stubs are the stubs of a file, in the order of addresses.
type stubs struct {
	list    []stub
	strings []*bin.Pager
}

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
	sorting.Stable(out, func(a, b stub) int { return cmp.Compare(a.addr, b.addr) })
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
			if _, known := slots[slot]; !known {
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

func (f *File) symbolSize() int64 { return int64(f.h.sized(symbolSize32, symbolSize64)) }

// eachSlot goes through the relocations of a section that are of slots.
func (f *File) eachSlot(s *section, use func(slot uint64, symbol uint32)) {
	kinds := stubsByMachine[f.h.machine].fills
	if err := f.eachRelocation(s, s.size, func(r relocation) bool {
		if r.kind == kinds[0] || r.kind == kinds[1] {
			use(r.at, r.symbol)
		}
		return true
	}); err != nil {
		f.note("%v", err)
	}
}

// A relocation is an entry of a section of relocations.
type relocation struct {
	at           uint64
	kind, symbol uint32
	addend       uint64 // 0 in sections without addends
}

// eachRelocation goes through the relocations in the first bytes of a section, until use returns false.
func (f *File) eachRelocation(s *section, most uint64, use func(relocation) bool) error {
	size := uint64(2 * f.h.wordSize())
	if s.kind == secRela {
		size += uint64(f.h.wordSize())
	}
	raw := f.raw(s)
	for off := uint64(0); off+size <= min(uint64(raw.Size()), most); off += size * symbolsAtOnce {
		data, err := raw.ReadUpTo("elf: section "+s.name, int64(off), size*symbolsAtOnce)
		if err != nil {
			return err
		}
		c := bin.NewOrderedCursor("elf: section "+s.name, int64(s.off+off), data, f.h.order)
		for uint64(c.Len()) >= size {
			at, info := f.h.word(c), f.h.word(c)
			r := relocation{at: at, kind: uint32(info) & 0xff, symbol: uint32(info >> 8)}
			if f.h.is64 {
				r.kind, r.symbol = uint32(info), uint32(info>>32)
			}
			if s.kind == secRela {
				r.addend = f.h.word(c)
			}
			if !use(r) {
				return nil
			}
		}
	}
	return nil
}

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

// A stub is an entry of a procedure linkage table: code that jumps to the address in a word of the
// global offset table.
type stub struct {
	addr, size uint64 // relative to the base
	slot       uint64 // the word's address, as the file has it
	name       symbolName
}

// stubsOf finds the stubs of a CPU in a table. decode gets the code from an address that is a
// multiple of step. It returns the word that the stub jumps by, the number of the stub's bytes
// before that code, and whether the code is a stub. No stub is longer than most bytes. The words
// are filled by relocations of two types, R_*_GLOB_DAT and R_*_JUMP_SLOT.
type stubsOf struct {
	step, most uint64
	fills      [2]uint32
	decode     func(code []byte, before []byte, addr, got uint64) (slot, in uint64, ok bool)
}

// stubsByMachine are the stubs that GNU ld and lld write, by the machine in ELF's header. Stubs against
// speculation (retpolines) are not recognized, because they jump elsewhere.
var stubsByMachine = map[uint16]stubsOf{
	machine386:   {8, 16, [2]uint32{6, 7}, stub386},
	machineAMD64: {8, 16, [2]uint32{6, 7}, stubAMD64},
	machineARM:   {4, 20, [2]uint32{21, 22}, stubARM},
	machineARM64: {4, 24, [2]uint32{1025, 1026}, stubARM64},
}

// intelJump steps over endbr and the prefix bnd, and returns the two bytes of a
// jump, its operand and how many bytes there are up to its end.
func intelJump(code []byte) (opcode uint16, operand uint32, size int) {
	if len(code) >= 4 && code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3]&0xfe == 0xfa {
		size = 4
	}
	if len(code) > size && code[size] == 0xf2 {
		size++
	}
	if len(code) < size+6 {
		return 0, 0, 0
	}
	code = code[size:]
	return uint16(code[0])<<8 | uint16(code[1]), binary.LittleEndian.Uint32(code[2:]), size + 6
}

// stubAMD64 is jmp *slot(%rip). System V ABI, AMD64, figure 5.2, and chapter 13
// for those of two parts: the first of them, in .plt, jump by no word.
func stubAMD64(code, _ []byte, addr, _ uint64) (slot, in uint64, ok bool) {
	opcode, operand, size := intelJump(code)
	return addr + uint64(size) + uint64(int32(operand)), 0, opcode == 0xff25
}

// stub386 is jmp *slot, or jmp *slot(%ebx) where ebx has the address of the
// global offset table. System V ABI, Intel386, figures 5-3 and 5-4.
func stub386(code, _ []byte, _, got uint64) (slot, in uint64, ok bool) {
	opcode, operand, _ := intelJump(code)
	if opcode == 0xffa3 {
		operand += uint32(got)
	}
	return uint64(operand), 0, opcode == 0xff25 || opcode == 0xffa3
}

// stubARM64 is adrp x16, page; ldr x17, [x16, #offset], with bti c in front
// where branches have targets. ELF for the Arm 64-bit Architecture, appendix.
func stubARM64(code, before []byte, addr, _ uint64) (slot, in uint64, ok bool) {
	if len(code) < 8 {
		return 0, 0, false
	}
	adrp, ldr := binary.LittleEndian.Uint32(code), binary.LittleEndian.Uint32(code[4:])
	if adrp&0x9f00001f != 0x90000010 || ldr&0xffc003ff != 0xf9400211 {
		return 0, 0, false
	}
	pages := int64(int32(adrp>>5&0x7ffff<<13)) >> 11 // immhi, signed, with room for immlo
	pages |= int64(adrp >> 29 & 3)
	const btiC = 0xd503245f
	if n := len(before); n >= 4 && binary.LittleEndian.Uint32(before[n-4:]) == btiC {
		in = 4
	}
	return addr&^0xfff + uint64(pages<<12) + uint64(ldr>>10&0xfff)*8, in, true
}

// stubARM is add ip, pc, #a; add ip, ip, #b, once or twice; ldr pc, [ip, #c]!,
// with bx pc; nop in front for callers in Thumb code. ELF for the Arm Architecture, appendix A.
func stubARM(code, before []byte, addr, _ uint64) (slot, in uint64, ok bool) {
	word := func(i int) uint32 {
		if len(code) < 4*i+4 {
			return 0
		}
		return binary.LittleEndian.Uint32(code[4*i:])
	}
	immediate := func(insn uint32) uint32 { return bits.RotateLeft32(insn&0xff, -int(insn>>8&15*2)) }
	if word(0)&0xfffff000 != 0xe28fc000 {
		return 0, 0, false
	}
	sum, i := uint32(addr)+8+immediate(word(0)), 1
	for ; i <= 2 && word(i)&0xfffff000 == 0xe28cc000; i++ {
		sum += immediate(word(i))
	}
	const bxPC = 0x46c04778
	if n := len(before); n >= 4 && binary.LittleEndian.Uint32(before[n-4:]) == bxPC {
		in = 4
	}
	return uint64(sum + word(i)&0xfff), in, word(i)&0xfffff000 == 0xe5bcf000
}
