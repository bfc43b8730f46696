package pdb

import "crashglass/core/stack/symbolize"

// A call is an inlined call, without its addresses.
type call struct {
	depth      int
	id         uint32
	file, line uint32 // where it was called, if that is known
	known      bool
}

// A callList collects the addresses of calls.
type callList struct {
	list   []call
	ranges [][]symbolize.Range
	index  map[call]int
	first  room[symbolize.Range] // of each
}

// reset empties the list. What was made of it stays as it is.
func (l *callList) reset() {
	if l.index == nil || len(l.index) > 1000 {
		l.index = map[call]int{}
	}
	clear(l.index)
	l.list, l.ranges = l.list[:0], l.ranges[:0]
}

func (l *callList) add(c call, start, size uint64) {
	i, ok := l.index[c]
	if !ok {
		i = len(l.list)
		l.index[c] = i
		only := append(l.first.take(1), symbolize.Range{Start: start, Size: size})
		l.first.keep(only)
		l.list, l.ranges = append(l.list, c), append(l.ranges, only)
		return
	}
	if r := l.ranges[i]; len(r) > 0 && r[len(r)-1].Start+r[len(r)-1].Size == start {
		r[len(r)-1].Size += size
		return
	}
	l.ranges[i] = append(l.ranges[i], symbolize.Range{Start: start, Size: size})
}

// A room allocates temporary memory in large blocks.
type room[T any] struct{ free []T }

const roomSize = 1 << 10

// take returns an empty slice with room for n values. What is not kept of it is
// handed out again.
func (r *room[T]) take(n int) []T {
	if cap(r.free) < n {
		r.free = make([]T, 0, max(n, roomSize))
	}
	return r.free[:0:n]
}

// keep ends the use of what was taken last.
func (r *room[T]) keep(used []T) { r.free = r.free[len(used):len(used):cap(r.free)] }
