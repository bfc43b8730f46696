package pdb

import (
	"slices"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

// TestLinesLead reads lines of a run of 0x40 bytes at 0x1100 that do not begin
// where the run does.
func TestLinesLead(t *testing.T) {
	tests := []struct {
		name string
		rows []uint32 // offset, line
		want []lineRow
	}{
		{"from the start", []uint32{0, 5, 0x10, 6}, []lineRow{{0x1100, 0x1110, 5, 0}, {0x1110, 0x1140, 6, 0}}},
		{"behind an inlined call", []uint32{0x1a, 90}, []lineRow{{0x1100, 0x1140, 90, 0}}},
		{"not in order", []uint32{0x20, 7, 0x1a, 90}, []lineRow{{0x1100, 0x1120, 90, 0}, {0x1120, 0x1140, 7, 0}}},
		{"a hidden line first", []uint32{0x10, lineNeverStepInto, 0x20, 7}, []lineRow{{0x1120, 0x1140, 7, 0}}},
		{"none", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := uint32(len(tt.rows) / 2)
			in := asm.At(0).U32(0x100).U16(1, 0).U32(0x40).U32(0, n, 12+8*n).U32(tt.rows...)
			a := addressMap{sections: []section{{start: 0x1000, size: 0x1000}}}
			var lines lineTable
			c := bin.NewCursor("lines", 0, in.Build(t))
			lines.add(c, &a)
			if err := c.Err(); err != nil || !slices.Equal(lines.rows, tt.want) {
				t.Errorf("rows %+v, want %+v, error %v", lines.rows, tt.want, err)
			}
		})
	}
}
