package search

import (
	"slices"

	"crashglass/core/base/ranges"
)

// mostRuns is how many runs of ascending numbers a series may have. Linkers write unwind tables in
// several sections, and each becomes a run.
const mostRuns = 4

// A run is a part of the file in which the numbers of a series ascend. The
// blocks in which one run ends and the next begins belong to both.
type run struct {
	from, to int64 // blocks
	probes   []probe
}

// A probe is a block that was read when the file was opened.
type probe struct {
	number int64
	middle mark
}

// isDisordered reports whether records are out of place. In a block where one run ends and the next
// begins none are: all records of the first are higher than all of the second.
//
// If some records are out of place, others for the same addresses may be, too: linkers leave STACK
// CFI INIT records of dropped functions at the address 0, and STACK WIN records of old compilers
// nest.
func isDisordered(rows []ranges.Range) bool {
	n := descents(slices.Values(rows))
	return n > 1 || n == 1 && rows[len(rows)-1].Start > rows[0].Start
}

// runsOf divides the probes of a series, and finds where one ends and the next begins.
func (s *Search) runsOf(k Series) ([]run, error) {
	if s.disorder[k] {
		return nil, nil
	}
	runs := []run{{from: 0}}
	for _, p := range s.probes[k] {
		last := &runs[len(runs)-1]
		if n := len(last.probes); n > 0 && last.probes[n-1].middle.number > p.middle.number {
			if len(runs) == mostRuns {
				return nil, nil
			}
			begins, ends, err := s.boundary(k, last.probes[n-1], p)
			if err != nil {
				return nil, err
			}
			last.to = ends
			runs = append(runs, run{from: begins})
			last = &runs[len(runs)-1]
		}
		last.probes = append(last.probes, p)
	}
	runs[len(runs)-1].to = s.Count - 1
	return runs, nil
}

// boundary returns the block in which the run of probe a ends and the block in which the run of probe b
// begins. Up to the first block numbers are higher than a's, and from the second on they are lower
// than b's.
func (s *Search) boundary(k Series, a, b probe) (low, high int64, err error) {
	low, high = a.number, b.number
	for high-low > 1 {
		mid := low + (high-low)/2
		at, err := s.block(mid)
		if err != nil {
			return 0, 0, err
		}
		if len(at.Rows[k]) == 0 || at.middle[k].number >= a.middle.number {
			low = mid
		} else {
			high = mid
		}
	}
	return low, high, nil
}
