package pe

import (
	"fmt"

	"crashglass/core/base/bin"
)

// Machines of COFF headers. Source: PE Format, "Machine Types".
const (
	machineI386  = 0x014c
	machineARMNT = 0x01c4
	machineAMD64 = 0x8664
	machineARM64 = 0xaa64
)

// archs are core/machine/cpu's names of the machines.
var archs = map[uint16]string{
	machineI386: "x86", machineARMNT: "arm", machineAMD64: "amd64", machineARM64: "arm64",
}

// Data directories. Source: PE Format, "Optional Header Data Directories".
const (
	dirExport    = 0
	dirException = 3
	dirReloc     = 5
	dirDebug     = 6
	dirLoad      = 10
	dirIAT       = 12
	dirDelay     = 13
	dirCLR       = 14
	dirCount     = 16
)

// A header has the fields of the DOS, COFF and optional headers.
type header struct {
	machine     uint16
	sections    int
	stamp       uint32 // TimeDateStamp
	symbols     int64  // file offset of the COFF symbol table; 0 when there is none
	symbolCount uint32
	wide        bool // PE32+
	linker      uint8
	imageBase   uint64
	baseAt      span // where it is, in the file and in memory
	imageSize   uint32
	headerSize  uint32
	dirs        [dirCount]directory
	dirsAt      uint64 // where they are
	sectionsAt  int64
}

func (h *header) wordSize() int {
	if h.wide {
		return 8
	}
	return 4
}

// A directory is a table in the image, by its address and size.
type directory struct{ rva, size uint32 }

// Sizes and signatures. Source: PE Format, "MS-DOS Stub", "COFF File Header", "Optional Header".
const (
	dosSize     = 0x40
	dosMagic    = 0x5a4d
	peMagic     = 0x0000_4550
	coffSize    = 20
	magicPE32   = 0x10b
	magicPE32P  = 0x20b
	optFixed32  = 96
	optFixed64  = 112
	maxOptional = optFixed64 + 8*dirCount
)

// readHeader reads everything before the section table.
func readHeader(src bin.Source) (h header, err error) {
	dos, err := src.Read("DOS header", 0, dosSize)
	if err != nil {
		return h, err
	}
	c := bin.NewCursor("DOS header", 0, dos)
	if magic := c.U16(); magic != dosMagic {
		return h, defect("DOS header", 0, "signature %#x is not %#x", magic, dosMagic)
	}
	c.Skip(dosSize - 6)
	at := int64(c.U32())
	fixed, err := src.Read("PE header", at, 4+coffSize)
	if err != nil {
		return h, err
	}
	c = bin.NewCursor("PE header", at, fixed)
	if magic := c.U32(); magic != peMagic {
		return h, defect("PE header", at, "signature %#x is not %#x", magic, peMagic)
	}
	optSize := h.readCOFF(c)
	at += 4 + coffSize
	h.sectionsAt = at + int64(optSize)
	opt, err := src.Read("optional header", at, uint64(min(optSize, maxOptional)))
	if err != nil {
		return h, err
	}
	c = bin.NewCursor("optional header", at, opt)
	h.readOptional(c)
	return h, c.Err()
}

// readCOFF returns the size of the optional header.
func (h *header) readCOFF(c *bin.Cursor) (optSize uint16) {
	h.machine, h.sections, h.stamp = c.U16(), int(c.U16()), c.U32()
	h.symbols, h.symbolCount = int64(c.U32()), c.U32()
	return c.U16()
}

func (h *header) readOptional(c *bin.Cursor) {
	switch magic := c.U16(); magic {
	case magicPE32:
	case magicPE32P:
		h.wide = true
	default:
		c.Fail("magic %#x is neither %#x nor %#x", magic, magicPE32, magicPE32P)
		return
	}
	h.linker = c.U8()
	c.Skip(21) // minor version of the linker, sizes of sections, entry point, base of code
	if !h.wide {
		c.Skip(4) // base of data
	}
	h.baseAt.start = uint64(c.Offset())
	if h.wide {
		h.imageBase = c.U64()
	} else {
		h.imageBase = uint64(c.U32())
	}
	h.baseAt.end = uint64(c.Offset())
	c.Skip(24) // alignments, versions
	h.imageSize, h.headerSize = c.U32(), c.U32()
	if h.wide {
		c.Skip(optFixed64 - 64 - 4)
	} else {
		c.Skip(optFixed32 - 64 - 4)
	}
	// NumberOfRvaAndSizes may promise more than the optional header has.
	n := min(c.U32(), dirCount)
	h.dirsAt = uint64(c.Offset())
	for i := 0; i < int(n) && c.Len() >= 8; i++ {
		h.dirs[i] = directory{c.U32(), c.U32()}
	}
}

func defect(what string, off int64, format string, args ...any) error {
	return &bin.Error{What: what, Off: off, Why: fmt.Sprintf(format, args...)}
}
