package pe

import (
	"fmt"
	"slices"

	"crashglass/core/base/bin"
)

// maxNotes is how many notes are kept; a damaged table could have one for each entry.
const maxNotes = 32

// notes are the defects, each once.
type notes struct{ bin.Notes }

func newNotes() *notes { return &notes{bin.Notes{Limit: maxNotes}} }

// add remembers a defect. The text is that of an error.
func (n *notes) add(err error) { n.Add("pe: " + err.Error()) }

// sorted are the notes in an order that does not depend on what was asked first.
func (n *notes) sorted() []string {
	out, more := n.List()
	slices.Sort(out)
	if more > 0 {
		out = append(out, fmt.Sprintf("pe: %d further defects", more))
	}
	return out
}

// note remembers a defect of what is at a file offset.
func (f *File) note(what string, off int64, format string, args ...any) {
	f.notes.add(defect(what, off, format, args...))
}
