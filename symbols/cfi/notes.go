package cfi

import (
	"fmt"
	"sync"
)

// maxNotes is how many notes are kept; a damaged section could have one for each entry.
const maxNotes = 32

func (t *Table) note(err error) { t.notes.Add(err.Error()) }

// Notes says what was damaged in what was looked at, one sentence each.
func (t *Table) Notes() []string {
	out, more := t.notes.List()
	if more > 0 {
		out = append(out, fmt.Sprintf("cfi: %d further defects", more))
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
