package pe

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"crashglass/core/testkit/asm"
)

// reloc is a block of base relocations.
func reloc(s *asm.Section, page uint32, words ...uint16) *asm.Section {
	return s.U32(page, uint32(8+2*len(words))).U16(words...)
}

// TestReadImage reads code and constants around what a loader changes: the import table at
// text+0x40, and words at text+0x10, 0x14 (four bytes each) and 0x80 (eight), pdata+0x20 and 0x24.
func TestReadImage(t *testing.T) {
	c := make([]byte, 0x100)
	for i := range c {
		c[i] = byte(i)
	}
	relocs := asm.At(xdata)
	reloc(relocs, text, 3<<12|0x10, 3<<12|0x14, 10<<12|0x80, 0)
	reloc(relocs, rdata, 3<<12|0)
	reloc(relocs, pdata, 3<<12|0x20, 3<<12|0x24)
	relocs.U32(0, 0)
	f := open(t, newImage(machineI386).
		section(t, ".text", code, asm.At(text).Bytes(c)).
		section(t, ".data", writable, asm.At(rdata).Zeros(0x10)).
		section(t, "packed", code|writable, asm.At(edata).Zeros(0x10)).
		section(t, ".rdata", readOnly, asm.At(pdata).Bytes(c)).
		section(t, ".reloc", readOnly|flagDiscardable, relocs).
		dir(dirReloc, xdata, uint32(relocs.Here()-xdata)).dir(dirIAT, text+0x40, 0x10).build(t))
	for _, tt := range []struct {
		rel  uint64
		size int
		want int
	}{
		{text, 0x100, 0x10}, {text, 4, 4}, {text + 0xf, 4, 1}, {text + 0x10, 4, 0}, {text + 0x17, 4, 0},
		{text + 0x18, 0x100, 0x28}, {text + 0x40, 1, 0}, {text + 0x4f, 1, 0}, {text + 0x50, 0x100, 0x30},
		{text + 0x80, 1, 0}, {text + 0x87, 1, 0}, {text + 0x88, 0x1000, 0x78}, {text + 0x100, 1, 0},
		{pdata, 0x100, 0x20}, {pdata + 0x20, 1, 0}, {pdata + 0x27, 1, 0}, {pdata + 0x28, 0x100, 0xd8},
		{rdata, 4, 0}, {edata, 4, 0}, {xdata, 4, 0}, {0x400, 4, 0}, {^uint64(0), 4, 0}, {text, 0, 0},
	} {
		p := make([]byte, tt.size)
		n := f.ReadImage(tt.rel, p)
		if n != tt.want || n > 0 && !bytes.Equal(p[:n], c[tt.rel%0x1000:][:n]) {
			t.Errorf("%#x: %d bytes, want %d: % x", tt.rel, n, tt.want, p[:max(n, 0)])
		}
	}
	// Where the image is 0x1230000 further on, the words are, too; the import table and what begins inside of a word stay unknown.
	loaded := bytes.Clone(c)
	for _, at := range []int{0x10, 0x14} {
		binary.LittleEndian.PutUint32(loaded[at:], binary.LittleEndian.Uint32(c[at:])+0x1230000)
	}
	binary.LittleEndian.PutUint64(loaded[0x80:], binary.LittleEndian.Uint64(c[0x80:])+0x1230000)
	for _, tt := range []struct {
		rel  uint64
		size int
		want int
	}{
		{text, 0x100, 0x40}, {text + 0x10, 8, 8}, {text + 0x10, 7, 4}, {text + 0x10, 3, 0}, {text + 0x11, 8, 0}, {text + 0x40, 4, 0},
		{text + 0x50, 0x100, 0xb0}, {text + 0x81, 8, 0}, {rdata, 4, 0}, {^uint64(0), 4, 0},
	} {
		p := make([]byte, tt.size)
		n := f.ReadLoaded(f.h.imageBase+0x1230000, tt.rel, p)
		if n != tt.want || n > 0 && !bytes.Equal(p[:n], loaded[tt.rel%0x1000:][:n]) {
			t.Errorf("loaded, %#x: %d bytes, want %d: % x", tt.rel, n, tt.want, p[:n])
		}
	}
	// Of the headers the base is left out, at 0x98+28 and four bytes long.
	for rel, want := range map[uint64]int{0: 0xb4, 0xb3: 1, 0xb4: 0, 0xb7: 0, 0xb8: 0x400 - 0xb8} {
		if n := f.ReadImage(rel, make([]byte, 0x1000)); n != want {
			t.Errorf("%#x: %d bytes of the headers, want %d", rel, n, want)
		}
	}
	if len(f.Notes()) > 0 {
		t.Errorf("%q", f.Notes())
	}
}

// The constants of an image without base relocations may have been changed by MinGW's start code.
func TestConstantsWithoutRelocations(t *testing.T) {
	f := open(t, newImage(machineAMD64).section(t, ".text", code, asm.At(text).Zeros(0x10)).section(t, ".rdata", readOnly, asm.At(rdata).Zeros(0x10)).build(t))
	if n := f.ReadImage(rdata, make([]byte, 4)); n != 0 {
		t.Errorf("%d bytes", n)
	}
}

// A word that two relocations change, and one that a relocation of another type changes, stay unknown.
func TestReadLoadedOverlaps(t *testing.T) {
	relocs := asm.At(xdata)
	reloc(relocs, text, 3<<12|0x10, 3<<12|0x12, 3<<12|0x20, 3<<12|0x20, 1<<12|0x30, 4<<12|0x40, 3<<12|0x50, 10<<12|0x54)
	f := open(t, newImage(machineI386).section(t, ".text", code, asm.At(text).Zeros(0x100)).section(t, ".reloc", readOnly, relocs).
		dir(dirReloc, xdata, uint32(relocs.Here()-xdata)).build(t))
	for rel, want := range map[uint64]int{0x10: 0, 0x12: 0, 0x20: 0, 0x30: 0, 0x40: 0, 0x50: 0xb0, 0x54: 0xac, 0: 0x10} {
		if n := f.ReadLoaded(0x1000, text+rel, make([]byte, 0x100)); n != want {
			t.Errorf("%#x: %d bytes, want %d", rel, n, want)
		}
	}
}

// TestReadImageDamaged has relocations that cannot be read: what is code and
// what the loader has changed cannot be told.
func TestReadImageDamaged(t *testing.T) {
	tests := []struct {
		relocs *asm.Section
		size   uint32
		note   string
	}{
		{asm.At(xdata).U32(text, 4), 8, "pe: base relocations at 0x608: block of 4 bytes with 8 left"},
		{asm.At(xdata).U32(text, 100, 0), 12, "pe: base relocations at 0x608: block of 100 bytes with 12 left"},
		{asm.At(xdata).U32(text, 8), 800, "pe: base relocations at 0x600: need 800 bytes, have 8"},
	}
	for _, tt := range tests {
		f := open(t, newImage(machineI386).section(t, ".text", code, asm.At(text).Zeros(0x10)).
			section(t, ".reloc", readOnly, tt.relocs).dir(dirReloc, xdata, tt.size).build(t))
		if n := f.ReadImage(text, make([]byte, 4)); n != 0 || !slices.Equal(f.Notes(), []string{tt.note}) {
			t.Errorf("%d bytes, %q, want %q", n, f.Notes(), tt.note)
		}
	}
}

// Parts of code are executable and not writable. There are none where loaders, runtimes or start code change code in places that the
// format does not list.
func TestCodeParts(t *testing.T) {
	build := func(machine uint16, dynamic uint32) *image {
		config := asm.At(rdata).U32(0x140)
		at := 0xe0
		if machine == machineI386 {
			at = 0x88
		}
		config.Zeros(at - 4).U32(dynamic).Zeros(0x140 - at - 4)
		return newImage(machine).section(t, ".text", code, asm.At(text).Zeros(0x30)).section(t, ".rdata", readOnly, config).
			section(t, "packed", code|writable, asm.At(edata).Zeros(0x10)).dir(dirLoad, rdata, 0x140).dir(dirDebug, rdata, 28)
	}
	linked := func(data []byte, major byte) []byte {
		data[0x80+24+2] = major
		return data
	}
	for name, tt := range map[string]struct {
		file []byte
		want int
	}{
		"an image":                          {build(machineAMD64, 0).build(t), 1},
		"of x86":                            {build(machineI386, 0).build(t), 1},
		"with dynamic relocations":          {build(machineAMD64, 0x100).build(t), 0},
		"of x86, with dynamic relocations":  {build(machineI386, 0x100).build(t), 0},
		"managed":                           {build(machineAMD64, 0).dir(dirCLR, rdata, 72).build(t), 0},
		"of GNU ld":                         {linked(build(machineAMD64, 0).build(t), 2), 0},
		"of Microsoft's linker":             {linked(build(machineAMD64, 0).build(t), 14), 1},
		"of x86, without a debug directory": {build(machineI386, 0).dir(dirDebug, 0, 0).build(t), 0},
	} {
		parts := open(t, tt.file).CodeParts()
		if len(parts) != tt.want || tt.want == 1 && (parts[0].Start != text || parts[0].Size != 0x30) {
			t.Errorf("%s: %+v", name, parts)
		}
	}
}
