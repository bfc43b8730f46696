package elf

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// TestMachines has the architecture of each machine, class and set of flags.
//
// Source: e_machine and e_flags of elf.h; package cpu has the names.
func TestMachines(t *testing.T) {
	const flags32, flags64 = 0x24, 0x30 // where e_flags is
	for _, tt := range []struct {
		machine uint16
		bits32  bool
		flags   uint32
		want    string
	}{
		{machine: 2, bits32: true, flags: 0, want: "sparc"}, {machine: 18, bits32: true, flags: 0, want: "sparc"},
		{machine: 43, flags: 0, want: "sparc"}, {machine: 3, bits32: true, flags: 0, want: "x86"},
		{machine: 6, bits32: true, flags: 0, want: "x86"}, {machine: 62, flags: 0, want: "amd64"},
		{machine: 20, bits32: true, flags: 0, want: "ppc"}, {machine: 21, flags: 0, want: "ppc64"},
		{machine: 40, bits32: true, flags: 0, want: "arm"}, {machine: 183, flags: 0, want: "arm64"},
		{machine: 243, bits32: true, flags: 0, want: "riscv"}, {machine: 243, flags: 0, want: "riscv64"},
		{machine: 8, bits32: true, flags: 0, want: "mips"}, {machine: 8, bits32: true, flags: 0x20, want: "mips64"},
		{machine: 8, flags: 0, want: "mips64"}, {machine: 10, bits32: true, flags: 0, want: "mips"},
		{machine: 10, bits32: true, flags: 0x10, want: "mips"}, {machine: 8, bits32: true, flags: 0x70, want: "mips64"},
		{machine: 0, flags: 0, want: ""}, {machine: 99, bits32: true, flags: 0, want: ""},
	} {
		data := recipe{machine: tt.machine, bits32: tt.bits32}.build(t)
		at := flags64
		if tt.bits32 {
			at = flags32
		}
		binary.LittleEndian.PutUint32(data[at:], tt.flags)
		if got := openBytes(t, data).Module().Arch; got != tt.want {
			t.Errorf("machine %d, 32 bits %v, flags %#x: %q, want %q", tt.machine, tt.bits32, tt.flags, got, tt.want)
		}
	}
}

// TestPlace finds where a module begins and how much memory it takes up: from the
// page of its first loaded segment to the end of its last one.
func TestPlace(t *testing.T) {
	type seg struct{ kind, addr, mem uint64 }
	for _, tt := range []struct {
		name       string
		segs       []seg
		base, size uint64
		note       string
	}{
		{"none", nil, 0, 0, ""},
		{"nothing is loaded", []seg{{segNote, 0x1000, 0x10}}, 0, 0, ""},
		{"one", []seg{{segLoad, 0x40_0000, 0x1234}}, 0x40_0000, 0x1234, ""},
		{"not at the start of its page", []seg{{segLoad, 0x40_0fff, 0x10}}, 0x40_0000, 0x100f, ""},
		{"several, the first is not the lowest", []seg{{segLoad, 0x3000, 0x20}, {segLoad, 0x1000, 0x10}, {segLoad, 0x2000, 0x10}}, 0x1000, 0x2020, ""},
		{"one inside of another", []seg{{segLoad, 0x1000, 0x5000}, {segLoad, 0x2000, 0x10}}, 0x1000, 0x5000, ""},
		{"at zero", []seg{{segLoad, 0, 0x10}, {segLoad, 0x1000, 0x10}}, 0, 0x1010, ""},
		{"notes lie elsewhere", []seg{{segNote, 0x10, 0x10}, {segLoad, 0x1000, 0x10}, {segNote, 0x9000, 0x10}}, 0x1000, 0x10, ""},
		{"wraps around", []seg{{segLoad, 0x1000, 0x10}, {segLoad, ^uint64(0), 2}}, 0x1000, 0x10, "elf: program headers: a segment of 0x2 bytes at 0xffffffffffffffff wraps around"},
		{"up to the end", []seg{{segLoad, ^uint64(0xfff), 0xfff}}, ^uint64(0xfff), 0xfff, ""},
	} {
		r := recipe{machine: 62, segments: func(s *asm.Section, _ map[string]uint64) int {
			for _, g := range tt.segs {
				s.U32(uint32(g.kind), 5).U64(0, g.addr, g.addr, 0, g.mem, 0x1000)
			}
			return len(tt.segs)
		}}
		f := r.open(t)
		if m := f.Module(); m.Base != tt.base || m.Size != tt.size || strings.Join(f.Notes(), "\n") != tt.note {
			t.Errorf("%s: %#x bytes at %#x, %q, want %#x at %#x, %q", tt.name, m.Size, m.Base, f.Notes(), tt.size, tt.base, tt.note)
		}
	}
}

// numbers changes the header of a file for 64 bits: e_phnum, e_shnum and e_shstrndx,
// and sh_size, sh_link and sh_info of the first section, which has those that do not fit.
func numbers(data []byte, phnum, shnum, shstrndx uint16, size uint64, link, info uint32) {
	le := binary.LittleEndian
	sects := le.Uint64(data[0x28:])
	le.PutUint16(data[0x38:], phnum)
	le.PutUint16(data[0x3c:], shnum)
	le.PutUint16(data[0x3e:], shstrndx)
	le.PutUint64(data[sects+0x20:], size)
	le.PutUint32(data[sects+0x28:], link)
	le.PutUint32(data[sects+0x2c:], info)
}

// TestExtendedNumbers reads counts that are too large for the header (gABI, chapter 4,
// e_phnum, e_shnum and e_shstrndx) out of the first section.
func TestExtendedNumbers(t *testing.T) {
	for _, tt := range []struct {
		name                   string
		phnum, shnum, shstrndx uint16
		size                   uint64
		link, info             uint32
		segs, sects            int
		named                  bool
		note                   string
	}{
		{name: "all fit", phnum: 2, shnum: 6, shstrndx: 5, size: 0, link: 0, info: 0, segs: 2, sects: 6, named: true, note: ""},
		{name: "the header counts", phnum: 2, shnum: 6, shstrndx: 5, size: 9, link: 9, info: 9, segs: 2, sects: 6, named: true, note: ""},
		{name: "none fits", phnum: 0xffff, shnum: 0, shstrndx: 0xffff, size: 6, link: 5, info: 2, segs: 2, sects: 6, named: true, note: ""},
		{name: "sections", phnum: 2, shnum: 0, shstrndx: 5, size: 6, link: 0, info: 0, segs: 2, sects: 6, named: true, note: ""},
		{name: "names", phnum: 2, shnum: 6, shstrndx: 0xffff, size: 0, link: 5, info: 0, segs: 2, sects: 6, named: true, note: ""},
		{name: "segments", phnum: 0xffff, shnum: 6, shstrndx: 5, size: 0, link: 0, info: 1, segs: 1, sects: 6, named: true, note: ""},
		{name: "no sections at all", phnum: 2, shnum: 0, shstrndx: 0, size: 0, link: 0, info: 0, segs: 2, sects: 0, note: ""},
		{name: "names behind the last section", phnum: 2, shnum: 6, shstrndx: 6, size: 0, link: 0, info: 0, segs: 2,
			sects: 6, note: "elf: section headers: section 6 has their names, there are 6"},
		{name: "more sections than the file has", phnum: 2, shnum: 0, shstrndx: 5, size: 1 << 40, link: 0, info: 0, segs: 2, sects: 6,
			named: true, note: "elf: section headers at 0x1e8: count 1048576, of which the file has 6"},
	} {
		data := program(t).build(t)
		numbers(data, tt.phnum, tt.shnum, tt.shstrndx, tt.size, tt.link, tt.info)
		f := openBytes(t, data)
		if len(f.segs) != tt.segs || len(f.sects) != tt.sects || (f.find(".text") != nil) != tt.named {
			t.Errorf("%s: %d segments, %d sections, named %v, want %d, %d, %v", tt.name, len(f.segs), len(f.sects), f.find(".text") != nil, tt.segs, tt.sects, tt.named)
		}
		if notes := strings.Join(f.Notes(), "\n"); notes != tt.note {
			t.Errorf("%s: %q, want %q", tt.name, notes, tt.note)
		}
	}
}

// TestEntrySizes reads tables whose entries are longer than those that are known,
// and none whose entries are shorter.
func TestEntrySizes(t *testing.T) {
	for _, tt := range []struct {
		name string
		at   int // of e_phentsize or e_shentsize
		size uint16
		note string
	}{
		{"segments too short", 0x36, segment64 - 1, "elf: program headers at 0x178: entries of 55 bytes, 56 are needed"},
		{"sections too short", 0x3a, section64 - 1, "elf: section headers at 0x1e8: entries of 63 bytes, 64 are needed"},
	} {
		data := program(t).build(t)
		binary.LittleEndian.PutUint16(data[tt.at:], tt.size)
		if notes := strings.Join(openBytes(t, data).Notes(), "\n"); notes != tt.note {
			t.Errorf("%s: %q, want %q", tt.name, notes, tt.note)
		}
	}
	data := program(t).build(t)
	le := binary.LittleEndian
	from := le.Uint64(data[0x20:])
	wide := slices.Clone(data[from : from+segment64])
	wide = append(append(wide, 1, 2, 3, 4, 5, 6, 7, 8), data[from+segment64:from+2*segment64]...)
	le.PutUint64(data[0x20:], uint64(len(data)))
	le.PutUint16(data[0x36:], segment64+8)
	data = append(append(data, wide...), make([]byte, 8)...)
	if m := openBytes(t, data).Module(); m.Base != 0x1000 || m.Size != 0x2010 {
		t.Errorf("wide entries: %#x bytes at %#x", m.Size, m.Base)
	}
}
