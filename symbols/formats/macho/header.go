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

type header struct {
	order    binary.ByteOrder
	is64     bool
	cpu, sub uint32
	kind     uint32
	commands uint32 // how many
	size     uint32 // of all commands together
	flags    uint32
}

// len is the size of the header (mach_header, mach_header_64), behind which the load commands begin.
func (h *header) len() int64 {
	if h.is64 {
		return 32
	}
	return 28
}

func (h *header) word(c *bin.Cursor) uint64 {
	if h.is64 {
		return c.U64()
	}
	return uint64(c.U32())
}

func (h *header) wordSize() int {
	if h.is64 {
		return 8
	}
	return 4
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
	h.kind, h.commands, h.size, h.flags = c.U32(), c.U32(), c.U32(), c.U32()
	if h.kind == typeCore {
		return h, fmt.Errorf("macho: header at %#x: a file of type %d is no module", at, h.kind)
	}
	return h, c.Err()
}

const (
	fatMagic   = 0xcafebabe
	fatMagic64 = 0xcafebabf

	// maxSlices bounds the slices of a fat file. A Java class file has the same
	// magic number and its version where the count would be, 45 and up.
	maxSlices = 32
)

// A slice is one file inside of a fat one, or all of a thin one.
type slice struct{ off, size int64 }

// OpenAll opens each slice of a fat file, or a thin file. It omits slices that are no modules, and
// fails if none is left.
func OpenAll(src bin.Source, opt Options) ([]*File, error) {
	slices, err := slicesOf(src)
	if err != nil {
		return nil, err
	}
	var files []*File
	for _, s := range slices {
		f, e := open(src, s, opt)
		if e != nil {
			err = e
			continue
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, err
	}
	return files, nil
}

// slicesOf reads the header of a fat file, which is big-endian on all CPUs.
func slicesOf(src bin.Source) ([]slice, error) {
	head, err := src.Read("macho: header", 0, 8)
	if err != nil {
		return nil, err
	}
	magic, count := binary.BigEndian.Uint32(head), binary.BigEndian.Uint32(head[4:])
	if magic != fatMagic && magic != fatMagic64 {
		return []slice{{0, src.Size()}}, nil
	}
	if count == 0 || count > maxSlices {
		return nil, fmt.Errorf("macho: fat header at 0x4: %d slices, the limit is %d", count, maxSlices)
	}
	entry := uint64(20)
	if magic == fatMagic64 {
		entry = 32
	}
	data, err := src.Read("macho: fat header", 8, uint64(count)*entry)
	if err != nil {
		return nil, err
	}
	c := bin.NewOrderedCursor("macho: fat header", 8, data, binary.BigEndian)
	var out []slice
	for range count {
		if s, ok := parseSlice(c, magic == fatMagic64, src); ok {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("macho: fat header at 0x8: none of %d slices lies in the file of %d bytes", count, src.Size())
	}
	return out, nil
}

// parseSlice reads CPU and its kind, where the slice is, and its alignment.
// One that is cut off by the end of the file has what is there.
func parseSlice(c *bin.Cursor, is64 bool, src bin.Source) (slice, bool) {
	c.Skip(8)
	var off, size uint64
	if is64 {
		off, size = c.U64(), c.U64()
		c.Skip(8)
	} else {
		off, size = uint64(c.U32()), uint64(c.U32())
		c.Skip(4)
	}
	if off == 0 || off >= uint64(src.Size()) || size == 0 {
		return slice{}, false
	}
	return slice{int64(off), int64(min(size, uint64(src.Size())-off))}, true
}
