package page

import (
	"bytes"
	"testing"
)

// The program is what the page makes of the same bytes (web/src/offline/folded.test.ts).
func TestUnfold(t *testing.T) {
	for _, test := range []struct{ name, folded, program string }{
		{"a program", string(fixture(t, "folded")), string(fixture(t, "program"))},
		{"a program that is not folded", string(fixture(t, "program")), string(fixture(t, "program"))},
		{"a text", "Crashglass", "Crashglass"},
		{"nothing", "", ""},
	} {
		if got, err := unfold([]byte(test.folded)); err != nil || string(got) != test.program {
			t.Errorf("%s: %x (%v), want %x", test.name, got, err, test.program)
		}
	}
}

// What is cut or changed is an error or another program, and the reader ends.
func TestUnfoldDamaged(t *testing.T) {
	folded := fixture(t, "folded")
	// Between its sections, of which the first and the last have ten bytes, it is a shorter program.
	between := map[int]bool{8: true, 18: true, len(folded) - 10: true, len(folded): true}
	for size := 8; size <= len(folded); size++ {
		if _, err := unfold(folded[:size]); (err == nil) != between[size] {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	for i := range folded {
		for bit := range 8 {
			damaged := bytes.Clone(folded)
			damaged[i] ^= 1 << bit
			if got, err := unfold(damaged); err == nil && len(got) > 1<<20 {
				t.Errorf("bit %d of byte %d: %d bytes", bit, i, len(got))
			}
		}
	}
}
