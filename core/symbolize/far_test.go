package symbolize

import "testing"

func TestFar(t *testing.T) {
	tests := []struct {
		loc  Location
		rel  uint64
		want bool
	}{
		{Location{Function: "f"}, 1 << 20, false}, // it has a size: the reader knows its end
		{Location{Function: "f", Start: 0x1000, Public: true}, 0x1000 + reach, false},
		{Location{Function: "f", Start: 0x1000, Public: true}, 0x1000 + reach + 1, true},
		{Location{Function: ".text"}, 0, true},
		{Location{Function: "<.plt ELF section in driver>"}, 0, true},
		{Location{Function: "<T as Trait>::f"}, 0, false},
		{Location{Function: "_mh_execute_header", Public: true}, 0, true},
	}
	for _, tt := range tests {
		if got := tt.loc.Far(tt.rel); got != tt.want {
			t.Errorf("%+v at %#x: %v", tt.loc, tt.rel, got)
		}
	}
}
