package cfi

import (
	"fmt"
	"slices"
	"sync"
)

// maxNotes is how many notes are kept; a damaged section could have one for each entry.
const maxNotes = 32

// notes are what was damaged, each once.
type notes struct {
	mu   sync.Mutex
	text []string
	more int
}

func (n *notes) add(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	text := err.Error()
	switch {
	case slices.Contains(n.text, text):
	case len(n.text) < maxNotes:
		n.text = append(n.text, text)
	default:
		n.more++
	}
}

func (n *notes) list() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	out := slices.Clone(n.text)
	if n.more > 0 {
		out = append(out, fmt.Sprintf("cfi: %d further defects", n.more))
	}
	return out
}

// maxCached is how many answers a cache keeps. A stack has fewer frames that matter.
const maxCached = 512

// A cache remembers answers, and forgets all of them when there are too many:
// they are cheap to find again.
type cache[K comparable, V any] struct {
	mu sync.Mutex
	m  map[K]V
}

func (c *cache[K, V]) get(k K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.m[k]
	return v, ok
}

func (c *cache[K, V]) put(k K, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m == nil || len(c.m) >= maxCached {
		c.m = map[K]V{}
	}
	c.m[k] = v
}
