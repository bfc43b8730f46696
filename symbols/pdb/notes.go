package pdb

import (
	"fmt"
	"slices"
)

// maxNotes bounds what is remembered of a damaged file.
const maxNotes = 64

// notes are the sentences on what was damaged, without repetition.
type notes struct {
	list []string
	more int
}

func (n *notes) add(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	switch {
	case slices.Contains(n.list, text):
	case len(n.list) < maxNotes:
		n.list = append(n.list, text)
	default:
		n.more++
	}
}

// error adds what an error says.
func (n *notes) error(err error) {
	if err != nil {
		n.add("%v", err)
	}
}

// addAll adds the sentences of another list.
func (n *notes) addAll(other *notes) {
	for _, text := range other.list {
		n.add("%s", text)
	}
	n.more += other.more
}

func (n *notes) all() []string {
	out := slices.Clone(n.list)
	if n.more > 0 {
		out = append(out, fmt.Sprintf("%d more defects", n.more))
	}
	return out
}
