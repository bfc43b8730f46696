package pdb

// A cache keeps values up to a total cost. When it is full, everything that
// was not asked for since it was half full is forgotten. Whoever walks stacks
// asks for few functions many times.
type cache[K comparable, V any] struct {
	limit int
	cost  int // of young
	young map[K]entry[V]
	old   map[K]entry[V]
}

type entry[V any] struct {
	value V
	cost  int
}

func newCache[K comparable, V any](limit int) *cache[K, V] {
	return &cache[K, V]{limit: limit, young: map[K]entry[V]{}}
}

func (c *cache[K, V]) get(key K) (V, bool) {
	if e, ok := c.young[key]; ok {
		return e.value, true
	}
	e, ok := c.old[key]
	if ok {
		c.put(key, e.value, e.cost)
	}
	return e.value, ok
}

// put remembers a value, even one that costs more than the limit: the last one
// asked for is always kept.
func (c *cache[K, V]) put(key K, value V, cost int) {
	if c.cost > 0 && c.cost+cost > c.limit/2 {
		c.old, c.young, c.cost = c.young, map[K]entry[V]{}, 0
	}
	c.young[key] = entry[V]{value, cost}
	c.cost += cost
}
