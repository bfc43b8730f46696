package dwarf

import (
	"fmt"

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
