package cfi

import (
	"sync"

	"crashglass/core/recent"
)

// maxCached is how many answers a cache keeps. A stack has fewer frames that matter.
const maxCached = 512

// A cache keeps answers for several goroutines.
type cache[K comparable, V any] struct {
	mu   sync.Mutex
	kept recent.Cache[K, V]
}

func (c *cache[K, V]) get(k K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept.Get(k)
}

func (c *cache[K, V]) put(k K, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept.Limit = maxCached
	c.kept.Put(k, v, 1)
}
