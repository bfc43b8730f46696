package text

import (
	"bytes"
	"math/bits"
	"slices"
)

// marks find the marks of all families in a line, in one pass that compares the first three bytes of all marks at once. Each
// beginning of a mark has a bit, and a byte has the bits of the beginnings that have it first, second or third.
type marks struct {
	heads  [256][head]uint64
	groups [64][]mark
}

// head is the number of bytes that are compared at once. Every mark has as many.
const head = 3

type mark struct {
	text   string
	family int
}

// A hit is a mark in a line.
type hit struct{ family, column int }

func newMarks(families []Family) *marks {
	m := &marks{}
	groups := map[string]int{}
	for i, f := range families {
		for _, text := range f.Marks {
			n, known := groups[text[:head]]
			if !known {
				n = len(groups) % len(m.groups)
				groups[text[:head]] = n
			}
			m.groups[n] = append(m.groups[n], mark{text, i})
			for at := range head {
				m.heads[text[at]][at] |= 1 << n
			}
		}
	}
	return m
}

// find appends the marks in a line to hits, in the order of their beginnings, each family once.
func (m *marks) find(line []byte, hits []hit) []hit {
	for from := 0; ; from++ {
		var found uint64
		if from, found = m.next(line, from); found == 0 {
			return hits
		}
		for ; found != 0; found &= found - 1 {
			hits = m.compare(line, from, bits.TrailingZeros64(found), hits)
		}
	}
}

// next returns the next column at which beginnings of marks are, and their bits. It is a function of its own so that its loop needs registers only.
func (m *marks) next(line []byte, from int) (column int, found uint64) {
	var one, two uint64 // the beginnings whose first byte, and whose first two bytes, are before this one
	for i, b := range line[from:] {
		t := &m.heads[b]
		if found = two & t[2]; found != 0 {
			return from + i + 1 - head, found
		}
		two, one = one&t[1], t[0]
	}
	return len(line), 0
}

func (m *marks) compare(line []byte, column, group int, hits []hit) []hit {
	for _, k := range m.groups[group] {
		known := slices.ContainsFunc(hits, func(h hit) bool { return h.family == k.family })
		if !known && bytes.HasPrefix(line[column:], []byte(k.text)) {
			hits = append(hits, hit{k.family, column})
		}
	}
	return hits
}
