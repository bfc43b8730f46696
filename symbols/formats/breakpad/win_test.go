package breakpad

import (
	"strings"
	"testing"
)

// A program that is longer than the programs of all compilers is damage.
func TestLongProgram(t *testing.T) {
	for _, test := range []struct {
		name, program string
		bad           bool
	}{
		{name: "as long as is read", program: strings.Repeat("1 ", maxProgram/2)},
		{name: "longer", program: strings.Repeat("1 ", maxProgram/2) + "1", bad: true},
	} {
		line := fieldsOf([]byte("4 100 10 0 0 0 0 0 0 1 " + test.program))
		if rec := parseWin(&line); rec.bad != test.bad {
			t.Errorf("%s: %d bytes, bad is %t", test.name, len(rec.Program), rec.bad)
		}
	}
}
