package sanitize

import "slices"

// A Masker masks texts that leave with a sanitized dump and are not in it: the
// paths of source files and the names of functions in its symbols, and the
// names of files. It masks them as a report's are.
type Masker struct{ masks masks }

// NewMasker masks homes, and the names of people: those of [People] or of a
// [Result], also of several dumps.
func NewMasker(people []string) *Masker {
	sorted := slices.Compact(slices.Sorted(slices.Values(people)))
	slices.SortStableFunc(sorted, byLength)
	return &Masker{masks{people: sorted}}
}

// Path is what stays of a path. The name of the file stays.
func (m *Masker) Path(s string) string { return m.masks.path(s) }

// Symbol is what stays of the name of a function.
func (m *Masker) Symbol(s string) string { return m.masks.symbol(s) }

// Text is what stays of any other text.
func (m *Masker) Text(s string) string { return m.masks.text(s) }
