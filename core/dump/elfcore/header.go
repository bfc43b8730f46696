package elfcore

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"crashglass/core/base/bin"
)

// Values of the ELF header. Source: System V ABI, "ELF Header".
const (
	typeCore    = 4
	classOffset = 4
	orderOffset = 5
	abiOffset   = 7

	header32 = 52
	header64 = 64

	// manySegments is PN_XNUM: the number of program headers is sh_info of the
	// first section header. Linux, include/uapi/linux/elf.h.
	manySegments = 0xffff
)

// A header is an ELF header of a core or of a module in memory.
type header struct {
	kind, machine      uint16
	entryPoint         uint64
	programs, section  uint64 // file offsets of program and section headers
	flags              uint32
	entry              int // bytes of a program header
	count              uint64
	sections, sectSize int
}

// Is reports whether a file is an ELF core.
func Is(src bin.Source) bool {
	head, err := src.ReadUpTo("header", 0, 18)
	if err != nil || len(head) < 18 {
		return false
	}
	order, word := identity(head)
	return word != 0 && order.Uint16(head[16:]) == typeCore
}

// identity reads e_ident; the word is 0 when it is none.
func identity(head []byte) (order binary.ByteOrder, word int) {
	if len(head) < 16 || !bytes.HasPrefix(head, []byte("\x7fELF")) {
		return nil, 0
	}
	switch head[classOffset] {
	case 1:
		word = 4
	case 2:
		word = 8
	}
	switch head[orderOffset] {
	case 1:
		return binary.LittleEndian, word
	case 2:
		return binary.BigEndian, word
	}
	return nil, 0
}

// parseHeader reads Elf32_Ehdr or Elf64_Ehdr.
func parseHeader(c *bin.Cursor, word int) header {
	var h header
	c.Skip(16)
	h.kind, h.machine = c.U16(), c.U16()
	c.Skip(4) // e_version
	h.entryPoint = address(c, word)
	h.programs, h.section = address(c, word), address(c, word)
	h.flags = c.U32()
	c.Skip(2) // e_ehsize
	h.entry, h.count = int(c.U16()), uint64(c.U16())
	h.sectSize, h.sections = int(c.U16()), int(c.U16())
	return h
}

// address reads a word of 4 or 8 bytes.
func address(c *bin.Cursor, word int) uint64 {
	if word == 4 {
		return uint64(c.U32())
	}
	return c.U64()
}

// systems are the values of EI_OSABI in cores of other systems. Cores of NetBSD, OpenBSD and
// Solaris are recognized by their notes.
var systems = map[byte]string{2: "NetBSD", 6: "Solaris", 9: "FreeBSD", 12: "OpenBSD"}

func (c *core) readHeader() error {
	head, err := c.src.ReadUpTo("header", 0, header64)
	if err != nil {
		return err
	}
	if c.order, c.word = identity(head); c.word == 0 {
		return &bin.Error{What: "header", Off: 0, Why: fmt.Sprintf("e_ident % x is not that of an ELF file", head[:min(len(head), 8)])}
	}
	cursor := bin.NewOrderedCursor("header", 0, head, c.order)
	c.head = parseHeader(cursor, c.word)
	if err := cursor.Err(); err != nil {
		return err
	}
	if c.head.kind != typeCore {
		return &bin.Error{What: "header", Off: 16, Why: fmt.Sprintf("e_type %d is not %d, a core", c.head.kind, typeCore)}
	}
	if c.head.count == 0 {
		return &bin.Error{What: "header", Off: int64(32 + 3*c.word), Why: "e_phnum is 0: the core has no segments, neither registers nor memory"}
	}
	c.system = systems[head[abiOffset]]
	if c.mixedABI() == "" {
		c.machine = findMachine(c.head.machine, c.word)
	}
	return nil
}

func (c *core) segmentCount() uint64 {
	if c.head.count != manySegments || c.head.section == 0 {
		return c.head.count
	}
	at := int64(c.head.section)
	infoAt := 2*4 + 4*c.word + 4 // sh_info, behind sh_name, sh_type, sh_flags, sh_addr, sh_offset, sh_size, sh_link
	data, err := c.src.Read("first section header", at, uint64(infoAt+4))
	if err != nil {
		c.add(err)
		return c.head.count
	}
	return uint64(c.order.Uint32(data[infoAt:]))
}

// unknownSize is the size of a core whose program headers were not all seen.
const unknownSize = 1 << 40

// StatedSize returns the size of a core by its first bytes: the end of its segments and section
// headers. It returns 0 for another file, and a very large number if these bytes do not have all
// program headers.
func StatedSize(head []byte) int64 {
	order, word := identity(head)
	if word == 0 {
		return 0
	}
	cursor := bin.NewOrderedCursor("header", 0, head, order)
	h := parseHeader(cursor, word)
	if cursor.Err() != nil || h.kind != typeCore {
		return 0
	}
	end := addClipped(h.section, uint64(h.sections*h.sectSize))
	entry := uint64(max(h.entry, programSize(word)))
	if h.count == manySegments || h.programs > uint64(len(head)) || h.count*entry > uint64(len(head))-h.programs {
		return unknownSize
	}
	for i := range h.count {
		at := h.programs + i*entry
		p := parseProgram(bin.NewOrderedCursor("program header", int64(at), head[at:], order), word)
		end = max(end, addClipped(p.off, p.have))
	}
	return int64(min(end, unknownSize))
}
