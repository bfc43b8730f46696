package search

import (
	"math"
	"slices"

	"crashglass/core/base/ranges"
)

// A Block has the records that begin in one part of a file.
type Block struct {
	Rows  [][]ranges.Range // of each series, in the order of the file; Value is the offset
	Flags uint8            // what else the format found in it

	middle      []mark // of each series that has rows
	first, last int    // the lowest and highest section, or first > last
}

// NewBlock makes a block of so many series without records.
func NewBlock(series int) *Block {
	return &Block{Rows: make([][]ranges.Range, series), middle: make([]mark, series), first: math.MaxInt, last: -1}
}

// Touch adds that the block has something of a section, apart from rows.
func (b *Block) Touch(section int) { b.first, b.last = min(b.first, section), max(b.last, section) }

// finish derives the rest from the rows.
func (b *Block) finish(sections []int) {
	for k, rows := range b.Rows {
		if len(rows) > 0 {
			b.middle[k] = middleOf(rows)
			b.Touch(sections[k])
		}
	}
}

// bytes is the approximate memory of a block.
func (b *Block) bytes() (n int) {
	for _, rows := range b.Rows {
		n += 24 * cap(rows)
	}
	return n + 256
}

// covers reports whether a record of a series has a number.
func (b *Block) covers(k Series, v uint64) bool {
	return slices.ContainsFunc(b.Rows[k], func(r ranges.Range) bool { return v-r.Start < r.Size })
}
