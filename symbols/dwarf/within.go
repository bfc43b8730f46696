package dwarf

import "sort"

// within calls add for each row of a run of code, cut to it, in the order of
// addresses. Where sequences overlap the one that begins first counts.
//
// A row that begins before the run is one of another function, whose code the
// compiler happened to put there. GCC leaves parts that it split off without a
// row of their own (a ".cold" that is one jump).
func (l *lines) within(s span, add func(span, row)) {
	from := sort.Search(len(l.seqs), func(i int) bool { return l.seqs[i].start >= s.end })
	to := from
	for low := max(to-maxOverlap, 0); from > low && l.tops[from-1] > s.start; from-- {
	}
	at := s.start
	for _, q := range l.seqs[from:to] {
		part := span{max(q.start, at), min(q.end, s.end)}
		if part.start < part.end {
			l.inSequence(q, part, s.start, add)
			at = part.end
		}
	}
}

// inSequence is within for a part of one sequence and rows that do not begin
// before an address.
func (l *lines) inSequence(q sequence, s span, first uint64, add func(span, row)) {
	rows := l.rows[q.from:q.to]
	i := max(sort.Search(len(rows), func(i int) bool { return rows[i].addr > s.start })-1, 0)
	for ; i < len(rows) && rows[i].addr < s.end; i++ {
		end := s.end
		if i+1 < len(rows) {
			end = min(end, rows[i+1].addr)
		}
		if start := max(rows[i].addr, s.start); start < end && rows[i].addr >= first {
			add(span{start, end}, rows[i])
		}
	}
}

// rowAt returns the row of an address in a function, and where its line begins.
func (l *lines) rowAt(in span, addr uint64) (found row, start uint64, ok bool) {
	l.within(in, func(s span, r row) {
		if s.start <= addr && addr < s.end {
			found, start, ok = r, s.start, true
		}
	})
	return found, start, ok
}
