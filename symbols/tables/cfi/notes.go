package cfi

import "fmt"

// maxNotes is how many notes are kept; a damaged section could have one for each entry.
const maxNotes = 32

func (t *Table) note(err error) { t.notes.Add(err.Error()) }

// Notes returns the damage found so far, one sentence each.
func (t *Table) Notes() []string {
	out, more := t.notes.List()
	if more > 0 {
		out = append(out, fmt.Sprintf("cfi: %d further defects", more))
	}
	return out
}
