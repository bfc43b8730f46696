// Package recent is the cache that readers of symbol files use for values that they parsed. The
// caller gives the cost of each value and the limit of the total, so values from hostile files
// cannot fill the memory. It never fails: the caller parses a dropped value again. It does not keep
// indexes on a disk. A Shared is a Cache for several goroutines.
package recent

import (
	"cmp"
	"sync"
)

// DefaultLimit is the limit of a Cache whose Limit is 0.
const DefaultLimit = 4 << 20

// A Cache keeps values up to a total cost, for instance in bytes. The zero value is ready for use.
// It is not safe for use by several goroutines.
//
// When the young half is full, the old half is dropped and the young half becomes the old one. Get
// moves a value to the young half. This is nearly as good as least recently used, and takes two
// maps instead of a list.
type Cache[K comparable, V any] struct {
	Limit int // 0 is DefaultLimit

	young, old map[K]entry[V]
	cost       int // of young
}

type entry[V any] struct {
	value V
	cost  int
}

// Get returns the value of a key, if it is kept.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	if e, ok := c.young[key]; ok {
		return e.value, true
	}
	if e, ok := c.old[key]; ok {
		c.Put(key, e.value, e.cost)
		return e.value, true
	}
	return value, false
}

// Put keeps a value. The last one is kept even if it costs more than the limit.
func (c *Cache[K, V]) Put(key K, value V, cost int) {
	if c.young == nil || len(c.young) > 0 && c.cost+cost > cmp.Or(c.Limit, DefaultLimit)/2 {
		c.young, c.old, c.cost = map[K]entry[V]{}, c.young, 0
	}
	c.young[key] = entry[V]{value, cost}
	c.cost += cost
}

// A Shared is a Cache that several goroutines may use at once.
type Shared[K comparable, V any] struct {
	Limit int // 0 is DefaultLimit

	mu   sync.Mutex
	kept Cache[K, V]
}

// Get returns the value of a key, if it is kept.
func (s *Shared[K, V]) Get(key K) (value V, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept.Get(key)
}

// Put keeps a value, as [Cache.Put] does.
func (s *Shared[K, V]) Put(key K, value V, cost int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.Limit = s.Limit
	s.kept.Put(key, value, cost)
}
