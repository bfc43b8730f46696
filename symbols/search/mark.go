package search

import (
	"cmp"
	"slices"

	"crashglass/core/base/ranges"
)

// A mark is a record of a block, and how fast numbers grow around it. Searches
// guess by marks where other records are.
type mark struct {
	number uint64
	at     int64   // offset of the record
	pace   float64 // numbers to a unit of the file, 0 if the block does not tell
}

// middleOf returns the record in the middle of a block. If one run ends in the block and the next
// begins, it is a record of the run that has more records there.
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
