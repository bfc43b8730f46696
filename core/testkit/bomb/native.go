package bomb

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// natives are libraries that are expensive without debug information, and debug files.
func natives(t testing.TB) []Bomb {
	const deep = 4000
	long := append(append([]byte{0}, strings.Repeat("n", 250)...), 0)
	// symbols is .symtab with n functions (Elf64_Sym), all with the name at offset 1.
	symbols := func(n int, at func(i int) (value, size uint64)) []byte {
		return repeat(asm.At(0).Zeros(24), n, func(s *asm.Section, i int) {
			value, size := at(i)
			s.U32(1).U8(2, 0).U16(1).U64(value, size)
		}).Build(t)
	}
	// A CIE of 2,000 instructions that thousands of FDEs share, and FDEs with as many.
	rows := bytes.Repeat([]byte{0x0e, 0x10, 0x41}, 2000) // DW_CFA_def_cfa_offset 16, DW_CFA_advance_loc 1
	frames := asm.At(0).Dist32("cie", "cieEnd").Mark("cie").U32(0).U8(1).Text("zR\x00").U8(1, 0x78, 16, 1, 0).U8(0x0c, 7, 8, 0x90, 1).Bytes(rows).Mark("cieEnd")
	for i := range 3000 {
		from, to := fmt.Sprint("f", i), fmt.Sprint("t", i)
		frames.Dist32(from, to).Mark(from).U32(uint32(frames.Here())).U64(0x100+uint64(i), 0x1000).U8(0).Mark(to)
	}
	files := []struct {
		name string
		data []byte
	}{
		// 60,000 symbols with one name of 250 characters.
		{"symbols-of-one-name", elf(t, 0x20000, elfSection{name: ".symtab", kind: symtab, link: 4, data: symbols(60000, func(i int) (uint64, uint64) { return 0x100 + uint64(i), 1 })}, elfSection{name: ".strtab", kind: strtab, data: long})},
		// The same, with 60,000 symbols at each address.
		{"symbols-over-each-other", elf(t, 0x20000, elfSection{name: ".symtab", kind: symtab, link: 4, data: symbols(60000, func(i int) (uint64, uint64) { return 0x100 + uint64(i), 1 << 30 })}, elfSection{name: ".strtab", kind: strtab, data: long})},
		// 3,000 FDEs contain each address, and each runs the 6,000 bytes of the CIE.
		{"eh-frame", elf(t, 0x20000, elfSection{name: ".eh_frame", kind: progbits, flags: 2, addr: 0x2000, data: frames.U32(0).Build(t)})},
		// 20,000 sections with the name that readers search for.
		{"sections", elf(t, 0x20000, repeated(20000, elfSection{name: ".debug_info", kind: progbits, data: []byte{1}})...)},
		// 5,000 CPUs that share one Mach-O file.
		{"fat", Fat(t, 5000)},
	}
	var all []Bomb
	for _, f := range files {
		all = append(all, Bomb{Name: "native-" + f.name, Dump: recursed(t, deep), Symbols: f.data, File: "app.so"})
	}
	return append(all, dwarfs(t)...)
}

// repeated returns a section n times, under one name and with the same bytes.
func repeated(n int, p elfSection) []elfSection {
	out := make([]elfSection, n)
	for i := range out {
		out[i] = p
	}
	return out
}

// Fat is a Mach-O file for n CPUs, all of which have the same bytes.
//
// Source: fat_header and fat_arch in mach-o/fat.h; 0x1b is LC_UUID in mach-o/loader.h.
func Fat(t testing.TB, n int) []byte {
	at := uint32(8 + 20*n)
	s := asm.At(0).BigEndian().U32(0xcafebabe, uint32(n))
	macho := asm.At(0).U32(0xfeedfacf, 0x0100_0007, 3, 6, 1, 24, 0, 0).U32(0x1b, 24).Bytes(buildID[:16])
	for i := range n {
		s.U32(0x0100_0007, uint32(i), at, uint32(macho.Here()), 0)
	}
	return append(s.Build(t), macho.Build(t)...)
}
