package dwarf

import (
	"fmt"
	"slices"

	"crashglass/core/base/bin"
)

// Sections are the parts of debug information, by their names without ".debug_" ("__debug_" in
// Mach-O): those of [SectionNames], and "cu_index" of a .dwp file. Missing ones count as empty.
type Sections map[string]bin.Source

// SectionNames are the sections that a program may have (section 7.31, and .debug_types of version 4).
var SectionNames = []string{"info", "abbrev", "line", "str", "line_str", "ranges", "rnglists", "addr", "str_offsets", "aranges", "loc", "loclists", "types"}

// limitOfSection is how many bytes of a section are kept. Strings are read at random; other sections
// are read mostly in order.
var limitOfSection = map[string]int64{"str": 64 << 20, "line_str": 8 << 20, "info": 8 << 20, "abbrev": 4 << 20}

// limitOfOthers is limitOfSection of those without an entry there.
const limitOfOthers = 4 << 20

// A section is one of a group's, read in pages.
type section struct {
	name  string
	src   bin.Source
	pages *bin.Pager
}

// newSection makes a section by its name without ".debug_". Nothing is read yet.
func newSection(name string, src bin.Source) *section {
	limit := limitOfSection[name]
	if limit == 0 {
		limit = limitOfOthers
	}
	what := "dwarf: .debug_" + name
	return &section{what, src, bin.NewPager(what, src, limit)}
}

// size is how many bytes the section has, decompressed.
func (s *section) size() uint64 { return uint64(s.src.Size()) }

// bytes returns n bytes, which must not be changed.
func (s *section) bytes(off, n uint64) ([]byte, error) { return s.pages.Bytes(int64(off), n) }

// upTo returns n bytes, or as many as there are.
func (s *section) upTo(off, n uint64) ([]byte, error) {
	if off < s.size() {
		n = min(n, s.size()-off)
	}
	return s.pages.Bytes(int64(off), max(n, 1))
}

// maxText bounds a name. C++ has some of 100 KB.
const maxText = 1 << 18

// text reads a string. One without an end in the section is truncated, and is not returned.
func (s *section) text(off uint64) (string, error) {
	text, err := s.pages.String(int64(off), maxText)
	if err == nil && off+uint64(len(text)) == s.size() {
		return "", fmt.Errorf("%s at %#x: a text has no end", s.name, off)
	}
	return text, err
}

// A lookahead reads parts of .debug_info in ascending order. If the parts are close together it
// reads the gaps, too: in a browser a read takes almost a millisecond, for 64 KiB as for a few
// bytes.
type lookahead struct {
	group *group
	src   bin.Source
	data  []byte
	at    uint64 // of data in the section
	last  uint64 // offset of the last request
}

// A request less than closeBy bytes after the previous one reads aheadOfClose bytes.
const (
	aheadOfClose = 1 << 20
	closeBy      = 32 << 10
)

func newLookahead(g *group) *lookahead {
	return &lookahead{group: g, src: g.section("info").src}
}

// read returns at least n bytes at an offset, or as many as there are. They
// are valid until the next call.
func (l *lookahead) read(off, n uint64) ([]byte, error) {
	rest := uint64(l.src.Size()) - min(off, uint64(l.src.Size()))
	n = min(n, rest)
	isClose := off > l.last && off-l.last < closeBy
	l.last = off
	if off >= l.at && off+n <= l.at+uint64(len(l.data)) {
		return l.data[off-l.at:], nil
	}
	size := n
	if isClose {
		size = min(max(n, aheadOfClose), rest)
	}
	l.data, l.at = slices.Grow(l.data[:0], int(size))[:size], off
	got, err := l.src.ReadAt(l.data, int64(off))
	l.data = l.data[:max(got, 0)]
	if have := uint64(len(l.data)); have < n { // the rest may never be requested
		return l.data, notRead(off+have, err)
	}
	return l.data, nil
}

// unit returns the bytes of a unit. What cannot be read is left out.
func (l *lookahead) unit(u *unit) ([]byte, error) {
	if !u.group.file.spend(u.end - u.off) {
		return nil, errWork
	}
	data, err := l.read(u.off, u.end-u.off)
	return data[:min(uint64(len(data)), u.end-u.off)], err
}
