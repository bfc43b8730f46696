package analyze

import (
	"fmt"
	"slices"
	"testing"

	"crashglass/core/testkit/dump"
)

// Words of a stack are named by function and offset, with the line if symbols have it.
func TestNamedPointers(t *testing.T) {
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	b.Module(dump.Module{Base: 0x40_0000, Size: 0x100_0000, Name: "/opt/app", CodeView: dump.BuildID(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)})
	s, err := Open(source(b.Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	syms := fakeSymbols{"app": {
		{Function: "f", Start: 0x402, Size: 0xd, File: "f.c", Line: 7},
		{Function: "exported", Start: 0x800, Size: 0x10, Public: true},
	}}
	var got []string
	for _, p := range s.NamedPointers(syms, []uint64{0x40_0408, 0x40_0804, 0x40_0410, 0x10, 0x40_0402}) {
		text := fmt.Sprintf("%s %s %s + %s", p.Address, p.Certainty, *p.Function, *p.Offset)
		if p.Line != nil {
			text += fmt.Sprintf(" %s:%d", *p.File, *p.Line)
		}
		got = append(got, text)
	}
	want := []string{
		"0x0000000000400408 inside f + 0x0000000000000006 f.c:7",
		"0x0000000000400804 nearest exported + 0x0000000000000004",
		"0x0000000000400402 inside f + 0x0000000000000000 f.c:7",
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
	if n := len(s.NamedPointers(syms, slices.Repeat([]uint64{0x40_0408}, MostPointers+1))); n != MostPointers {
		t.Errorf("%d pointers are named at once, want %d", n, MostPointers)
	}
	if got := s.NamedPointers(nil, []uint64{0x40_0408}); len(got) != 0 {
		t.Errorf("without symbols: %v", got)
	}
}
