package disasm

import (
	"testing"

	"crashglass/core/machine/cpu"
)

// The bytes are those of LLVM 14's assembler, and the texts those of objdump 2.40.
func TestARMTextsAsObjdump(t *testing.T) {
	for _, row := range []struct{ code, text string }{
		{"f423f1e7", "udf #4660"},
		{"910042e1", "swpb r0, r1, [r2]"},
		{"910002e1", "swp r0, r1, [r2]"},
		{"f40051e1", "ldrsh r0, [r1, #-4]"},
		{"d820c4e1", "ldrd r2, [r4, #8]"},
		{"f52004e1", "strd r2, [r4, -r5]"},
		{"9f0f91e1", "ldrex r0, [r1]"},
		{"920fa4e1", "strexd r0, r2, [r4]"},
		{"9f0fd1e1", "ldrexb r0, [r1]"},
		{"910fe2e1", "strexh r0, r1, [r2]"},
		{"0640b0e8", "ldm r0!, {r1, r2, lr}"},
		{"060000e9", "stmdb r0, {r1, r2}"},
		{"060090e9", "ldmib r0, {r1, r2}"},
		{"10402de9", "push {r4, lr}"},
		{"1080bde8", "pop {r4, pc}"},
		{"820191e7", "ldr r0, [r1, r2, lsl #3]"},
		{"a20011e7", "ldr r0, [r1, -r2, lsr #1]"},
		{"020091e6", "ldr r0, [r1], r2"},
		{"0400b1e5", "ldr r0, [r1, #4]!"},
		{"04001105", "ldreq r0, [r1, #-4]"},
		{"82019100", "addseq r0, r1, r2, lsl #3"},
		{"000061e2", "rsb r0, r1, #0"},
		{"0000e0e3", "mvn r0, #0"},
		{"ff0f4fe3", "movt r0, #65535"},
		{"910200e0", "mul r0, r1, r2"},
		{"920381e0", "umull r0, r1, r2, r3"},
		{"9203e1e0", "smlal r0, r1, r2, r3"},
		{"110f6fe1", "clz r0, r1"},
		{"310fbfe6", "rev r0, r1"},
		{"d101e4e7", "ubfx r0, r1, #3, #5"},
		{"9101c7e7", "bfi r0, r1, #3, #5"},
		{"7100efe6", "uxtb r0, r1"},
		{"7200b1e6", "sxtah r0, r1, r2"},
		{"007ad0ed", "vldr s15, [r0]"},
		{"020b8ded", "vstr d0, [sp, #8]"},
		{"020b31ee", "vadd.f64 d0, d1, d2"},
		{"900a10ee", "vmov r0, s1"},
		{"1eff2fe1", "bx lr"},
		{"3cff2fe1", "blx ip"},
		{"070000ef", "svc 0x00000007"},
		{"730020e1", "bkpt 0x0003"},
	} {
		if inst, ok := Decode(&cpu.ARM, unhex(t, row.code), 0); !ok || inst.Text != row.text || inst.Len != 4 {
			t.Errorf("%s: %q of %d bytes, %v, want %q", row.code, inst.Text, inst.Len, ok, row.text)
		}
	}
}
