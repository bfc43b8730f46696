package elfcore

import "crashglass/core/base/bin"

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
