package elf

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"crashglass/core/testkit/asm"
)

// An object file that a program registered with debuggers has the addresses of its sections. What names them are relocations.
func TestPlacedObject(t *testing.T) {
	const text, frames = 0x7ffff7fbe000, 0x7ffff7fbd000
	table, names := recipe{}.symbols(t, madeSymbol{name: "leaf", kind: symbolFunction, section: 1, addr: 0x10, size: 0x20})
	rules := asm.At(0).
		U32(0x14, 0).Text("\x01zR\x00\x01\x78\x10\x01\x1b\x0c\x07\x08\x90\x01\x00\x00").
		U32(0x14, 0x1c).U32(0, 0x20).Zeros(8).
		U32(0).Build(t)
	relocations := asm.At(0).U64(0x20, 1<<32|2, 0).Build(t) // R_X86_64_PC32 of leaf
	data := recipe{machine: machineAMD64, kind: typeRelocatable, sections: []made{
		{name: ".text", kind: sectionBytes, flags: secExecutable, addr: text, data: make([]byte, 0x40)},
		{name: ".eh_frame", kind: sectionBytes, addr: frames, data: rules},
		{name: ".rela.eh_frame", kind: secRela, link: 4, data: relocations},
		{name: ".symtab", kind: secSymbols, link: 5, data: table},
		{name: ".strtab", kind: 3, data: names},
	}}.build(t)
	headers := binary.LittleEndian.Uint64(data[40:])
	data[headers+3*section64+44] = 2 // the section that the relocations are of
	f, err := OpenPlaced(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	at := uint64(text+0x18) - f.Base()
	if loc, ok := f.Locate(at); !ok || loc.Function != "leaf" || loc.Start != at-8 {
		t.Errorf("named %+v, %v", loc, ok)
	}
	if frame, ok := f.CallFrame(at); !ok || frame.Start != at-8 || frame.Size != 0x20 {
		t.Errorf("rules %#x, %#x, %v; notes %q", frame.Start, frame.Size, ok, f.Notes())
	}
	var code []uint64
	f.EachCode(func(addr, size uint64) { code = append(code, addr, size) })
	if !slices.Equal(code, []uint64{text, 0x40}) {
		t.Errorf("code %#x", code)
	}
	for i := range data { // damage never is a panic
		broken := bytes.Clone(data)
		broken[i] ^= 0xff
		if f, err := OpenPlaced(bytes.NewReader(broken), int64(len(broken))); err == nil {
			f.Locate(at)
			f.CallFrame(at)
			f.EachCode(func(uint64, uint64) {})
		}
	}
}
