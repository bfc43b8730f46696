package breakpad

import "cmp"

// cacheBytes bounds, roughly, what each of a file's caches keeps.
const cacheBytes = 4 << 20

// A cache keeps what was used lately. When it is full it forgets everything
// that was not used since it was last full: nearly as good as exact order of
// use, and two maps instead of a list.
type cache[V any] struct {
	young, old map[int64]entry[V]
	size       int // of young
	limit      int // 0 is cacheBytes
}

type entry[V any] struct {
	value V
	size  int
}

func (c *cache[V]) get(key int64) (v V, ok bool) {
	if e, ok := c.young[key]; ok {
		return e.value, true
	}
	if e, ok := c.old[key]; ok {
		c.put(key, e.value, e.size)
		return e.value, true
	}
	return v, false
}

// put keeps a value that takes about size bytes. One value is always kept,
// however large it is.
func (c *cache[V]) put(key int64, v V, size int) {
	if c.young == nil || c.size+size > c.half() && len(c.young) > 0 {
		c.young, c.old, c.size = map[int64]entry[V]{}, c.young, 0
	}
	c.young[key] = entry[V]{v, size}
	c.size += size
}

func (c *cache[V]) half() int { return cmp.Or(c.limit, cacheBytes) / 2 }

// caches hold what was parsed on demand: by the offset of the record, but files
// and origins by their number.
type caches struct {
	symbols cache[symbol]
	bodies  cache[*body]
	frames  cache[*frames]
	files   cache[string]
	origins cache[origin]
}
