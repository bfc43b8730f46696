package pdb

import (
	"fmt"
	"testing"

	"crashglass/core/testkit/asm"
)

// Each file of a module has its own checksum, of one of three kinds or none.
func TestSourceSum(t *testing.T) {
	p := functionScene(t, machineAMD64, func(scene) {})
	p.text = []string{"a.c", "b.c", "c.h", "d.h", "e.h"}
	list := asm.At(0).
		U32(p.nameAt("a.c")).U8(16, 1).Bytes(make([]byte, 16)).Align(4).
		U32(p.nameAt("b.c")).U8(3, 2, 1, 2, 3).Align(4).
		U32(p.nameAt("c.h")).U8(0, 0).Align(4).
		U32(p.nameAt("d.h")).U8(1, 3, 7).Align(4).
		U32(p.nameAt("e.h")).U8(200, 1)
	p.modules[0].c13 = asm.At(0).Bytes(sub(t, 0xf4, list)).Bytes(linesOf(t, 1, 0, 0x40, 0, 0, 10))
	f := openBytes(t, p.build(t))
	for file, want := range map[string]string{
		"a.c": "MD5 00000000000000000000000000000000", "b.c": "SHA1 010203", "c.h": " ", "d.h": "SHA256 07", "e.h": " ", "none": " ",
	} {
		algorithm, sum := f.SourceSum(0x1010, file)
		if got := fmt.Sprintf("%s %x", algorithm, sum); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
	if algorithm, _ := f.SourceSum(0x9000, "a.c"); algorithm != "" {
		t.Errorf("no code has %s", algorithm)
	}
}
