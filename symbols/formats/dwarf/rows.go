package dwarf

import "sort"

// rowsIn calls add for each row of a run of code, cut to it, in the order of
// addresses. Where sequences overlap the one that begins last counts.
//
// A row that begins before the range belongs to another function, whose code lies directly before.
// GCC leaves parts that it split off without a row of their own (a ".cold" that is one jump).
func (l *lines) rowsIn(s span, add func(span, row)) {
	for i := max(l.byAddr.UpTo(s.start)-1, 0); i < l.byAddr.Len(); i++ {
		r := l.byAddr.Range(i)
		if r.Start >= s.end {
			return
		}
		if part := (span{max(r.Start, s.start), min(r.Start+r.Size, s.end)}); part.start < part.end {
			l.inSequence(l.seqs[r.Value], part, s.start, add)
		}
	}
}

// inSequence is rowsIn for a part of one sequence and rows that do not begin
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
// It takes as long in a function of a million rows as in one of ten.
func (l *lines) rowAt(in span, addr uint64) (found row, start uint64, ok bool) {
	r, ok := l.byAddr.Find(addr)
	if !ok {
		return row{}, 0, false
	}
	q := l.seqs[r.Value]
	rows := l.rows[q.from:q.to]
	i := sort.Search(len(rows), func(i int) bool { return rows[i].addr > addr }) - 1
	if i < 0 || rows[i].addr < in.start {
		return row{}, 0, false
	}
	return rows[i], max(rows[i].addr, r.Start), true
}
