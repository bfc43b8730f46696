package dwarf

import "testing"

// A section of zeros has an empty unit in each four bytes. The reader gives up after some of them, and
// reads a good unit that follows fewer.
func TestSectionOfZeros(t *testing.T) {
	for _, test := range []struct {
		zeros int
		read  bool
	}{{maxDamaged - 1, true}, {maxDamaged, false}} {
		sections := everything(t)
		sections["info"] = append(make([]byte, 4*test.zeros), sections["info"]...)
		f := open(sections, Options{})
		f.Locate(0x1000)
		if units := len(f.main.units); units > 0 != test.read || len(f.Notes()) == 0 {
			t.Errorf("behind %d empty units: %d units are read, %d notes", test.zeros, units, len(f.Notes()))
		}
	}
}
