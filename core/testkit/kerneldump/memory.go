package kerneldump

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
)

// PageSize is the size of a physical page.
const PageSize = 4096

// A Memory is physical memory with page tables. Tables take pages from 0x100 on.
type Memory struct {
	Pages map[uint64][]byte // by their numbers
	Root  uint64            // address of the first table
	shape Shape
	next  uint64
}

// A Shape is a kind of page tables: the bits of an address that index each level, from the first one on, and the flags of entries.
type Shape struct {
	Bits                []uint // of each level; 12 bits remain
	Entry               int    // size of an entry
	Table, Page, Larger uint64 // flags of entries that refer to a table, a page, and a page at a level above the last
}

// The shapes. Sources: Intel SDM, volume 3, chapter 4; Arm ARM, D8.3 (4 KiB granule).
var (
	Four  = Shape{[]uint{9, 9, 9, 9}, 8, 3, 3, 0x83}
	Five  = Shape{[]uint{9, 9, 9, 9, 9}, 8, 3, 3, 0x83}
	PAE   = Shape{[]uint{2, 9, 9}, 8, 1, 3, 0x83}
	Short = Shape{[]uint{10, 10}, 4, 3, 3, 0x83}
	Arm   = Shape{[]uint{9, 9, 9, 9}, 8, 3, 0x703, 0x701}
)

// NewMemory returns memory with an empty first table.
func NewMemory(s Shape) *Memory {
	m := &Memory{Pages: map[uint64][]byte{}, shape: s, next: 0x100}
	m.Root = m.table()
	return m
}

func (m *Memory) table() uint64 {
	page := m.next
	m.next++
	m.Pages[page] = make([]byte, PageSize)
	return page * PageSize
}

// Entry returns the physical address of the entry of an address at a level, and makes the tables above it.
func (m *Memory) Entry(addr uint64, level int) uint64 {
	table, shift := m.Root, uint(12)
	for _, b := range m.shape.Bits {
		shift += b
	}
	for i := 0; ; i++ {
		shift -= m.shape.Bits[i]
		at := table + addr>>shift&(1<<m.shape.Bits[i]-1)*uint64(m.shape.Entry)
		if i == level {
			return at
		}
		if table = m.Get(at) &^ 0xfff & 0x000f_ffff_ffff_ffff; table == 0 {
			table = m.table()
			m.Put(at, table|m.shape.Table)
		}
	}
}

// Get and Put read and write an entry.
func (m *Memory) Get(at uint64) uint64 {
	p := m.Pages[at/PageSize][at%PageSize:]
	if m.shape.Entry == 4 {
		return uint64(le.Uint32(p))
	}
	return le.Uint64(p)
}

// Put writes an entry.
func (m *Memory) Put(at, v uint64) {
	p := m.Pages[at/PageSize][at%PageSize:]
	if m.shape.Entry == 4 {
		le.PutUint32(p, uint32(v))
		return
	}
	le.PutUint64(p, v)
}

// Map maps a page of an address to a physical page. Above says how many levels above the last it is: 1 for 2 MiB, 2 for 1 GiB.
func (m *Memory) Map(addr, page uint64, above int) {
	flags := m.shape.Page
	if above > 0 {
		flags = m.shape.Larger
	}
	m.Put(m.Entry(addr, len(m.shape.Bits)-1-above), page*PageSize|flags)
}

// Write maps pages from an address on and fills them; page is the first physical one.
func (m *Memory) Write(addr, page uint64, data []byte) {
	for len(data) > 0 {
		in := addr % PageSize
		if m.Pages[page] == nil {
			m.Pages[page] = make([]byte, PageSize)
		}
		m.Map(addr-in, page, 0)
		n := copy(m.Pages[page][in:], data)
		data, addr, page = data[n:], addr+uint64(n), page+1
	}
}

// numbers are the numbers of the pages in order.
func (m *Memory) numbers() []uint64 { return slices.Sorted(maps.Keys(m.Pages)) }

// bytes are the pages in order.
func (m *Memory) bytes() (out []byte) {
	for _, n := range m.numbers() {
		out = append(out, m.Pages[n]...)
	}
	return out
}

// Full returns runs and body of a full dump.
func (m *Memory) Full() (runs [][2]uint64, body []byte) {
	for _, n := range m.numbers() {
		if i := len(runs) - 1; i >= 0 && runs[i][0]+runs[i][1] == n {
			runs[i][1]++
			continue
		}
		runs = append(runs, [2]uint64{n, 1})
	}
	return runs, m.bytes()
}

// Bitmap returns the body of a dump with a bitmap; its header has header bytes.
func (m *Memory) Bitmap(header int) []byte {
	numbers := m.numbers()
	bits := numbers[len(numbers)-1] + 1
	bitmap := make([]byte, (bits+7)/8)
	for _, n := range numbers {
		bitmap[n/8] |= 1 << (n % 8)
	}
	out := append([]byte("SDMPDUMP"), make([]byte, 0x18)...)
	first := header + 0x38 + len(bitmap)
	first += -first & 0xfff
	out = le.AppendUint64(le.AppendUint64(le.AppendUint64(out, uint64(first)), uint64(len(numbers))), bits)
	out = append(out, bitmap...)
	out = append(out, make([]byte, first-header-len(out))...)
	return append(out, m.bytes()...)
}

// Ranges returns the body of a dump with ranges of pages.
func (m *Memory) Ranges(header int) []byte {
	runs, pages := m.Full()
	size := 0x10 + 16*len(runs)
	out := le.AppendUint32(nil, 0x40)
	out = append(out, "RDMPDUMP\x00\x00\x00\x00"...)
	out = le.AppendUint64(le.AppendUint64(out, uint64(size)), uint64(header+0x20+size))
	out = append(out, make([]byte, 0x10)...)
	for _, r := range runs {
		out = le.AppendUint64(le.AppendUint64(out, r[0]), r[1])
	}
	return append(out, pages...)
}

// List adds PsLoadedModuleList with drivers to memory, and returns its address.
func (m *Memory) List(t testing.TB, a *cpu.Arch, drivers ...Driver) uint64 {
	word := a.Word
	s := asm.At(High(a, 0x20_0000))
	s.Mark("head").RefN(word, "entry0").RefN(word, fmt.Sprintf("entry%d", len(drivers)-1))
	for i, d := range drivers {
		next := fmt.Sprintf("entry%d", i+1)
		if i == len(drivers)-1 {
			next = "head"
		}
		s.Mark(fmt.Sprintf("entry%d", i)).RefN(word, next).Zeros(5*word).Word(word, d.Base, 0).U32(d.Size).Zeros(word - 4)
		n := uint16(2 * len(d.Name))
		s.U16(n, n).Zeros(word-4).RefN(word, fmt.Sprintf("name%d", i)).Zeros(0xa0)
	}
	for i, d := range drivers {
		s.Mark(fmt.Sprintf("name%d", i)).UTF16(d.Name)
	}
	m.Write(s.Base(), 0x10, s.Build(t))
	return s.Base()
}
