package elf

import (
	"reflect"
	"testing"
)

func TestSameAsSym(t *testing.T) {
	for _, p := range pairs() {
		t.Run(p.file, func(t *testing.T) {
			f, sym, addrs := p.open(t)
			same := 0
			for _, rel := range addrs {
				a, okA := f.Locate(rel)
				b, okB := sym.Locate(rel)
				a, b = comparable(a), comparable(b)
				if okA == okB && reflect.DeepEqual(a, b) {
					same++
				} else {
					t.Logf("%#x:\n  %+v\n  %+v", rel, a, b)
				}
			}
			t.Logf("%d of %d, %.2f %%", same, len(addrs), 100*float64(same)/float64(max(1, len(addrs))))
			for _, n := range f.Notes() {
				t.Log(n)
			}
		})
	}
}
