package breakpad

import "crashglass/core/base/ranges"

// pairs is a list of keys with a file offset each, kept in ascending order of
// both. A key may occur more than once.
type pairs struct {
	ranges.Grid
	last     uint64
	disorder bool
}

func (p *pairs) add(key uint64, off int64) {
	p.disorder = p.disorder || key < p.last
	p.last = key
	p.Grid.Add(2, key, uint64(off), 0)
}

func (p *pairs) reset() {
	p.Grid.Reset()
	*p = pairs{Grid: p.Grid}
}

func (p *pairs) key(i int) uint64 { return p.At(i, 0) }
func (p *pairs) off(i int) int64  { return int64(p.At(i, 1)) }

// finish sorts the list if the file was unsorted.
func (p *pairs) finish() {
	if p.disorder {
		p.Order()
	}
}

// from returns the index of the first pair whose key is at least key.
func (p *pairs) from(key uint64) int {
	if key == 0 {
		return 0
	}
	return p.UpTo(key - 1)
}

// below returns the greatest key that is at most v, and the lowest of its offsets.
func (p *pairs) below(v uint64) (key uint64, off int64, ok bool) {
	i := p.UpTo(v) - 1
	if i < 0 {
		return 0, 0, false
	}
	key = p.key(i)
	return key, p.off(p.from(key)), true
}
