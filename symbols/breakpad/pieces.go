package breakpad

// pieces makes a table of disjoint ranges out of ranges that overlap and come
// in ascending order of their starts.
type pieces struct {
	table
	stack []span // begun and not known to be finished; the last one starts last and owns what follows
	from  uint64 // everything below is said
}

type span struct {
	start, last uint64
	off         int64
}

// group takes the records of t from i on that start where record i does, and
// returns the index of the first that does not.
func (p *pieces) group(t *table, i int) (next int) {
	start := t.start(i)
	p.reach(start)
	var same []span
	for ; i < t.len() && t.start(i) == start; i++ {
		// Where records start together the first in the file goes first, so
		// one that does not reach further has no address of its own.
		last := lastOf(start, t.size(i))
		if n := len(same); n == 0 || last > same[n-1].last {
			same = append(same, span{start, last, t.off(i)})
		}
	}
	for k := len(same) - 1; k >= 0; k-- {
		p.stack = append(p.stack, same[k])
	}
	p.from = start
	return i
}

// reach says who owns the addresses below start.
func (p *pieces) reach(start uint64) {
	for n := len(p.stack); n > 0 && p.stack[n-1].last < start; n = len(p.stack) {
		p.say(p.stack[n-1].last)
		p.stack = p.stack[:n-1]
	}
	if n := len(p.stack); n > 0 && p.from < start {
		p.say(start - 1)
	}
}

// close says who owns the addresses that are left.
func (p *pieces) close(top uint64) {
	p.reach(top)
	if len(p.stack) > 0 {
		p.say(top)
	}
}

// say gives the addresses up to last, if any are left, to the record on top.
func (p *pieces) say(last uint64) {
	if last < p.from {
		return
	}
	p.table.add(p.from, last-p.from+1, p.stack[len(p.stack)-1].off)
	p.from = last + 1
}
