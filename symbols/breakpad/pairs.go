package breakpad

import "sort"

// pairs is a list of keys with a file offset each, kept in ascending order of
// both. A key may occur more than once.
type pairs struct {
	key, off column
	disorder bool
}

func (p *pairs) add(key uint64, off int64) {
	if p.key.n > 0 && key < p.key.at(p.key.n-1) {
		p.disorder = true
	}
	p.key.append(key)
	p.off.append(uint64(off))
}

// finish sorts the list where the file did not.
func (p *pairs) finish() {
	if p.disorder {
		sort.Sort(p)
	}
}

// from returns the index of the first pair whose key is at least key.
func (p *pairs) from(key uint64) int {
	if key == 0 {
		return 0
	}
	return p.key.upTo(key - 1)
}

// below returns the greatest key that is at most v, and the lowest of its offsets.
func (p *pairs) below(v uint64) (key uint64, off int64, ok bool) {
	i := p.key.upTo(v) - 1
	if i < 0 {
		return 0, 0, false
	}
	key = p.key.at(i)
	return key, int64(p.off.at(p.from(key))), true
}

// Len, Less and Swap are those of sort.Interface.
func (p *pairs) Len() int { return p.key.n }

func (p *pairs) Less(i, j int) bool {
	if a, b := p.key.at(i), p.key.at(j); a != b {
		return a < b
	}
	return p.off.at(i) < p.off.at(j)
}

func (p *pairs) Swap(i, j int) {
	p.key.swap(i, j)
	p.off.swap(i, j)
}

func (p *pairs) bytes() int { return p.key.bytes() + p.off.bytes() }
