package sniff

import (
	"encoding/binary"

	"crashglass/core/base/bin"
)

// Microsoft's "PE Format": the optional header, its data directories, and the
// table of sections.
const (
	coffHeader   = 20
	sectionEntry = 40
	exceptionDir = 3  // unwind rules: there is machine code
	clrDir       = 14 // "CLR Runtime Header"
)

// isAssembly reports whether a PE file, whose COFF header is at an offset, holds
// only what .NET compiles when it runs: ECMA-335, II.25.3.3, "CLI header". What
// was compiled before, or is C++/CLI, has machine code and stays a PE file.
func isAssembly(head []byte, at int64) bool {
	c := bin.NewCursor("COFF header", at, head[min(at, int64(len(head))):])
	c.Skip(2)
	sections := int(c.U16())
	c.Skip(12)
	optional := int(c.U16())
	c.Skip(2)
	o := bin.NewCursor("optional header", 0, c.Part(optional))
	dirs := 92
	if o.U16() == 0x20b {
		dirs = 108
	}
	o.Skip(dirs - 2)
	count := o.U32()
	o.Skip(8 * exceptionDir)
	_, unwind := o.U32(), o.U32()
	o.Skip(8 * (clrDir - exceptionDir - 1))
	clr := o.U32()
	if o.Err() != nil || count <= clrDir || clr == 0 || unwind != 0 {
		return false
	}
	return ilOnly(head, fileOffset(c, sections, clr))
}

// fileOffset finds an address in the table of sections that c is at, or returns 0.
func fileOffset(c *bin.Cursor, sections int, rva uint32) int64 {
	for range sections {
		s := c.Part(sectionEntry)
		if s == nil {
			break
		}
		start, size, raw := binary.LittleEndian.Uint32(s[12:]), binary.LittleEndian.Uint32(s[16:]), binary.LittleEndian.Uint32(s[20:])
		if rva >= start && rva-start < size {
			return int64(raw) + int64(rva-start)
		}
	}
	return 0
}

// COMIMAGE_FLAGS_ILONLY must be set and ManagedNativeHeader empty: crossgen sets the flag, too.
func ilOnly(head []byte, at int64) bool {
	const size, flags, native = 72, 16, 64
	if at == 0 || at+size > int64(len(head)) {
		return false
	}
	h := head[at : at+size]
	return binary.LittleEndian.Uint32(h) >= size && binary.LittleEndian.Uint32(h[flags:])&1 != 0 && binary.LittleEndian.Uint32(h[native:]) == 0
}
