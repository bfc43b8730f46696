package dwarf

import (
	"fmt"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/values/variables"
)

// On CPUs of 32 bits Clang writes a constant of 64 bits down as it is. What an
// operator makes of numbers without a type has the size of an address: of a
// larger variable the rest is not known.
func TestWideConstants(t *testing.T) {
	unit := &unit{group: &group{file: &File{}}}
	unit.addr = 4
	n := &node{unit: unit}
	for _, test := range []struct {
		name string
		expr []byte
		want string
	}{
		{"a constant", []byte{opConst1s, 0xfe, opStackValue}, "feffffffffffffff"},
		{"a literal", []byte{opLit0 + 3, opStackValue}, "0300000000000000"},
		{"a constant of 64 bits", []byte{opConst8u, 1, 2, 3, 4, 5, 6, 7, 8, opStackValue}, "0102030405060708"},
		{"a sum", []byte{opConst8u, 1, 2, 3, 4, 5, 6, 7, 8, opLit0 + 1, opPlus, opStackValue}, "02020304"},
		{"a copy", []byte{opConst1s, 0xfe, opDup, opDrop, opStackValue}, "feffffffffffffff"},
	} {
		e := &variables.Eval{Frame: &variables.Context{Frame: &process.Frame{}, Arch: &cpu.X86}}
		p, err := n.evaluator(e, nil).run(test.expr)
		if err != nil || len(p.Pieces) != 1 || fmt.Sprintf("%x", p.Pieces[0].Bytes) != test.want {
			t.Errorf("%s: %+v, %v; want %s", test.name, p, err, test.want)
		}
	}
}
