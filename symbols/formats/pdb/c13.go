package pdb

import (
	"encoding/binary"

	"crashglass/core/base/bin"
)

// Kinds of subsections of a module's line information.
//
// Source: DEBUG_S_SUBSECTION_TYPE of microsoft-pdb's include/cvinfo.h.
const (
	subLines        = 0xf2
	subChecksums    = 0xf4
	subInlinees     = 0xf6
	subCrossImports = 0xf7
	subCrossExports = 0xf8
	subIgnore       = 0x8000_0000 // a flag: the subsection is not to be read
)

// readC13 takes the line information of a module apart.
//
// Spec: https://llvm.org/docs/PDB/ModiStream.html, CV_DebugSLinesHeader_t and
// its like of cvinfo.h.
func (u *unit) readC13(f *File, at int64, data []byte) {
	u.lines.rows = make([]lineRow, 0, linesIn(data)/8)
	what := "line information of " + u.what
	c := bin.NewCursor(what, at, data)
	for c.Len() >= 8 {
		kind, size := c.U32(), c.U32()
		from := c.Offset()
		body := c.Bytes(int(size))
		if c.Err() != nil {
			break
		}
		sub := bin.NewCursor(what, from, body)
		switch kind {
		case subLines:
			if u.ownLines(f, body) {
				u.lines.add(sub, &f.addr)
			}
		case subChecksums:
			u.lines.files = body
		case subInlinees:
			u.sites.add(sub)
		case subCrossImports:
			u.cross.addImports(sub)
		case subCrossExports:
			u.cross.addExports(sub)
		}
		f.notes.error(sub.Err())
		c.Skip(min(int(-size&3), c.Len()))
	}
	f.notes.error(c.Err())
	u.lines.finish()
}

// linesIn is how many bytes of line information are lines, nearly. Each line
// takes eight.
func linesIn(data []byte) (n int) {
	eachSubsection(data, func(kind uint32, body []byte) {
		if kind == subLines {
			n += len(body)
		}
	})
	return n
}

// eachSubsection calls do for each subsection, up to the first that is cut off.
func eachSubsection(data []byte, do func(kind uint32, body []byte)) {
	for len(data) >= 8 {
		kind, size := binary.LittleEndian.Uint32(data), int64(binary.LittleEndian.Uint32(data[4:]))
		if size > int64(len(data)-8) {
			return
		}
		do(kind, data[8:8+size])
		data = data[8+min((size+3)&^3, int64(len(data)-8)):]
	}
}

func (f *File) fileName(u *unit, file uint32) string {
	if int64(file)+4 > int64(len(u.lines.files)) {
		f.notes.add("%s: source file %#x, the checksums have %d bytes", u.what, file, len(u.lines.files))
		return ""
	}
	text, err := f.names.at(binary.LittleEndian.Uint32(u.lines.files[file:]))
	f.notes.error(err)
	return text
}

// An inlinee is the first line of an inlined function.
type inlinee struct{ file, line uint32 }

type inlineeTable map[uint32]inlinee

// add reads DEBUG_S_INLINEELINES: entries without or with a list of further
// files that the function's body comes from.
func (t *inlineeTable) add(c *bin.Cursor) {
	extra := c.U32() == 1
	if *t == nil {
		*t = inlineeTable{}
	}
	for c.Len() >= 12 {
		id := c.U32()
		in := inlinee{file: c.U32(), line: c.U32()}
		if extra {
			c.Skip(4 * c.Count(4))
		}
		if c.Err() != nil {
			return
		}
		if _, ok := (*t)[id]; !ok {
			(*t)[id] = in
		}
	}
}
