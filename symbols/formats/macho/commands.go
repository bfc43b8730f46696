package macho

import "crashglass/core/base/bin"

// Load commands that are read here.
const (
	cmdSegment        = 0x1
	cmdSymtab         = 0x2
	cmdIDDylib        = 0xd
	cmdSegment64      = 0x19
	cmdUUID           = 0x1b
	cmdEncryption     = 0x21
	cmdFunctionStarts = 0x26
	cmdEncryption64   = 0x2c
	cmdDyldInfo       = 0x22
	cmdExportsTrie    = 0x33

	cmdRequired = 0x8000_0000 // dyld must know the command
)

type byteRange struct{ off, size uint64 }

// A symtabPlace is where symbols and their names are.
type symtabPlace struct {
	off, count uint64
	strings    byteRange
}

// readCommands reads the list of load commands. One that is damaged ends it:
// the next one is found by its size.
func (f *File) readCommands() {
	size := uint64(f.h.size)
	if left := uint64(max(f.size-f.h.len(), 0)); size > left {
		f.note("macho: load commands at %#x: %d bytes, the file has %d", f.at+f.h.len(), size, left)
		size = left
	}
	data, err := f.read("macho: load commands", uint64(f.h.len()), size)
	if err != nil {
		f.note("%v", err)
		return
	}
	at := f.at + f.h.len()
	for i := uint32(0); i < f.h.commands && len(data) >= 8; i++ {
		kind, size := f.h.order.Uint32(data), f.h.order.Uint32(data[4:])
		if size < 8 || uint64(size) > uint64(len(data)) {
			f.note("macho: load command %d at %#x: %d bytes, there are %d", i, at, size, len(data))
			return
		}
		c := bin.NewOrderedCursor("macho: load command", at+8, data[8:size], f.h.order)
		f.readCommand(c, kind)
		if err := c.Err(); err != nil {
			f.note("%v", err)
		}
		data, at = data[size:], at+int64(size)
	}
}

func (f *File) readCommand(c *bin.Cursor, kind uint32) {
	switch kind &^ cmdRequired {
	case cmdSegment, cmdSegment64:
		f.readSegment(c, kind == cmdSegment64)
	case cmdUUID:
		f.uuid = c.Bytes(16)
	case cmdSymtab:
		f.symtab = symtabPlace{off: uint64(c.U32()), count: uint64(c.U32())}
		f.symtab.strings = byteRange{uint64(c.U32()), uint64(c.U32())}
	case cmdFunctionStarts:
		f.starts = byteRange{uint64(c.U32()), uint64(c.U32())}
	case cmdExportsTrie:
		f.exports = byteRange{uint64(c.U32()), uint64(c.U32())}
	case cmdDyldInfo:
		c.Skip(32) // what to rebase and to bind
		f.exports = byteRange{uint64(c.U32()), uint64(c.U32())}
	case cmdIDDylib:
		at := int(c.U32()) - 8
		c.Skip(12) // time and versions
		if at >= 16 {
			c.Skip(at - 16)
			f.dylib = bin.Text(c.Bytes(c.Len()))
		}
	case cmdEncryption, cmdEncryption64:
		p := byteRange{uint64(c.U32()), uint64(c.U32())}
		if c.U32() != 0 && c.Err() == nil {
			f.encrypted = p
			f.note("macho: %d bytes of code at %#x are encrypted", p.size, f.at+int64(p.off))
		}
	}
}
