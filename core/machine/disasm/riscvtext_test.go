package disasm

import (
	"testing"

	"crashglass/core/machine/cpu"
)

// Names of registers, and of instructions with several parts. The bytes are those of LLVM 14's
// assembler, and the texts those of objdump 2.40. Rounding modes are not written.
func TestRISCVTextsAsObjdump(t *testing.T) {
	for _, row := range []struct{ code, text string }{
		{"0f00f00f", "fence"},
		{"0f001002", "fence r, w"},
		{"0f100000", "fence.i"},
		{"739505c0", "csrrw a0, cycle, a1"},
		{"f32f0030", "csrr t6, mstatus"},
		{"f3dd3f00", "csrrwi s11, fcsr, 31"},
		{"53f5f501", "fadd.s fa0, fa1, ft11"},
		{"53f01d0b", "fsub.d ft0, fs11, fa7"},
		{"43f5c56a", "fmadd.d fa0, fa1, fa2, fa3"},
		{"53842429", "fmin.s fs0, fs1, fs2"},
		{"53aeee23", "fsgnjx.d ft8, ft9, ft10"},
		{"531505e2", "fclass.d a0, fa0"},
		{"d32210a0", "feq.s t0, ft0, ft1"},
		{"530505f0", "fmv.w.x fa0, a0"},
		{"53f52fd0", "fcvt.s.l fa0, t6"},
		{"2f25b600", "amoadd.w a0, a1, (a2)"},
		{"afb2630e", "amoswap.d.aqrl t0, t1, (t2)"},
		{"2f3499c2", "amominu.d.rl s0, s1, (s2)"},
		{"2fb50514", "lr.d.aq a0, (a1)"},
		{"2f20a11a", "sc.w.rl zero, a0, (sp)"},
		{"0385f5ff", "lb a0, -1(a1)"},
		{"83cffd7f", "lbu t6, 2047(s11)"},
		{"83110280", "lh gp, -2048(tp)"},
		{"03550100", "lhu a0, 0(sp)"},
		{"83604500", "lwu ra, 4(a0)"},
		{"a38f05fe", "sb zero, -1(a1)"},
		{"2391a500", "sh a0, 2(a1)"},
		{"232eb1fe", "sw a1, -4(sp)"},
		{"233c117e", "sd ra, 2040(sp)"},
		{"07254500", "flw fa0, 4(a0)"},
		{"272ef1ff", "fsw ft11, -4(sp)"},
		{"07348400", "fld fs0, 8(s0)"},
		{"1b85f5ff", "addiw a0, a1, -1"},
		{"1b95f501", "slliw a0, a1, 0x1f"},
		{"9b521340", "sraiw t0, t1, 0x1"},
		{"13d5f543", "srai a0, a1, 0x3f"},
		{"13b51500", "seqz a0, a1"},
		{"13c5f5ff", "not a0, a1"},
		{"13f4f40f", "zext.b s0, s1"},
		{"3b85c500", "addw a0, a1, a2"},
		{"3b9eee01", "sllw t3, t4, t5"},
		{"33a5c502", "mulhsu a0, a1, a2"},
		{"3bd5c502", "divuw a0, a1, a2"},
		{"3be94903", "remw s2, s3, s4"},
		{"b37a7b03", "remu s5, s6, s7"},
		{"37f5ffff", "lui a0, 0xfffff"},
		{"97110000", "auipc gp, 0x1"},
		{"73000000", "ecall"},
		{"73001000", "ebreak"},
	} {
		if inst, ok := Decode(&cpu.RISCV64, unhex(t, row.code), 0); !ok || inst.Text != row.text || inst.Len != len(row.code)/2 {
			t.Errorf("%s: %q of %d bytes, %v, want %q", row.code, inst.Text, inst.Len, ok, row.text)
		}
	}
}
