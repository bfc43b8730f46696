package pdb

import "crashglass/core/base/recent"

// A cache has what was read lately.
type cache[K comparable, V any] = recent.Cache[K, V]

// newCache makes a cache of a limit in bytes. A limit of 0 keeps the last value
// alone.
func newCache[K comparable, V any](limit int) *cache[K, V] {
	return &cache[K, V]{Limit: max(limit, 1)}
}
