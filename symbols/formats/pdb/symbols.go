package pdb

import (
	"encoding/binary"

	"crashglass/core/base/bin"
)

// Kinds of symbol records. Those with _ST have names with a length in front,
// and are what Visual C++ 7.0 and 7.1 wrote.
//
// Source: SYM_ENUM_e of microsoft-pdb's include/cvinfo.h.
const (
	symEnd         = 0x0006 // S_END
	symPublicST    = 0x1009 // S_PUB32_ST
	symLocalProcST = 0x100a // S_LPROC32_ST
	symProcST      = 0x100b // S_GPROC32_ST
	symThunk       = 0x1102 // S_THUNK32
	symBlock       = 0x1103 // S_BLOCK32
	symWith        = 0x1104 // S_WITH32
	symPublic      = 0x110e // S_PUB32
	symLocalProc   = 0x110f // S_LPROC32
	symProc        = 0x1110 // S_GPROC32
	symManaged     = 0x112a // S_GMANPROC
	symLocalManag  = 0x112b // S_LMANPROC
	symSepCode     = 0x1132 // S_SEPCODE
	symEnvironment = 0x113d // S_ENVBLOCK
	symLocalProcID = 0x1146 // S_LPROC32_ID
	symProcID      = 0x1147 // S_GPROC32_ID
	symInlineSite  = 0x114d // S_INLINESITE
	symInlineEnd   = 0x114e // S_INLINESITE_END
	symProcIDEnd   = 0x114f // S_PROC_ID_END
	symProcDPC     = 0x1155 // S_LPROC32_DPC
	symProcDPCID   = 0x1156 // S_LPROC32_DPC_ID
	symInlineSite2 = 0x115d // S_INLINESITE2
)

// isProc reports whether a kind is that of a function, in the layout of PROCSYM32.
func isProc(kind uint16) bool {
	switch kind {
	case symProc, symLocalProc, symProcST, symLocalProcST, symProcID, symLocalProcID, symProcDPC, symProcDPCID:
		return true
	}
	return false
}

// opens reports whether records up to the end belong to a record of this kind.
func opens(kind uint16) bool {
	switch kind {
	case symThunk, symBlock, symWith, symManaged, symLocalManag, symSepCode, symInlineSite, symInlineSite2:
		return true
	}
	return isProc(kind)
}

func closes(kind uint16) bool {
	return kind == symEnd || kind == symInlineEnd || kind == symProcIDEnd
}

// A record is one symbol record: its kind, where it begins, and what follows
// the kind.
type record struct {
	kind uint16
	at   int64
	data []byte
}

func (r record) cursor(what string) *bin.Cursor { return bin.NewCursor(what, r.at+4, r.data) }

// nextRecord reports false at the end, and for a record that is cut off.
func nextRecord(data []byte, off, base int64) (r record, next int64, ok bool) {
	if off < 0 || int64(len(data))-off < 4 {
		return r, off, false
	}
	size := int64(binary.LittleEndian.Uint16(data[off:]))
	if size < 2 || size > int64(len(data))-off-2 {
		return r, off, false
	}
	r = record{binary.LittleEndian.Uint16(data[off+2:]), base + off, data[off+4 : off+2+size]}
	return r, off + 2 + size, true
}

// name reads a string to the end of the record: up to a zero byte, or of the
// length in front in records of old kinds.
func name(c *bin.Cursor, old bool) string {
	n := c.Len()
	if old {
		n = min(int(c.U8()), c.Len())
	}
	return nameAtStart(c.Bytes(n))
}

// A procSym is the content of a function's record.
type procSym struct {
	size uint32

	bodyFrom, bodyTo uint32 // offsets at which the prologue ends and the epilogue begins; 0 where not known

	typ   uint32
	off   uint32
	sect  uint16
	name  string
	isID  bool // typ is a number of an id, not of a type
	thunk bool
}

// parseProc reads S_GPROC32 and its like: PROCSYM32 of cvinfo.h.
func parseProc(r record) (p procSym, err error) {
	c := r.cursor("function record")
	c.Skip(12) // parent, end, next
	p.size = c.U32()
	p.bodyFrom, p.bodyTo = c.U32(), c.U32()
	p.typ, p.off, p.sect = c.U32(), c.U32(), c.U16()
	c.Skip(1)
	p.name = name(c, r.kind == symProcST || r.kind == symLocalProcST)
	p.isID = r.kind == symProcID || r.kind == symLocalProcID || r.kind == symProcDPCID
	return p, c.Err()
}

// parseThunk reads S_THUNK32: code that only jumps, to an imported function or
// to one that an incremental link moved. THUNKSYM32 of cvinfo.h.
func parseThunk(r record) (p procSym, err error) {
	c := r.cursor("thunk record")
	c.Skip(12)
	p.off, p.sect, p.size = c.U32(), c.U16(), uint32(c.U16())
	c.Skip(1) // what kind of thunk
	p.name, p.thunk = name(c, false), true
	return p, c.Err()
}

// A codeBlock is code of a function away from its main part.
type codeBlock struct {
	parent uint32 // where the record of the scope around it is
	size   uint32
	off    uint32
	sect   uint16
}

// parseBlock reads S_BLOCK32, a scope inside a function, BLOCKSYM32 of cvinfo.h: with profile guided
// optimization its code may be away from the rest. It also reads S_SEPCODE, code that the compiler or the
// linker split off, SEPCODESYM of cvinfo.h.
func parseBlock(r record) (b codeBlock, err error) {
	what, unused := "block record", 0
	if r.kind == symSepCode {
		what, unused = "separated code record", 4
	}
	c := r.cursor(what)
	b.parent = c.U32()
	c.Skip(4)
	b.size = c.U32()
	c.Skip(unused)
	b.off = c.U32()
	c.Skip(unused)
	b.sect = c.U16()
	return b, c.Err()
}
