package breakpad

import (
	"cmp"
	"slices"

	"crashglass/core/ranges"
)

// A series is all records with one kind of number: addresses, or the numbers of FILE or
// INLINE_ORIGIN.
type series int

const (
	byFile series = iota
	byOrigin
	byFunc
	byWin
	byInit
	seriesCount
)

// section is the order in which files have the records of each series. A file with another order is
// scanned.
var section = [seriesCount]int{byFile: 0, byOrigin: 1, byFunc: 2, byWin: 3, byInit: 4}

// publicSection is the section of PUBLIC records, which are before, among or after FUNC records.
const publicSection = 2

// A block holds the records of the lines that begin in one page.
type block struct {
	rows           [seriesCount][]ranges.Range // in the order of the file; Value is the offset
	middle         [seriesCount]mark
	first, last    int // the lowest and highest section, or first > last
	lines, inlines bool
	module         int64 // offset of MODULE, or -1
	codeID         int64 // offset of INFO CODE_ID, or -1
}

// blockOf turns the index of a part of a file around.
func blockOf(x *index) *block {
	b := &block{first: int(seriesCount), last: -1, lines: x.lines, inlines: x.inlines, module: x.module, codeID: x.codeID}
	for s, t := range map[series]*ranges.Table{byFunc: &x.funcs, byWin: &x.frames, byInit: &x.inits} {
		b.rows[s] = slices.Grow(b.rows[s], t.Len())
		for i := range t.Len() {
			b.rows[s] = append(b.rows[s], t.Range(i))
		}
	}
	b.rows[byFile], b.rows[byOrigin] = x.files.ranges(), x.origins.ranges()
	for s, rows := range b.rows {
		if len(rows) > 0 {
			b.middle[s] = middleOf(rows)
			b.touch(section[s])
		}
	}
	if x.publics.Len() > 0 {
		b.touch(publicSection)
	}
	if x.fpo.Len() > 0 {
		b.touch(section[byWin])
	}
	return b
}

func (b *block) touch(section int) { b.first, b.last = min(b.first, section), max(b.last, section) }

// bytes is the approximate memory of a block.
func (b *block) bytes() (n int) {
	for _, rows := range b.rows {
		n += 24 * cap(rows)
	}
	return n + 256
}

// ranges lists the numbers in the order of the file, as ranges of one number each, so that numbers
// are found as addresses are: of two records with one number the first is used.
func (t *idTable) ranges() (out []ranges.Range) {
	out = slices.Grow(out, t.dense.Len()+t.other.Len())
	for i := range t.dense.Len() {
		out = append(out, ranges.Range{Start: uint64(i), Size: 1, Value: int64(t.dense.At(i, 0))})
	}
	for i := range t.other.Len() {
		out = append(out, ranges.Range{Start: t.other.key(i), Size: 1, Value: t.other.off(i)})
	}
	slices.SortFunc(out, func(a, b ranges.Range) int { return cmp.Compare(a.Value, b.Value) })
	return out
}

// covers reports whether a record of a series has a number.
func (b *block) covers(k series, v uint64) bool {
	return slices.ContainsFunc(b.rows[k], func(r ranges.Range) bool { return v-r.Start < r.Size })
}
