package search

import (
	"cmp"
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

func (b *Block) covers(k Series, v uint64) bool {
	return slices.ContainsFunc(b.Rows[k], func(r ranges.Range) bool { return v-r.Start < r.Size })
}

// A mark is a record of a block, and how fast numbers grow around it. Searches
// guess by marks where other records are.
type mark struct {
	number uint64
	at     int64   // offset of the record
	pace   float64 // numbers to a unit of the file, 0 if the block does not tell
}

// If one run ends in the block and the next begins, it is a record of the run that has more records there.
func middleOf(rows []ranges.Range) mark {
	byNumber := func(a, b ranges.Range) int { return cmp.Compare(a.Start, b.Start) }
	if !slices.IsSortedFunc(rows, byNumber) {
		sorted := slices.SortedFunc(slices.Values(rows), byNumber)
		middle := sorted[len(sorted)/2]
		return mark{number: middle.Start, at: middle.Value}
	}
	first, middle, last := rows[0], rows[len(rows)/2], rows[len(rows)-1]
	m := mark{number: middle.Start, at: middle.Value}
	if last.Value > first.Value {
		m.pace = float64(last.Start-first.Start) / float64(last.Value-first.Value)
	}
	return m
}

// beside guesses the offset of a number by the pace around the mark, within
// reach units of it.
func (m mark) beside(v uint64, reach int64) int64 {
	forward := v >= m.number
	way := float64(m.number - v)
	if forward {
		way = float64(v - m.number)
	}
	units := reach
	if m.pace > 0 && way/m.pace < float64(reach) {
		units = int64(way / m.pace)
	}
	if forward {
		return m.at + units
	}
	return m.at - units
}

// between guesses the offset of a number between two marks, as if numbers grew evenly.
func between(a, b mark, v uint64) int64 {
	part := float64(v-a.number) / float64(b.number-a.number)
	return a.at + int64(part*float64(b.at-a.at))
}
