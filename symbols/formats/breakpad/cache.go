package breakpad

import "crashglass/core/base/recent"

// A cache holds records that were parsed lately.
type cache[V any] = recent.Cache[int64, V]

// caches hold records that were parsed on demand, by offset; files and origins by their number.
// Each keeps recent.DefaultLimit, roughly.
type caches struct {
	symbols cache[symbol]
	bodies  cache[*body]
	frames  cache[*frames]
	wins    cache[winRecord]
	files   cache[string]
	origins cache[origin]
}
