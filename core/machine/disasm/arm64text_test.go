package disasm

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

// The instructions that this package writes itself, because the decoder does not know them: atomics,
// pointer authentication, memory tags, ordered loads with an offset. The bytes are those of LLVM 14's
// assembler, and the texts those of objdump 2.40.
func TestARM64TextsAsObjdump(t *testing.T) {
	for _, row := range []struct{ code, text string }{
		{"220000d4", "hvc #0x1"},
		{"430000d4", "smc #0x2"},
		{"20005099", "ldapur w0, [x1, #-256]"},
		{"208040d9", "ldapur x0, [x1, #8]"},
		{"20f04f19", "ldapurb w0, [x1, #255]"},
		{"20004059", "ldapurh w0, [x1]"},
		{"e0f3cf19", "ldapursb w0, [sp, #255]"},
		{"e0f38f19", "ldapursb x0, [sp, #255]"},
		{"20e0df59", "ldapursh w0, [x1, #-2]"},
		{"20e09f59", "ldapursh x0, [x1, #-2]"},
		{"20408099", "ldapursw x0, [x1, #4]"},
		{"20400099", "stlur w0, [x1, #4]"},
		{"e08300d9", "stlur x0, [sp, #8]"},
		{"20000019", "stlurb w0, [x1]"},
		{"bf030059", "stlurh wzr, [x29]"},
		{"40840069", "stgp x0, x1, [x2, #16]"},
		{"4004a068", "stgp x0, x1, [x2], #-1024"},
		{"e0ff9f69", "stgp x0, xzr, [sp, #1008]!"},
		{"20f83fd9", "stg x0, [x1, #-16]"},
		{"3f1460d9", "stzg sp, [x1], #16"},
		{"202ca0d9", "st2g x0, [x1, #32]!"},
		{"e00be0d9", "stz2g x0, [sp]"},
		{"200070d9", "ldg x0, [x1, #-4096]"},
		{"410020b8", "ldadd w0, w1, [x2]"},
		{"4110e078", "ldclralh w0, w1, [x2]"},
		{"e1236038", "ldeorlb w0, w1, [sp]"},
		{"4130e0f8", "ldsetal x0, x1, [x2]"},
		{"4140a0f8", "ldsmaxa x0, x1, [x2]"},
		{"41502038", "ldsminb w0, w1, [x2]"},
		{"416060b8", "ldumaxl w0, w1, [x2]"},
		{"4170e078", "lduminalh w0, w1, [x2]"},
		{"3f0020b8", "stadd w0, [x1]"},
		{"3f0060f8", "staddl x0, [x1]"},
		{"3f102038", "stclrb w0, [x1]"},
		{"3f206078", "steorlh w0, [x1]"},
		{"ff4320f8", "stsmax x0, [sp]"},
		{"3f5060b8", "stsminl w0, [x1]"},
		{"3f602038", "stumaxb w0, [x1]"},
		{"3f706078", "stuminlh w0, [x1]"},
		{"4180a0f8", "swpa x0, x1, [x2]"},
		{"41806038", "swplb w0, w1, [x2]"},
		{"e183e078", "swpalh w0, w1, [sp]"},
		{"417ca088", "cas w0, w1, [x2]"},
		{"41fce008", "casalb w0, w1, [x2]"},
		{"41fca048", "caslh w0, w1, [x2]"},
		{"e17fe0c8", "casa x0, x1, [sp]"},
		{"827c2008", "casp w0, w1, w2, w3, [x4]"},
		{"827c6048", "caspa x0, x1, x2, x3, [x4]"},
		{"e2ff3e48", "caspl x30, xzr, x2, x3, [sp]"},
		{"20c0bf38", "ldaprb w0, [x1]"},
		{"20c0bf78", "ldaprh w0, [x1]"},
		{"e0c3bff8", "ldapr x0, [sp]"},
		{"e003c1da", "pacia x0, sp"},
		{"4104c1da", "pacib x1, x2"},
		{"c00bc1da", "pacda x0, x30"},
		{"830cc1da", "pacdb x3, x4"},
		{"e013c1da", "autia x0, sp"},
		{"4114c1da", "autib x1, x2"},
		{"8318c1da", "autda x3, x4"},
		{"c51cc1da", "autdb x5, x6"},
		{"e723c1da", "paciza x7"},
		{"e827c1da", "pacizb x8"},
		{"e92bc1da", "pacdza x9"},
		{"ea2fc1da", "pacdzb x10"},
		{"eb33c1da", "autiza x11"},
		{"ec37c1da", "autizb x12"},
		{"ed3bc1da", "autdza x13"},
		{"ee3fc1da", "autdzb x14"},
		{"ef43c1da", "xpaci x15"},
		{"fe47c1da", "xpacd x30"},
		{"3f081fd7", "braa x1, sp"},
		{"430c1fd7", "brab x2, x3"},
		{"9f081fd6", "braaz x4"},
		{"bf0c1fd6", "brabz x5"},
		{"22083fd7", "blraa x1, x2"},
		{"5f0c3fd7", "blrab x2, sp"},
		{"9f083fd6", "blraaz x4"},
		{"df0f3fd6", "blrabz x30"},
		{"ff0b5fd6", "retaa"},
		{"ff0f5fd6", "retab"},
		{"200420f8", "ldraa x0, [x1]"},
		{"20f43ff8", "ldraa x0, [x1, #4088]"},
		{"e00fe0f8", "ldrab x0, [sp, #-4096]!"},
		{"21740bd5", "dc zva, x1"},
		{"ffff0000", "udf #65535"},
		{"200020d4", "brk #0x1"},
		{"400040d4", "hlt #0x2"},
		{"610000d4", "svc #0x3"},
	} {
		inst, ok := Decode(&cpu.ARM64, unhex(t, row.code), 0)
		if name, _, _ := strings.Cut(row.text, " "); !ok || inst.Text != row.text || inst.Mnemonic != name {
			t.Errorf("%s: %q, %q, %v, want %q", row.code, inst.Mnemonic, inst.Text, ok, row.text)
		}
		if _, ok := Decode(&cpu.ARM64, unhex(t, row.code)[:3], 0); ok {
			t.Errorf("%s: three bytes are an instruction", row.text)
		}
	}
}
