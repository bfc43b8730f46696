package disasm

import (
	"testing"

	"crashglass/core/machine/cpu"
)

// The bytes are those of LLVM 14's assembler, and the texts those of objdump 2.40.
func TestPPC64TextsAsObjdump(t *testing.T) {
	for _, row := range []struct{ code, text string }{
		{"7c6428ae", "lbzx r3,r4,r5"},
		{"7c642aae", "lhax r3,r4,r5"},
		{"7c642aea", "lwaux r3,r4,r5"},
		{"e8640009", "ldu r3,8(r4)"},
		{"7c23242e", "lfsx f1,r3,r4"},
		{"dc25fff8", "stfdu f1,-8(r5)"},
		{"9c64ffff", "stbu r3,-1(r4)"},
		{"7c642b6e", "sthux r3,r4,r5"},
		{"7c642828", "lwarx r3,r4,r5"},
		{"7c6429ad", "stdcx. r3,r4,r5"},
		{"7c4320ce", "lvx v2,r3,r4"},
		{"7c43218e", "stvewx v2,r3,r4"},
		{"7c6429d2", "mulld r3,r4,r5"},
		{"7c642b92", "divdu r3,r4,r5"},
		{"7c642850", "subf r3,r4,r5"},
		{"7c6400d0", "neg r3,r4"},
		{"7c832839", "and. r3,r4,r5"},
		{"7c8328f8", "nor r3,r4,r5"},
		{"7c8307b4", "extsw r3,r4"},
		{"7c830074", "cntlzd r3,r4"},
		{"7c83fe76", "sradi r3,r4,63"},
		{"7fa32040", "cmpld cr7,r3,r4"},
		{"2c03ffff", "cmpwi r3,-1"},
		{"7c0802a6", "mflr r0"},
		{"7d8903a6", "mtctr r12"},
		{"7c600026", "mfcr r3"},
		{"fc22f82a", "fadd f1,f2,f31"},
		{"fc2220fa", "fmadd f1,f2,f3,f4"},
		{"fc011000", "fcmpu cr0,f1,f2"},
		{"f00114d0", "xxlxor vs0,vs1,vs2"},
		{"7c0004ac", "hwsync"},
		{"4c00012c", "isync"},
	} {
		if inst, ok := Decode(&cpu.PPC64, unhex(t, row.code), 0); !ok || inst.Text != row.text || inst.Len != 4 {
			t.Errorf("%s: %q of %d bytes, %v, want %q", row.code, inst.Text, inst.Len, ok, row.text)
		}
	}
}
