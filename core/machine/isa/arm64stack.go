package isa

import (
	"slices"

	"crashglass/core/machine/cpu"
)

// arm64Forms are the instructions of prologues and epilogues. Stores and loads
// of floating point have registers without a number.
//
// Encodings: Arm Architecture Reference Manual for A-profile, C6.2 and C7.2.
var arm64Forms = []struct {
	mask, value uint32
	read        func(w uint32) Effect
}{
	{0xff80_03ff, 0xd100_03ff, func(w uint32) Effect { return moves(-arm64Immediate(w)) }},             // sub sp, sp, #n
	{0xff80_03ff, 0x9100_03ff, func(w uint32) Effect { return moves(arm64Immediate(w)) }},              // add sp, sp, #n
	{0xff80_03ff, 0x9100_03fd, func(w uint32) Effect { return setsFP(cpu.A64FP, arm64Immediate(w)) }},  // add x29, sp, #n
	{0xff80_03ff, 0xd100_03fd, func(w uint32) Effect { return setsFP(cpu.A64FP, -arm64Immediate(w)) }}, // sub x29, sp, #n
	{0xff80_001f, 0x9100_001f, func(w uint32) Effect { return setsSP(arm64Base(w), arm64Immediate(w)) }},
	{0xff80_001f, 0xd100_001f, func(w uint32) Effect { return setsSP(arm64Base(w), -arm64Immediate(w)) }},
	{0xffc0_03e0, 0xa980_03e0, arm64Pair(Stores)},        // stp x, x, [sp, #n]!
	{0xffc0_03e0, 0xa900_03e0, arm64Pair(Stores)},        // stp x, x, [sp, #n]
	{0xffc0_03e0, 0xa8c0_03e0, arm64Pair(Loads)},         // ldp x, x, [sp], #n
	{0xffc0_03e0, 0xa940_03e0, arm64Pair(Loads)},         // ldp x, x, [sp, #n]
	{0xffc0_03e0, 0x6d80_03e0, arm64Pair(Stores)},        // stp d, d
	{0xffc0_03e0, 0x6d00_03e0, arm64Pair(Stores)},        //
	{0xffc0_03e0, 0x6cc0_03e0, arm64Pair(Loads)},         // ldp d, d
	{0xffc0_03e0, 0x6d40_03e0, arm64Pair(Loads)},         //
	{0xffe0_0fe0, 0xf800_0fe0, arm64One(Stores, 12, 9)},  // str x, [sp, #n]!
	{0xffe0_0fe0, 0xf840_07e0, arm64One(Loads, 12, 9)},   // ldr x, [sp], #n
	{0xffe0_0fe0, 0xf800_03e0, arm64One(Stores, 12, 9)},  // stur x, [sp, #n]
	{0xffe0_0fe0, 0xf840_03e0, arm64One(Loads, 12, 9)},   // ldur x, [sp, #n]
	{0xffc0_03e0, 0xf900_03e0, arm64One(Stores, 10, 12)}, // str x, [sp, #n]
	{0xffc0_03e0, 0xf940_03e0, arm64One(Loads, 10, 12)},  // ldr x, [sp, #n]
	{0xffc0_001f, 0xf940_001e, arm64Loses},               // ldr x30, [x, #n]
	{0xffe0_0c1f, 0xf840_001e, arm64Loses},               // ldur x30, [x, #n]
	{0xfe40_001f, 0xa840_001e, arm64Loses},               // ldp x30, x, [x, #n]
	{0xfe40_7c00, 0xa840_7800, arm64Loses},               // ldp x, x30, [x, #n]
	{0xffe0_ffff, 0xaa00_03fe, arm64Loses},               // mov x30, x
	{0xffe0_0fe0, 0xfc00_0fe0, arm64One(Stores, 12, 9)},  // str d, [sp, #n]!
	{0xffe0_0fe0, 0xfc40_07e0, arm64One(Loads, 12, 9)},   // ldr d, [sp], #n
	{0xffc0_03e0, 0xad80_03e0, arm64Vectors},             // stp q, q, [sp, #n]!
	{0xffc0_03e0, 0xacc0_03e0, arm64Vectors},             // ldp q, q, [sp], #n
}

func arm64Stack(w uint32) Effect {
	for _, f := range arm64Forms {
		if w&f.mask == f.value {
			return f.read(w)
		}
	}
	return unreadableIf(arm64ChangesSP(w))
}

// arm64Loses reads a load from another place than the stack pointer's, which the forms before it are. One that also moves sp is unreadable.
func arm64Loses(w uint32) Effect {
	if arm64ChangesSP(w) {
		return unreadable
	}
	return Effect{Kind: LosesLR}
}

// arm64Immediate returns the operand of add and sub, which may be shifted by 12.
func arm64Immediate(w uint32) int64 {
	n := int64(w >> 10 & 0xfff)
	if w&(1<<22) != 0 {
		n <<= 12
	}
	return n
}

func arm64Base(w uint32) cpu.Reg { return cpu.Reg(w >> 5 & 31) }

// arm64Reg returns a stored or loaded register. 31 is xzr, and bit 26 is set for floating point
// registers.
func arm64Reg(w, n uint32) cpu.Reg {
	if n &= 31; n == 31 || w&(1<<26) != 0 {
		return cpu.None
	}
	return cpu.Reg(n)
}

// arm64Pair decodes an instruction with two registers of eight bytes. If it moves sp, they are at
// the lower of the two values of sp. Bits 23 and 24 are 2 for an offset that moves nothing.
func arm64Pair(kind Kind) func(uint32) Effect {
	return func(w uint32) Effect {
		n := signed(w>>15, 7) * 8
		e := Effect{Kind: kind, Off: n}
		if w>>23&3 != 2 {
			e = Effect{Kind: kind, Move: n}
		}
		return e.with(arm64Reg(w, w), arm64Reg(w, w>>10))
	}
}

// arm64One decodes an instruction with one register. An offset of 12 bits counts words; with an
// offset of 9 bits, bit 10 says whether sp moves.
func arm64One(kind Kind, from, bits int) func(uint32) Effect {
	return func(w uint32) Effect {
		e := Effect{Kind: kind}
		switch {
		case bits == 12:
			e.Off = int64(w>>from&0xfff) * 8
		case w&(1<<10) != 0:
			e.Move = signed(w>>from, bits)
		default:
			e.Off = signed(w>>from, bits)
		}
		return e.with(arm64Reg(w, w))
	}
}

// arm64Vectors moves sp for two registers of 16 bytes. Functions need not preserve any part of them
// that has a number here.
func arm64Vectors(w uint32) Effect { return moves(signed(w>>15, 7) * 16) }

// arm64SP are the other instructions that write sp: as their destination (register 31, where it is
// not xzr), or by an address with write-back.
var arm64SP = []struct{ mask, value uint32 }{
	{0xbf80_001f, 0x1100_001f}, // add, sub (immediate) of 32 bits
	{0xbfc0_001f, 0x9180_001f}, // addg, subg
	{0x7f80_001f, 0x1200_001f}, // and (immediate), but not ands
	{0x7f80_001f, 0x3200_001f}, // orr
	{0x7f80_001f, 0x5200_001f}, // eor
	{0x3fe0_001f, 0x0b20_001f}, // add, sub (extended register)
	{0xffe0_fc1f, 0x9ac0_101f}, // irg
	{0xffa0_f01f, 0x0420_501f}, // addvl, addpl, addsvl, addspl
	{0x3a80_03e0, 0x2880_03e0}, // stp, ldp and their kin, pre-index and post-index
	{0x3b20_07e0, 0x3800_07e0}, // str, ldr
	{0xff20_0fe0, 0xf820_0fe0}, // ldraa, ldrab
	{0xbf80_03e0, 0x0c80_03e0}, // st1, ld1 and their kin
	{0xbf80_03e0, 0x0d80_03e0}, // of single elements
	{0xff20_07e0, 0xd920_07e0}, // stg
	{0xbf20_ffe0, 0x9900_0be0}, // stilp, ldiapp, stlr, ldapr
}

// arm64ChangesSP reports whether an instruction that matches no form changes sp.
func arm64ChangesSP(w uint32) bool {
	return slices.ContainsFunc(arm64SP, func(f struct{ mask, value uint32 }) bool { return w&f.mask == f.value })
}
