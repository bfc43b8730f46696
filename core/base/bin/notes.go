package bin

import (
	"slices"
	"sync"
)

// Notes collect sentences about damage in a file, each once, in their order. A damaged table could
// give one for each entry, so only some are kept and the others are counted. The zero value keeps
// [DefaultNotes]. It may be used from several goroutines, and must not be copied.
type Notes struct {
	Limit int // the number that is kept; 0 means DefaultNotes

	mu   sync.Mutex
	text []string
	more int
}

// DefaultNotes is the limit of Notes whose Limit is 0.
const DefaultNotes = 64

// Add adds a sentence.
func (n *Notes) Add(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.add(text)
}

func (n *Notes) add(text string) {
	limit := n.Limit
	if limit == 0 {
		limit = DefaultNotes
	}
	switch {
	case slices.Contains(n.text, text):
	case len(n.text) < limit:
		n.text = append(n.text, text)
	default:
		n.more++
	}
}

// AddAll adds the sentences of another list, and the number that it dropped.
func (n *Notes) AddAll(other *Notes) {
	text, more := other.List()
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, t := range text {
		n.add(t)
	}
	n.more += more
}

// List returns the kept sentences, and the number of dropped ones.
func (n *Notes) List() (text []string, more int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.text), n.more
}
