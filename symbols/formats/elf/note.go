package elf

import (
	"crashglass/core/base/bin"
)

// noteBuildID is NT_GNU_BUILD_ID, of owner GNU.
const noteBuildID = 3

// maxNotes bounds how much of a run of notes is looked at.
const maxNotes = 64 << 10

// readBuildID looks for the build id: in the segments with notes and, where a
// linker did not make one, in the section.
func (f *File) readBuildID() {
	for _, s := range f.segs {
		if s.kind == segNote && f.buildID == nil && f.src.Has(int64(s.off), 1) {
			f.buildID = f.idInNotes(int64(s.off), s.size, s.align)
		}
	}
	// Files of debug information keep the headers of segments as they were in
	// the program, so that offsets there point nowhere.
	if s := f.find(".note.gnu.build-id"); s != nil {
		if id := f.idInNotes(int64(s.off), s.size, 4); id != nil {
			f.buildID = id
		}
	}
}

// idInNotes reads notes: sizes of name and description, type, and both, each
// padded to the alignment, which is 8 for .note.gnu.property alone.
func (f *File) idInNotes(off int64, size, align uint64) []byte {
	data, err := f.src.ReadUpTo("elf: notes", off, min(size, maxNotes))
	if err != nil {
		f.note("%v", err)
		return nil
	}
	pad := 3
	if align == 8 {
		pad = 7
	}
	c := bin.NewOrderedCursor("elf: notes", off, data, f.h.order)
	for c.Len() >= 12 && c.Err() == nil {
		nameSize, descSize, kind := int(c.U32()), int(c.U32()), c.U32()
		name := c.Bytes(nameSize)
		c.Skip(min(-(12+nameSize)&pad, c.Len()))
		desc := c.Bytes(descSize)
		c.Skip(min(-descSize&pad, c.Len()))
		if kind == noteBuildID && string(name) == "GNU\x00" && len(desc) > 0 {
			return desc
		}
	}
	if err := c.Err(); err != nil {
		f.note("%v", err)
	}
	return nil
}
