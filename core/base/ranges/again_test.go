package ranges

import (
	"fmt"
	"testing"
)

// pieces lists the pieces of a table: "1-4=0" is from 1 to 4, with the value 0.
func pieces(t *Table) (out string) {
	for i := range t.Len() {
		r := t.Range(i)
		out += fmt.Sprintf("%d-%d=%d ", r.Start, r.Last(), r.Value)
	}
	return out
}

// A finished table takes more ranges, in each relation to its last piece. It treats its pieces as
// ranges then.
func TestTableTakesMore(t *testing.T) {
	for _, tt := range []struct {
		start, size uint64
		overlaps    Overlaps
		want        string
	}{
		{30, 5, Overlaps{}, "1-9=0 10-19=1 30-34=2 "},
		{20, 5, Overlaps{}, "1-9=0 10-19=1 20-24=2 "},
		{19, 5, Overlaps{Inside: 1, First: 19}, "1-9=0 10-18=1 19-23=2 "},
		{10, 10, Overlaps{Same: 1}, "1-9=0 10-19=1 "},
		{10, 5, Overlaps{Inside: 1, First: 10}, "1-9=0 10-19=1 "},
		{5, 2, Overlaps{Inside: 1, First: 5}, "1-4=0 5-6=2 7-9=0 10-19=1 "},
		{0, 1, Overlaps{}, "0-0=2 1-9=0 10-19=1 "},
		{0, 2, Overlaps{Inside: 1, First: 1}, "0-0=2 1-9=0 10-19=1 "},
	} {
		var table Table
		table.Add(1, 9, 0)
		table.Add(10, 10, 1)
		if o := table.Finish(); o != (Overlaps{}) {
			t.Fatalf("%+v before", o)
		}
		table.Add(tt.start, tt.size, 2)
		if o := table.Finish(); o != tt.overlaps || pieces(&table) != tt.want {
			t.Errorf("%d from %d: %+v, %s; want %+v, %s", tt.size, tt.start, o, pieces(&table), tt.overlaps, tt.want)
		}
		if o := table.Finish(); o != (Overlaps{}) || pieces(&table) != tt.want {
			t.Errorf("%d from %d: the third time %+v, %s", tt.size, tt.start, o, pieces(&table))
		}
	}
}

// An emptied table is like a new one, and keeps its rule for equal starts.
func TestTableReset(t *testing.T) {
	table := Table{LastAdded: true}
	table.Add(100, 10, 0)
	table.Add(50, 60, 1)
	table.Reset()
	if table.Len() != 0 {
		t.Fatalf("%s is left", pieces(&table))
	}
	table.Add(10, 5, 2) // below the ranges before
	table.Add(10, 5, 3)
	if o := table.Finish(); o != (Overlaps{Same: 1}) || pieces(&table) != "10-14=3 " {
		t.Errorf("%+v, %s", o, pieces(&table))
	}
}
