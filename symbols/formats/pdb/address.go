package pdb

import (
	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
)

// A section is one of the image's, as its header describes it.
type section struct {
	start, size uint32 // address and extent in memory
	flags       uint32
}

const sectionSize = 40

// maxSections is the highest number of a section: records and the file header of an image have 16
// bits for it.
const maxSections = 0xffff

// code reports whether the section holds code:
// IMAGE_SCN_CNT_CODE or IMAGE_SCN_MEM_EXECUTE.
func (s section) code() bool { return s.flags&0x2000_0020 != 0 }

// parseSections reads IMAGE_SECTION_HEADERs.
//
// Spec: https://learn.microsoft.com/windows/win32/debug/pe-format#section-table-section-headers
func parseSections(c *bin.Cursor) []section {
	out := make([]section, 0, min(c.Len()/sectionSize, maxSections))
	for c.Len() >= sectionSize && len(out) < maxSections {
		var s section
		c.Skip(8)
		s.size, s.start = c.U32(), c.U32()
		s.size = max(s.size, c.U32()) // of the data in the file
		c.Skip(16)
		s.flags = c.U32()
		out = append(out, s)
	}
	return out
}

// An addressMap turns what records say, a section and an offset, into
// addresses of the image.
//
// Windows' own programs, until Windows 8, were rearranged after linking. Their PDB describes the
// program as it was linked. So records have internal addresses, by the section headers of that
// time, and the OMAP tables map them to the final image. This package uses internal addresses
// everywhere except in its answers.
type addressMap struct {
	sections []section // by which records count
	image    []section // of the image
	omap     *mapping  // nil if the image was not rearranged

	byStart *ranges.Table // of sections; nil until one is looked for
}

// rva is the internal address of a record. Sections count from 1.
func (a *addressMap) rva(sect uint16, off uint32) (uint32, bool) {
	if sect == 0 || int(sect) > len(a.sections) {
		return 0, false
	}
	start := a.sections[sect-1].start
	return start + off, start+off >= start
}

// Where there are no headers, nothing does.
func (a *addressMap) isCode(sect uint16) bool {
	return sect > 0 && int(sect) <= len(a.sections) && a.sections[sect-1].code()
}

// sectionOf is the number of the section at an internal address, 0 for none. Every public symbol
// asks for it, and a file may have thousands of sections.
func (a *addressMap) sectionOf(rva uint32) int {
	if a.byStart == nil {
		a.byStart = &ranges.Table{}
		for i, s := range a.sections {
			addRun(a.byStart, s.start, endOf(s.start, s.size), i+1)
		}
		a.byStart.Finish()
	}
	r, ok := a.byStart.Find(uint64(rva))
	if !ok {
		return 0
	}
	return int(r.Value)
}

// Code that was added to the image has the internal address of the code before it.
func (a *addressMap) internal(rel uint64) (rva uint32, injected, ok bool) {
	if rel >= 1<<32 {
		return 0, false, false
	}
	if a.omap == nil {
		return uint32(rel), false, true
	}
	return a.omap.internal(uint32(rel))
}

// pieces are the ranges of the image that correspond to an internal range.
func (a *addressMap) pieces(start, end uint32) []piece {
	if a.omap == nil {
		return []piece{{start: start, end: end}}
	}
	return a.omap.pieces(start, end)
}

// piece returns the range of the image that covers rel, of an internal range.
func (a *addressMap) piece(start, end uint32, rel uint64) (piece, bool) {
	if a.omap == nil {
		return piece{start: start, end: end}, uint64(start) <= rel && rel < uint64(end)
	}
	return pieceAt(a.omap.pieces(start, end), rel)
}

func pieceAt(list []piece, rel uint64) (piece, bool) {
	for _, p := range list {
		if uint64(p.start) <= rel && rel < uint64(p.end) {
			return p, true
		}
	}
	return piece{}, false
}

// imageSize is the end of the last section, in whole pages: SizeOfImage.
func (a *addressMap) imageSize() uint64 { return (sectionsEnd(a.image) + 0xfff) &^ 0xfff }

func sectionsEnd(list []section) (end uint64) {
	for _, s := range list {
		end = max(end, uint64(s.start)+uint64(s.size))
	}
	return end
}

// A PDB's addresses have 32 bits, and its runs of code an end that is not part
// of them.

// addRun adds a run of code to a table, if it has any.
func addRun(t *ranges.Table, start, end uint32, value int) {
	if start < end {
		t.Add(uint64(start), uint64(end-start), int64(value))
	}
}

// startsIn reports whether a piece of a table starts at a to b, both included.
func startsIn(t *ranges.Table, a, b uint32) bool {
	i := t.UpTo(uint64(b)) - 1
	return i >= 0 && t.Range(i).Start >= uint64(a)
}

// endOf is start+size, or the highest address when that does not fit.
func endOf(start, size uint32) uint32 {
	if end := start + size; end >= start {
		return end
	}
	return ^uint32(0)
}
