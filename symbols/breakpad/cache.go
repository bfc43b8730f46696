package breakpad

import "crashglass/core/recent"

// A cache has what was parsed lately.
type cache[V any] = recent.Cache[int64, V]

// caches hold what was parsed on demand: by the offset of the record, but files
// and origins by their number. Each keeps recent.DefaultLimit, roughly.
type caches struct {
	symbols cache[symbol]
	bodies  cache[*body]
	frames  cache[*frames]
	wins    cache[winRecord]
	files   cache[string]
	origins cache[origin]
}
