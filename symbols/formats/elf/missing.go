package elf

import (
	"fmt"
	"path"
	"strings"
)

// Missing says which parts of the file's DWARF are in files that were not attached, as sentences
// that follow the file's name. The list is complete only after functions were looked up or listed.
func (f *File) Missing() (out []string) {
	if l := f.links().Supplement; l.Valid && !f.supplemented() {
		out = append(out, fmt.Sprintf("lacks what dwz moved to %s with the build ID %s: add that file for the names of shared functions", path.Base(l.Name), l.ID))
	}
	if m := f.info().Missing(); m.Units > 0 {
		out = append(out, fmt.Sprintf("lacks the split DWARF of %s: add %s, or a .dwp file with all of them", countOf(m.Units, "unit"), listed(m.Files, m.Units)))
	}
	return out
}

// supplemented reports whether the file that dwz wrote is attached.
func (f *File) supplemented() bool {
	for _, other := range f.attached {
		if other.supplement {
			return true
		}
	}
	return false
}

// listed names the first files of so many.
func listed(names []string, all int) string {
	text := strings.Join(names, ", ")
	if more := all - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func countOf(n int, noun string) string {
	if n == 1 {
		return "one " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
