package elf

import "testing"

// Several symbols may claim an address. The one with the largest size names the function, whichever
// is first; a label that ends inside its function is none; and a symbol that reaches beyond the one
// in front of it, or beyond its section, takes nothing from the next.
func TestOverlaps(t *testing.T) {
	at := func(name string, addr, size uint64) madeSymbol {
		return madeSymbol{name, symbolFunction, 1, addr, size}
	}
	for _, tt := range []struct {
		name    string
		symbols []madeSymbol
		rel     uint64
		want    string
		stated  uint64
	}{
		{"an alias without a size first", []madeSymbol{at("alias", 0x1010, 0), at("f", 0x1010, 0x20)}, 0x2f, "f", 0x20},
		{"a smaller alias first", []madeSymbol{at("alias", 0x1010, 2), at("f", 0x1010, 0x20)}, 0x2f, "f", 0x20},
		{"a smaller alias behind", []madeSymbol{at("f", 0x1010, 0x20), at("alias", 0x1010, 2)}, 0x2f, "f", 0x20},
		{"aliases of one size", []madeSymbol{at("f", 0x1010, 0x20), at("alias", 0x1010, 0x20)}, 0x2f, "f", 0x20},
		{"at a label", []madeSymbol{at("f", 0x1010, 0x20), at("label", 0x1018, 4)}, 0x18, "f", 0x20},
		{"behind a label that ends", []madeSymbol{at("f", 0x1010, 0x20), at("label", 0x1018, 4)}, 0x2f, "f", 0x20},
		{"behind a label without a size", []madeSymbol{at("f", 0x1010, 0x20), at("label", 0x1018, 0)}, 0x2f, "f", 0x20},
		{"behind all labels", []madeSymbol{at("f", 0x1010, 0x20), at("label", 0x1028, 8), at("g", 0x1030, 8)}, 0x30, "g", 8},
		{"at a function that begins inside another", []madeSymbol{at("f", 0x1010, 0x20), at("g", 0x1028, 0x20)}, 0x28, "g", 0x20},
		{"behind the end of the other", []madeSymbol{at("f", 0x1010, 0x20), at("g", 0x1028, 0x20)}, 0x47, "g", 0x20},
		{"in front of it", []madeSymbol{at("f", 0x1010, 0x20), at("g", 0x1028, 0x20)}, 0x27, "f", 0x20},
		{"in a size that leaves the section", []madeSymbol{at("f", 0x1010, 0x71)}, 0x20, "f", 0},
		{"up to the end of the section", []madeSymbol{at("f", 0x1010, 0x70)}, 0x20, "f", 0x70},
		{"behind a size that leaves the section", []madeSymbol{at("f", 0x1010, 0x10_0000), at("g", 0x1028, 8)}, 0x28, "g", 8},
		{"behind a size of all ones", []madeSymbol{at("f", 0x1010, 1<<64-1), at("g", 0x1028, 8)}, 0x28, "g", 8},
	} {
		r := program(t)
		r.sections[1].data, r.sections[2].data = r.symbols(t, tt.symbols...)
		if loc, ok := r.open(t).Locate(tt.rel); !ok || loc.Function != tt.want || loc.Stated != tt.stated {
			t.Errorf("%s: %+v, %v", tt.name, loc, ok)
		}
	}
}
