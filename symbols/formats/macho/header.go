package macho

import (
	"encoding/binary"
	"fmt"

	"crashglass/core/base/bin"
)

// Source of what follows: <mach-o/loader.h> and <mach/machine.h>.
const (
	magic32 = 0xfeedface
	magic64 = 0xfeedfacf
)

// Kinds of files (filetype).
const (
	typeObject = 1
	typeCore   = 4
	typeDSYM   = 10
)

// CPUs (cputype), and kinds of them (cpusubtype).
const (
	cpu64     = 0x0100_0000
	cpu64As32 = 0x0200_0000
	cpuX86    = 7
	cpuAMD64  = cpuX86 | cpu64
	cpuARM    = 12
	cpuARM64  = cpuARM | cpu64
	cpuPPC    = 18

	subtypeMask = 0x00ff_ffff // above are capabilities
)

// A header is what a file begins with.
type header struct {
	order    binary.ByteOrder
	is64     bool
	cpu, sub uint32
	kind     uint32
	commands uint32 // how many
	size     uint32 // of all commands together
}

// len is the size of the header (mach_header, mach_header_64), behind which the load commands begin.
func (h *header) len() int64 {
	if h.is64 {
		return 32
	}
	return 28
}

// word reads an address or a size.
func (h *header) word(c *bin.Cursor) uint64 {
	if h.is64 {
		return c.U64()
	}
	return uint64(c.U32())
}

// parseHeader reads the header at an offset. Cores are refused: they are no modules.
func parseHeader(src bin.Source, at int64) (h header, err error) {
	data, err := src.Read("macho: header", at, 28)
	if err != nil {
		return h, err
	}
	h.order = binary.LittleEndian
	magic := binary.LittleEndian.Uint32(data)
	if swapped := binary.BigEndian.Uint32(data); swapped == magic32 || swapped == magic64 {
		h.order, magic = binary.BigEndian, swapped
	}
	if magic != magic32 && magic != magic64 {
		return h, fmt.Errorf("macho: header at %#x: the magic number is %#08x, not %#x or %#x", at, magic, magic32, magic64)
	}
	h.is64 = magic == magic64
	c := bin.NewOrderedCursor("macho: header", at, data, h.order)
	c.U32()
	h.cpu, h.sub = c.U32(), c.U32()&subtypeMask
	h.kind, h.commands, h.size = c.U32(), c.U32(), c.U32()
	if h.kind == typeCore {
		return h, fmt.Errorf("macho: header at %#x: a file of type %d is no module", at, h.kind)
	}
	return h, c.Err()
}
