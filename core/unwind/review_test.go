package unwind

import (
	"testing"

	"crashglass/core/cpu"
	"crashglass/core/testkit/asm"
)

// A return that loads pc from the stack takes nothing from lr, which the last
// call of the function has left behind.
func TestReturnThatLoadsIsNoReturnByLink(t *testing.T) {
	const nop = 0xe1a00000
	picture{
		arch: &cpu.ARM, os: "linux", symbols: arm64Names,
		regs: map[string]uint64{"pc": image + 0x11c, "sp": 0x1000, "fp": 0x1010, "lr": image + 0x118},
		code: asm.At(image+0x100).U32(
			0xe1a0c00d, // mov ip, sp
			0xe92dd810, // push {r4, fp, ip, lr, pc}
			0xe24cb004, // sub fp, ip, #4
			0xea000000, // b: nothing is followed past it
			nop,
			0xeb000010, // bl
			nop,        // lr
			0xe89da810, // pc: ldm sp, {r4, fp, sp, pc}
		),
		stack: asm.At(0x1000).
			U32(4, 0x1020, 0x1014, image+0x210, image+0x10c). // r4, fp, sp, lr, pc
			Zeros(0xc).
			U32(0, image+0x310).
			Zeros(0x40),
		want: []string{"0x4000011c context", "0x4000020e frame_pointer", "0x4000030e frame_pointer"},
		end:  "chain_end",
	}.check(t)
}
