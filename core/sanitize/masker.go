package sanitize

import "slices"

// A Masker masks texts that are shared together with a sanitized dump: paths of source files and
// names of functions in its symbols, and names of files. Its rules are those for reports.
type Masker struct{ masks masks }

// NewMasker returns a Masker for home folders and for the given names of people, which come from
// [People] or a [Result], also of several dumps.
func NewMasker(people []string) *Masker {
	sorted := slices.Compact(slices.Sorted(slices.Values(people)))
	slices.SortStableFunc(sorted, byLength)
	return &Masker{masks{people: sorted}}
}

// Path masks a path. The name of the file stays.
func (m *Masker) Path(s string) string { return m.masks.path(s) }

// Symbol masks the name of a function.
func (m *Masker) Symbol(s string) string { return m.masks.symbol(s) }

// Text masks any other text.
func (m *Masker) Text(s string) string { return m.masks.text(s) }
