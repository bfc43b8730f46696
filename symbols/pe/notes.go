package pe

import (
	"fmt"
	"slices"
	"sync"
)

// maxNotes is how many notes are kept; a damaged table could have one for each entry.
const maxNotes = 32

// notes are what was damaged, each once.
type notes struct {
	mu   sync.Mutex
	text []string
	seen map[string]bool
	more int
}

// add remembers a defect. The text is that of an error.
func (n *notes) add(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	text := "pe: " + err.Error()
	switch {
	case n.seen[text]:
	case len(n.text) < maxNotes:
		if n.seen == nil {
			n.seen = map[string]bool{}
		}
		n.seen[text] = true
		n.text = append(n.text, text)
	default:
		n.more++
	}
}

func (n *notes) sorted() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	out := slices.Clone(n.text)
	slices.Sort(out)
	if n.more > 0 {
		out = append(out, fmt.Sprintf("pe: %d further defects", n.more))
	}
	return out
}

// note remembers a defect of what is at a file offset.
func (f *File) note(what string, off int64, format string, args ...any) {
	f.notes.add(defect(what, off, format, args...))
}
