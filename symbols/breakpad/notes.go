package breakpad

import (
	"cmp"
	"slices"
)

// A Note says what was odd about a file. Defects of one sort are counted
// together: a damaged file has a million of one, and not a million sorts.
type Note struct {
	Text   string // one line
	Line   int64  // number of the first such line; 0 when it is not known
	Offset int64  // of the first such record in the file
	Count  int    // at least 1
}

// IsDamage reports whether the Note is about lines that are lost. Records that
// overlap are all used, and have no line here; writers make records of no code.
func (n Note) IsDamage() bool { return n.Line > 0 && !slices.Contains(saysNothing, n.Text) }

// saysNothing are the Notes on records that no reader of symbols uses.
var saysNothing = []string{notePublicZero, funcFlaws.empty, initFlaws.empty, winFlaws.empty}

// notePublicZero is the text of the Note on what dump_syms writes of the header of
// every program of macOS.
const notePublicZero = "PUBLIC has the address 0"

// NoteCut is the text of the Note on a file whose last line has no end.
const NoteCut = "last line has no end: the file may be cut short"

// maxNotes bounds the sorts of defects that are remembered. Only what reading
// errors say is not a constant of ours.
const maxNotes = 64

// maxLate bounds how many defects that are found late, when a body is read,
// are remembered as counted: a body is read again when it was forgotten.
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
