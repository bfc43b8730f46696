package crash

import (
	"testing"

	"crashglass/core/machine/cpu"
)

// An instruction of ARM continues at what it writes to pc: ARM ARM (DDI 0406), A2.3.2. pc is the last
// register of a list, at the highest address (A8.8.58). The bytes are those of LLVM 14's assembler.
func TestTargetsOfARM(t *testing.T) {
	for _, row := range []struct {
		code, asm string
		want      uint64 // 0 for none
	}{
		{"13 ff 2f e1", "bx r3", 0x3000},
		{"33 ff 2f e1", "blx r3", 0x3000},
		{"1e ff 2f e1", "bx lr", 0xe000},
		{"1f ff 2f e1", "bx pc", 0}, // pc reads as the address plus 8: not evaluated
		{"03 f0 a0 e1", "mov pc, r3", 0x3000},
		{"0e f0 a0 e1", "mov pc, lr", 0xe000},
		{"0f f0 a0 e1", "mov pc, pc", 0},
		{"00 f0 91 e5", "ldr pc, [r1]", 0x11111111},
		{"04 f0 91 e5", "ldr pc, [r1, #4]", 0x22222222},
		{"02 f1 91 e7", "ldr pc, [r1, r2, lsl #2]", 0x33333333}, // r2 is 2
		{"00 f0 93 e5", "ldr pc, [r3]", 0},                      // not in the dump
		{"04 f0 9d e4", "pop {pc}", 0x44444444},
		{"10 80 bd e8", "pop {r4, pc}", 0x55555555},
		{"10 80 91 e8", "ldm r1, {r4, pc}", 0x22222222},
		{"10 80 91 e9", "ldmib r1, {r4, pc}", 0x33333333},
		{"00 f0 8f e0", "add pc, pc, r0", 0}, // a sum: not evaluated
		{"00 f1 8f e0", "add pc, pc, r0, lsl #2", 0},
		{"03 f1 a0 e1", "lsl pc, r3, #2", 0},
		{"03 f0 e0 e1", "mvn pc, r3", 0},
		{"03 f0 a0 11", "movne pc, r3", 0}, // a condition: not evaluated
		{"1e ff 2f 01", "bxeq lr", 0},
		{"10 80 bd 08", "popeq {r4, pc}", 0},
		{"03 00 a0 e1", "mov r0, r3", 0},
	} {
		s := crashAt(t, row.code)
		s.Arch, s.Regs = &cpu.ARM, &cpu.Regs{}
		s.put(heapBase, 0x2222_2222_1111_1111).put(heapBase+8, 0x3333_3333).put(stackArea, 0x5555_5555_4444_4444)
		s.reg(cpu.ARMPC, codeAddr).reg(cpu.ARMLR, 0xe000).reg(cpu.ARMSP, stackArea).reg(cpu.ARMCPSR, 0x10)
		s.reg(0, 8).reg(1, heapBase).reg(2, 2).reg(3, 0x3000)
		got := uint64(0)
		a := Analyze(s.Input)
		if a.IPUpdate != nil {
			got = a.IPUpdate.Address
		}
		if got != row.want || a.Instruction == "" {
			t.Errorf("%s (%s): to %#x, want %#x", row.asm, a.Instruction, got, row.want)
		}
	}
}

const stackArea = heapBase + 0x1000 // of a CPU with 32 bits
