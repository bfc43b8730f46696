package ranges

// A divider makes disjoint pieces from overlapping ranges that are sorted by start. It sweeps over
// the addresses once.
type divider struct {
	out  Table
	open []open // ranges that have begun; the last one started last and gets the next addresses
	from uint64 // all addresses below have an owner
}

// An open range has begun.
type open struct {
	last  uint64
	value int64
}

// divide returns the pieces of the sorted ranges.
func (t *Table) divide() Grid {
	var d divider
	for i := 0; i < t.Len(); {
		next := i + 1
		for next < t.Len() && t.rows.At(next, 0) == t.rows.At(i, 0) {
			next++
		}
		d.begin(t, i, next)
		i = next
	}
	d.close()
	return d.out.rows
}

// begin begins the ranges i to n of t, which start at one address.
func (d *divider) begin(t *Table, i, n int) {
	d.reach(t.rows.At(i, 0))
	below := len(d.open)
	for k := range n - i {
		at := i + k
		if t.LastAdded {
			at = n - 1 - k
		}
		// The first one is added last, so a range that does not reach further gets no address.
		r := t.Range(at)
		if all := d.open[below:]; len(all) == 0 || r.Last() > all[len(all)-1].last {
			d.open = append(d.open, open{r.Last(), r.Value})
		}
	}
	for a, b := below, len(d.open)-1; a < b; a, b = a+1, b-1 {
		d.open[a], d.open[b] = d.open[b], d.open[a]
	}
}

// reach assigns the addresses below start to ranges.
func (d *divider) reach(start uint64) {
	for n := len(d.open); n > 0 && d.open[n-1].last < start; n = len(d.open) {
		d.say(d.open[n-1])
		d.open = d.open[:n-1]
	}
	if n := len(d.open); n > 0 && d.from < start {
		d.say(open{start - 1, d.open[n-1].value})
	}
	d.from = start
}

// close assigns the remaining addresses to ranges.
func (d *divider) close() {
	for n := len(d.open); n > 0; n-- {
		d.say(d.open[n-1])
		if d.open[n-1].last == ^uint64(0) {
			return // the ranges below get no more addresses
		}
	}
}

// say assigns the addresses up to its last one to a range, if any are left.
func (d *divider) say(r open) {
	if r.last >= d.from {
		d.out.Add(d.from, r.last-d.from+1, r.value)
		d.from = r.last + 1
	}
}
