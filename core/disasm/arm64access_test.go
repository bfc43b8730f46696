package disasm

import (
	"testing"

	"crashglass/core/cpu"
)

// Each form of load and store of arm64: the bytes are LLVM's assembler's, and the
// accesses are by the Arm ARM (DDI 0487), section C6.2. Register number n holds
// 0x10000*(n+1), sp 0x200000. A prefetch never fails, so that it is no access.
func TestARM64Accesses(t *testing.T) {
	var regs cpu.Regs
	for i := range cpu.ARM64.Regs {
		regs.Set(cpu.Reg(i), 0x10000*uint64(i+1))
	}
	for _, row := range []struct{ code, text, want string }{
		{"20004039", "ldrb w0, [x1]", "read 0x20000/0x1"},
		{"20044079", "ldrh w0, [x1, #2]", "read 0x20002/0x2"},
		{"200440b9", "ldr w0, [x1, #4]", "read 0x20004/0x4"},
		{"200440f9", "ldr x0, [x1, #8]", "read 0x20008/0x8"},
		{"20fc7ff9", "ldr x0, [x1, #32760]", "read 0x27ff8/0x8"},
		{"20fcbf39", "ldrsb x0, [x1, #4095]", "read 0x20fff/0x1"},
		{"20fcff79", "ldrsh w0, [x1, #8190]", "read 0x21ffe/0x2"},
		{"20fcbfb9", "ldrsw x0, [x1, #16380]", "read 0x23ffc/0x4"},
		{"20000039", "strb w0, [x1]", "write 0x20000/0x1"},
		{"20000079", "strh w0, [x1]", "write 0x20000/0x2"},
		{"200000b9", "str w0, [x1]", "write 0x20000/0x4"},
		{"e00b00f9", "str x0, [sp, #16]", "write 0x200010/0x8"},
		{"e00f1ff8", "str x0, [sp, #-16]!", "write 0x1ffff0/0x8"},
		{"20f40ff8", "str x0, [x1], #255", "write 0x20000/0x8"},
		{"200450f8", "ldr x0, [x1], #-256", "read 0x20000/0x8"},
		{"200c50f8", "ldr x0, [x1, #-256]!", "read 0x1ff00/0x8"},
		{"20f01f38", "sturb w0, [x1, #-1]", "write 0x1ffff/0x1"},
		{"20f08fb8", "ldursw x0, [x1, #255]", "read 0x200ff/0x4"},
		{"20c81fb8", "sttr w0, [x1, #-4]", "write 0x1fffc/0x4"},
		{"2018c038", "ldtrsb w0, [x1, #1]", "read 0x20001/0x1"},
		{"2004403d", "ldr b0, [x1, #1]", "read 0x20001/0x1"},
		{"2004407d", "ldr h0, [x1, #2]", "read 0x20002/0x2"},
		{"200440bd", "ldr s0, [x1, #4]", "read 0x20004/0x4"},
		{"200440fd", "ldr d0, [x1, #8]", "read 0x20008/0x8"},
		{"2004c03d", "ldr q0, [x1, #16]", "read 0x20010/0x10"},
		{"2000003d", "str b0, [x1]", "write 0x20000/0x1"},
		{"20fcbf3d", "str q0, [x1, #65520]", "write 0x2fff0/0x10"},
		{"20009f3c", "stur q0, [x1, #-16]", "write 0x1fff0/0x10"},
		{"20805ffc", "ldur d0, [x1, #-8]", "read 0x1fff8/0x8"},
		{"206862b8", "ldr w0, [x1, x2]", "read 0x50000/0x4"},
		{"207862f8", "ldr x0, [x1, x2, lsl #3]", "read 0x1a0000/0x8"},
		{"20d86278", "ldrh w0, [x1, w2, sxtw #1]", "read 0x80000/0x2"},
		{"2078a23c", "str q0, [x1, x2, lsl #4]", "write 0x320000/0x10"},
		{"20687ff8", "ldr x0, [x1, xzr]", "read 0x20000/0x8"},
		{"40044129", "ldp w0, w1, [x2, #8]", "read 0x30008/0x8"},
		{"400460a9", "ldp x0, x1, [x2, #-512]", "read 0x2fe00/0x10"},
		{"e007c2a8", "ldp x0, x1, [sp], #32", "read 0x200000/0x10"},
		{"fd7bbca9", "stp x29, x30, [sp, #-64]!", "write 0x1fffc0/0x10"},
		{"40841f29", "stp w0, w1, [x2, #252]", "write 0x300fc/0x8"},
		{"4084002d", "stp s0, s1, [x2, #4]", "write 0x30004/0x8"},
		{"4084006d", "stp d0, d1, [x2, #8]", "write 0x30008/0x10"},
		{"400460ad", "ldp q0, q1, [x2, #-1024]", "read 0x2fc00/0x20"},
		{"400401ac", "stnp q0, q1, [x2, #32]", "write 0x30020/0x20"},
		{"40844028", "ldnp w0, w1, [x2, #4]", "read 0x30004/0x8"},
		{"40845f69", "ldpsw x0, x1, [x2, #252]", "read 0x300fc/0x8"},
		{"40840069", "stgp x0, x1, [x2, #16]", "write 0x30010/0x10"},
		{"207c5f08", "ldxrb w0, [x1]", "read 0x20000/0x1"},
		{"20fc5f48", "ldaxrh w0, [x1]", "read 0x20000/0x2"},
		{"207c5fc8", "ldxr x0, [x1]", "read 0x20000/0x8"},
		{"41fc00c8", "stlxr w0, x1, [x2]", "write 0x30000/0x8"},
		{"417c0008", "stxrb w0, w1, [x2]", "write 0x30000/0x1"},
		{"40047f88", "ldxp w0, w1, [x2]", "read 0x30000/0x8"},
		{"40847fc8", "ldaxp x0, x1, [x2]", "read 0x30000/0x10"},
		{"61082088", "stxp w0, w1, w2, [x3]", "write 0x40000/0x8"},
		{"20fcdfc8", "ldar x0, [x1]", "read 0x20000/0x8"},
		{"20fcdf08", "ldarb w0, [x1]", "read 0x20000/0x1"},
		{"20fc9f88", "stlr w0, [x1]", "write 0x20000/0x4"},
		{"20fc9f48", "stlrh w0, [x1]", "write 0x20000/0x2"},
		{"417ca008", "casb w0, w1, [x2]", "readwrite 0x30000/0x1"},
		{"417ca048", "cash w0, w1, [x2]", "readwrite 0x30000/0x2"},
		{"417ce088", "casa w0, w1, [x2]", "readwrite 0x30000/0x4"},
		{"41fce0c8", "casal x0, x1, [x2]", "readwrite 0x30000/0x8"},
		{"827c2008", "casp w0, w1, w2, w3, [x4]", "readwrite 0x50000/0x8"},
		{"827c6048", "caspa x0, x1, x2, x3, [x4]", "readwrite 0x50000/0x10"},
		{"41002038", "ldaddb w0, w1, [x2]", "readwrite 0x30000/0x1"},
		{"41102078", "ldclrh w0, w1, [x2]", "readwrite 0x30000/0x2"},
		{"4120a0f8", "ldeora x0, x1, [x2]", "readwrite 0x30000/0x8"},
		{"414060b8", "ldsmaxl w0, w1, [x2]", "readwrite 0x30000/0x4"},
		{"e17320f8", "ldumin x0, x1, [sp]", "readwrite 0x200000/0x8"},
		{"3f3060f8", "stsetl x0, [x1]", "readwrite 0x20000/0x8"},
		{"418020b8", "swp w0, w1, [x2]", "readwrite 0x30000/0x4"},
		{"20c0bff8", "ldapr x0, [x1]", "read 0x20000/0x8"},
		{"20c0bf38", "ldaprb w0, [x1]", "read 0x20000/0x1"},
		{"2070400c", "ld1 {v0.8b}, [x1]", "read 0x20000/0x8"},
		{"2070404c", "ld1 {v0.16b}, [x1]", "read 0x20000/0x10"},
		{"20a0404c", "ld1 {v0.16b, v1.16b}, [x1]", "read 0x20000/0x20"},
		{"2068404c", "ld1 {v0.4s, v1.4s, v2.4s}, [x1]", "read 0x20000/0x30"},
		{"202c004c", "st1 {v0.2d, v1.2d, v2.2d, v3.2d}, [x1]", "write 0x20000/0x40"},
		{"2084404c", "ld2 {v0.8h, v1.8h}, [x1]", "read 0x20000/0x20"},
		{"2040400c", "ld3 {v0.8b, v1.8b, v2.8b}, [x1]", "read 0x20000/0x18"},
		{"20009f4c", "st4 {v0.16b, v1.16b, v2.16b, v3.16b}, [x1], #64", "write 0x20000/0x40"},
		{"200c400d", "ld1 {v0.b}[3], [x1]", "read 0x20000/0x1"},
		{"2058400d", "ld1 {v0.h}[3], [x1]", "read 0x20000/0x2"},
		{"2084004d", "st1 {v0.d}[1], [x1]", "write 0x20000/0x8"},
		{"2090600d", "ld2 {v0.s, v1.s}[1], [x1]", "read 0x20000/0x8"},
		{"2034400d", "ld3 {v0.b, v1.b, v2.b}[5], [x1]", "read 0x20000/0x3"},
		{"20a4200d", "st4 {v0.d, v1.d, v2.d, v3.d}[0], [x1]", "write 0x20000/0x20"},
		{"20c0400d", "ld1r {v0.8b}, [x1]", "read 0x20000/0x1"},
		{"20cc404d", "ld1r {v0.2d}, [x1]", "read 0x20000/0x8"},
		{"20c4600d", "ld2r {v0.4h, v1.4h}, [x1]", "read 0x20000/0x4"},
		{"20e8400d", "ld3r {v0.2s, v1.2s, v2.2s}, [x1]", "read 0x20000/0xc"},
		{"200820d9", "stg x0, [x1]", "write 0x20000/0x10"},
		{"200870d9", "stzg x0, [x1, #-4096]", "write 0x1f000/0x10"},
		{"2018e0d9", "stz2g x0, [x1, #16]", "write 0x20010/0x20"},
		{"201060d9", "ldg x0, [x1, #16]", "read 0x20010/0x10"},
		{"00809ff8", "prfum pldl1keep, [x0, #-8]", ""},
		{"2000028b", "add x0, x1, x2", ""},
		{"10000014", "b #64", ""},
		{"c0035fd6", "ret", ""},
	} {
		inst, ok := Decode(&cpu.ARM64, append(unhex(t, row.code), 0, 0, 0, 0), 0)
		if got := accesses(&inst, &cpu.ARM64, &regs); !ok || got != row.want {
			t.Errorf("%s: %q, %v, want %q", row.text, got, ok, row.want)
		}
	}
}
