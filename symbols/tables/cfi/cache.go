package cfi

import "crashglass/core/base/recent"

// maxCached is how many answers a cache keeps. A stack has fewer frames that matter.
const maxCached = 512

func newCache[K comparable, V any]() *recent.Shared[K, V] {
	return &recent.Shared[K, V]{Limit: maxCached}
}
