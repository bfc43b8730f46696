package breakpad

import (
	"cmp"
	"slices"
)

// A Note describes a defect of a file. Defects of one kind are counted together: a damaged file has
// a million defects of one kind, but few kinds.
type Note struct {
	Text   string // one line
	Line   int64  // number of the first such line; 0 if unknown
	Offset int64  // of the first such record in the file
	Count  int    // at least 1
}

// IsDamage reports whether lines are lost. Overlapping records are all used and have no line here;
// records without code are made by writers on purpose.
func (n Note) IsDamage() bool { return n.Line > 0 && !slices.Contains(saysNothing, n.Text) }

// saysNothing are the Notes on records that readers of symbols ignore.
var saysNothing = []string{notePublicZero, funcFlaws.empty, initFlaws.empty, winFlaws.empty}

// notePublicZero is the text of the Note on the record that dump_syms writes for the header of
// every macOS program.
const notePublicZero = "PUBLIC has the address 0"

// NoteCut is the text of the Note on a file whose last line has no end.
const NoteCut = "last line has no end: the file may be cut short"

// maxNotes bounds the kinds of defects. All texts are constants except those of read errors.
const maxNotes = 64

// maxLate bounds how many late defects, found while reading bodies, are remembered as counted,
// because a body that left the cache is read again.
const maxLate = 1 << 12

type notes struct {
	list []Note
	late map[int64]bool // by offset
}

// addLate counts a defect that was found when a record was read on demand.
func (n *notes) addLate(text string, off int64) {
	if n.late[off] || len(n.late) == maxLate {
		return
	}
	if n.late == nil {
		n.late = map[int64]bool{}
	}
	n.late[off] = true
	n.add(text, 0, off, 1)
}

func (n *notes) add(text string, line, off int64, count int) {
	for i := range n.list {
		if n.list[i].Text == text {
			n.list[i].Count += count
			return
		}
	}
	if len(n.list) < maxNotes {
		n.list = append(n.list, Note{Text: text, Line: line, Offset: off, Count: count})
	}
}

// sorted returns the notes in the order of the file.
func (n *notes) sorted() []Note {
	out := slices.Clone(n.list)
	slices.SortStableFunc(out, func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Text, b.Text))
	})
	return out
}
