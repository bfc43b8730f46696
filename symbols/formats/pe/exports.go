package pe

import (
	"encoding/binary"

	"crashglass/core/base/bin"
)

// exportSize is sizeof(IMAGE_EXPORT_DIRECTORY).
const exportSize = 40

// exports finds the exported functions: those with names in the order of names, then those with
// only an ordinal. A forwarder is an address inside of the directory, of text that names a function
// of another image.
//
// Source: PE Format, "The .edata Section".
func (f *File) exports(d directory) []symbol {
	const what = "export directory"
	if d.rva == 0 || d.size == 0 {
		return nil
	}
	data, err := f.read(what, uint64(d.rva), exportSize)
	if err != nil {
		f.notes.add(err)
		return nil
	}
	at, _, _ := f.offset(uint64(d.rva))
	c := bin.NewCursor(what, at, data)
	c.Skip(16)
	base, count, named := c.U32(), c.U32(), c.U32()
	addrs := f.words("export address table", c.U32(), count, 4)
	if addrs == nil {
		return nil
	}
	names := f.words("export name table", c.U32(), named, 4)
	ordinals := f.words("export ordinal table", c.U32(), named, 2)

	var out []symbol
	add := func(i uint32, name symbol) {
		name.rva = binary.LittleEndian.Uint32(addrs[4*i:])
		if name.rva != 0 && name.rva-d.rva >= d.size && f.isCode(uint64(name.rva)) {
			out = append(out, name)
		}
	}
	hasName := make([]bool, len(addrs)/4)
	for i := range min(len(names)/4, len(ordinals)/2) {
		ordinal := binary.LittleEndian.Uint16(ordinals[2*i:])
		if int(ordinal) >= len(hasName) {
			f.note("export ordinal table", at, "ordinal %d exceeds the %d addresses", ordinal, len(hasName))
			continue
		}
		hasName[ordinal] = true
		if off, _, ok := f.offset(uint64(binary.LittleEndian.Uint32(names[4*i:]))); ok {
			add(uint32(ordinal), symbol{nameAt: off, limit: maxName})
		}
	}
	for i, has := range hasName {
		if !has {
			add(uint32(i), symbol{ordinal: base + uint32(i)})
		}
	}
	return out
}

// words reads a table of n values of size bytes, or nothing where it is not whole.
func (f *File) words(what string, rva, n, size uint32) []byte {
	if n == 0 {
		return nil
	}
	data, err := f.read(what, uint64(rva), uint64(n)*uint64(size))
	if err != nil {
		f.notes.add(err)
		return nil
	}
	return data
}
