package elf

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"crashglass/core/base/bin"
)

// Sizes of headers, for 32 and 64 bits.
const (
	identSize   = 16
	header32    = 52
	header64    = 64
	segment32   = 32
	segment64   = 56
	section32   = 40
	section64   = 64
	extendedNum = 0xffff // PN_XNUM; e_shnum is 0 instead: the first section has the number
)

// Types of files (e_type).
const (
	typeRelocatable = 1
	typeCore        = 4
)

type header struct {
	is64    bool
	order   binary.ByteOrder
	kind    uint16
	machine uint16
	flags   uint32
	entry   uint64 // where execution begins
	segs    tablePlace
	sects   tablePlace
	names   uint32 // section with the names of sections
}

type tablePlace struct {
	off   uint64
	size  uint16 // of one entry
	count uint32
}

func parseHeader(src bin.Source) (h header, err error) {
	start, err := src.ReadUpTo("elf: header", 0, header64)
	if err != nil {
		return h, err
	}
	if !bytes.HasPrefix(start, []byte("\x7fELF")) || len(start) < identSize {
		return h, &bin.Error{What: "elf: header", Why: fmt.Sprintf("begins with %q, not an ELF file", start[:min(4, len(start))])}
	}
	switch start[4] {
	case 1:
	case 2:
		h.is64 = true
	default:
		return h, &bin.Error{What: "elf: header", Off: 4, Why: fmt.Sprintf("class %d is neither 32 nor 64 bits", start[4])}
	}
	switch start[5] {
	case 1:
		h.order = binary.LittleEndian
	case 2:
		h.order = binary.BigEndian
	default:
		return h, &bin.Error{What: "elf: header", Off: 5, Why: fmt.Sprintf("byte order %d is neither little nor big", start[5])}
	}
	c := bin.NewOrderedCursor("elf: header", identSize, start[identSize:], h.order)
	h.fields(c)
	return h, c.Err()
}

// isModule fails for files that a process cannot load as a module. Files with split units (.dwo,
// .dwp) are object files.
func (f *File) isModule() error {
	if f.h.kind == typeCore || f.h.kind == typeRelocatable && !f.isPart() && !f.opt.Placed {
		return &bin.Error{What: "elf: header", Off: identSize, Why: fmt.Sprintf("type %d is an object file or a core dump, not a module", f.h.kind)}
	}
	return nil
}

// fields reads what follows e_ident.
func (h *header) fields(c *bin.Cursor) {
	h.kind, h.machine = c.U16(), c.U16()
	c.Skip(4) // version
	h.entry = h.word(c)
	h.segs.off, h.sects.off = h.word(c), h.word(c)
	h.flags = c.U32()
	c.Skip(2) // size of this header
	h.segs.size, h.segs.count = c.U16(), uint32(c.U16())
	h.sects.size, h.sects.count = c.U16(), uint32(c.U16())
	h.names = uint32(c.U16())
}

func (h *header) word(c *bin.Cursor) uint64 {
	if h.is64 {
		return c.U64()
	}
	return uint64(c.U32())
}

func (h *header) wordSize() int { return h.sized(4, 8) }

// sized is the size of what has one in files of 32 bits and another in those of 64.
func (h *header) sized(narrow, wide int) int {
	if h.is64 {
		return wide
	}
	return narrow
}

// isPart reports whether an object file is a part of other debug information: a .dwo, or a file
// that dwz wrote, which has no code and so no relocations.
func (f *File) isPart() bool {
	return f.has(splitInfo) || f.has(".debug_info") && !f.has(".text")
}

// splitInfo is in files that have split units.
const splitInfo = ".debug_info.dwo"

// IsSplit reports whether the file is a part of a program's debug information: a
// .dwo or .dwp, or an object file that has it within (-gsplit-dwarf=single). A
// program with the units that split off it answers for itself.
func (f *File) IsSplit() bool {
	return f.has(splitInfo) && (f.h.kind == typeRelocatable || !f.has(".debug_info"))
}
