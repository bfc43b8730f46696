package macho

import (
	"bytes"
	"testing"

	"crashglass/core/testkit/asm"
)

// A testImage is a Mach-O file in words. Its __text is at 0x1000 from __TEXT,
// and so is it in the file; __unwind_info follows at 0x2000.
type testImage struct {
	cpu, sub, kind uint32
	thin32         bool // 32-bit
	uuid           byte // repeated
	code, unwind   []byte
	stubs          []byte // at 0x1800, as __stubs
	helper         []byte // at 0x1c00, as __stub_helper
	symbols        []testSymbol
	starts         []byte
	dylib          string
	encrypted      bool
	more           []testSection // in a segment __DWARF at 0x10000
	exports        []byte        // behind everything
}

type testSymbol struct {
	name string
	kind uint8
	sect uint8
	desc uint16
	addr uint64
}

type testSection struct {
	name string
	data []byte
}

const testBase = 0x1_0000_0000

func (m *testImage) base() uint64 {
	if m.thin32 {
		return 0x4000
	}
	return testBase
}

func (m *testImage) word() int {
	if m.thin32 {
		return 4
	}
	return 8
}

func name16(s *asm.Section, name string) { s.Text(name).Zeros(16 - len(name)) }

// segment appends a segment command; sections are name, offset from __TEXT,
// size and flags.
func (m *testImage) segment(s *asm.Section, name string, addr, size, off, fileSize uint64, prot uint32, sects func(*asm.Section), n uint32) {
	command, header, each := uint32(0x19), 72, 80
	if m.thin32 {
		command, header, each = 1, 56, 68
	}
	s.U32(command, uint32(header+each*int(n)))
	name16(s, name)
	s.Word(m.word(), addr, size, off, fileSize).U32(7, prot, n, 0)
	if sects != nil {
		sects(s)
	}
}

func (m *testImage) section(s *asm.Section, name, segment string, addr, size uint64, off, flags uint32) {
	name16(s, name)
	name16(s, segment)
	s.Word(m.word(), addr, size).U32(off, 0, 0, 0, flags, 0, 0)
	if !m.thin32 {
		s.U32(0)
	}
}

// commands appends all load commands.
func (m *testImage) commands(s *asm.Section, symOff, strOff, strSize, startsOff uint64) (count uint32) {
	b := m.base()
	m.segment(s, "__TEXT", b, 0x4000, 0, 0x4000, 5, func(s *asm.Section) {
		m.section(s, "__text", "__TEXT", b+0x1000, uint64(len(m.code)), 0x1000, 0x80000400)
		m.section(s, "__stubs", "__TEXT", b+0x1800, uint64(len(m.stubs)), 0x1800, 0x80000408)
		m.section(s, "__stub_helper", "__TEXT", b+0x1c00, uint64(len(m.helper)), 0x1c00, 0x80000400)
		m.section(s, "__unwind_info", "__TEXT", b+0x2000, uint64(len(m.unwind)), 0x2000, 0)
	}, 4)
	m.segment(s, "__DATA", b+0x4000, 0x1000, 0x3000, 0x10, 3, nil, 0)
	s.U32(0x1b, 24).Bytes(bytes.Repeat([]byte{m.uuid}, 16))
	s.U32(2, 24, uint32(symOff), uint32(len(m.symbols)), uint32(strOff), uint32(strSize))
	s.U32(0x26, 16, uint32(startsOff), uint32(len(m.starts)))
	count = 5
	if m.dylib != "" {
		s.U32(0xd, uint32(24+len(m.dylib)+8)&^7, 24, 0, 0, 0).Text(m.dylib).Zeros((len(m.dylib)+8)&^7 - len(m.dylib))
		count++
	}
	if m.encrypted {
		s.U32(0x2c, 24, 0x1000, 0x1000, 1, 0)
		count++
	}
	if len(m.more) > 0 {
		m.segment(s, "__DWARF", b+0x10000, 0x8000, 0x4000, 0x8000, 3, func(s *asm.Section) {
			off := uint32(0x4000)
			for _, sect := range m.more {
				m.section(s, sect.name, "__DWARF", b+0xc000+uint64(off), uint64(len(sect.data)), off, 0x0200_0000)
				off += uint32(len(sect.data))
			}
		}, uint32(len(m.more)))
		count++
	}
	if len(m.exports) > 0 {
		s.U32(0x8000_0033, 16, uint32(m.exportsAt()), uint32(len(m.exports)))
		count++
	}
	return count
}

// exportsAt is where the export trie is.
func (m *testImage) exportsAt() int {
	at := 0x4000
	for _, sect := range m.more {
		at += len(sect.data)
	}
	return at
}

func pad(s *asm.Section, to uint64) { s.Zeros(int(to - s.Here())) }

// build lays the image out: commands, code, __unwind_info, and at 0x3000 symbols,
// their names and function starts.
func (m *testImage) build(t testing.TB) []byte {
	t.Helper()
	entry, nameAt, names, symbols := 16, uint32(1), asm.At(0).U8(0), asm.At(0)
	if m.thin32 {
		entry = 12
	}
	for _, sym := range m.symbols {
		symbols.U32(nameAt).U8(sym.kind, sym.sect).U16(sym.desc).Word(m.word(), sym.addr)
		names.Text(sym.name + "\x00")
		nameAt += uint32(len(sym.name)) + 1
	}
	strOff := uint64(0x3000 + entry*len(m.symbols))
	commands := asm.At(0)
	count := m.commands(commands, 0x3000, strOff, uint64(nameAt), strOff+uint64(nameAt))
	s := asm.At(0)
	if m.thin32 {
		s.U32(0xfeedface)
	} else {
		s.U32(0xfeedfacf)
	}
	s.U32(m.cpu, m.sub, m.kind, count, uint32(commands.Here()), 0)
	if !m.thin32 {
		s.U32(0)
	}
	s.Append(commands)
	pad(s, 0x1000)
	s.Bytes(m.code)
	pad(s, 0x1800)
	s.Bytes(m.stubs)
	pad(s, 0x1c00)
	s.Bytes(m.helper)
	pad(s, 0x2000)
	s.Bytes(m.unwind)
	pad(s, 0x3000)
	s.Append(symbols).Append(names).Bytes(m.starts)
	pad(s, 0x4000)
	for _, sect := range m.more {
		s.Bytes(sect.data)
	}
	s.Bytes(m.exports)
	return s.Build(t)
}

func (m *testImage) open(t testing.TB) *File {
	t.Helper()
	f, err := Open(source(m.build(t)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// unwindInfoOf returns __unwind_info with one regular page: addresses and encodings.
func unwindInfoOf(t testing.TB, end uint32, entries ...uint32) []byte {
	t.Helper()
	s := asm.At(0).U32(1).Ref32("common").U32(0).Ref32("personality").U32(0).Ref32("index").U32(2).
		Mark("common").Mark("personality").
		Mark("index").U32(entries[0]).Ref32("page").U32(0).
		U32(end, 0, 0).
		Mark("page").U32(2).U16(8, uint16(len(entries)/2)).U32(entries...)
	return s.Build(t)
}

// someImage has three functions: with a frame pointer, without, and a leaf
// whose name was stripped.
func someImage(t testing.TB) *testImage {
	code := bytes.Repeat([]byte{0x90}, 0x60)
	copy(code, []byte{0x55, 0x48, 0x89, 0xe5, 0x53, 0x50})                    // push rbp; mov rbp, rsp; push rbx; push rax
	copy(code[0x18:], []byte{0x48, 0x83, 0xc4, 0x08, 0x5b, 0x5d, 0xc3})       // add rsp, 8; pop rbx; pop rbp; ret
	copy(code[0x20:], []byte{0x41, 0x56, 0x53, 0x48, 0x83, 0xec, 0x28})       // push r14; push rbx; sub rsp, 0x28
	copy(code[0x36:], []byte{0x48, 0x83, 0xc4, 0x28, 0x5b, 0x41, 0x5e, 0xc3}) // add rsp, 0x28; pop rbx; pop r14; ret
	return &testImage{
		cpu: cpuAMD64, sub: 3, kind: 2, uuid: 0xab, code: code, stubs: bytes.Repeat([]byte{0xff, 0x25, 0, 0, 0, 0}, 2),
		unwind: unwindInfoOf(t, 0x1060,
			0x1000, 0x0101_0001,
			0x1020, 0x0208_0000|2<<10|2,
			0x1040, 0),
		starts: asm.ULEB(0x1000, 0x20, 0x20, 0),
		symbols: []testSymbol{
			{"_a.c", 0x64, 0, 0, 0}, // a stab
			{"__mh_execute_header", 0xf, 1, 0, testBase},
			{"_main", 0xf, 1, 0, testBase + 0x1000},
			{"__ZN1a1bEv", 0xe, 1, 0, testBase + 0x1020},
			{"_alias", 0xf, 1, 0, testBase + 0x1000},
			{"_data", 0xf, 5, 0, testBase + 0x4000},
			{"_printf", 0x1, 0, 0, 0}, // undefined
		},
	}
}
