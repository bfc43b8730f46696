package elfcore

import "crashglass/core/bin"

// unknownSize stands for the size of a core with more program headers than were
// seen.
const unknownSize = 1 << 40

// StatedSize is how large a core is by its first bytes: up to where its segments
// and section headers reach. It is 0 of another file, and very large where not
// all program headers are among these bytes.
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
