package disasm

import (
	"crashglass/core/machine/cpu"
)

// field returns bits hi to lo of an encoding.
func field(x uint32, hi, lo uint) uint32 { return x >> lo & (1<<(hi-lo+1) - 1) }

// signed sign-extends a field of n bits.
func signed(v uint32, n uint) int64 { return int64(int32(v<<(32-n)) >> (32 - n)) }

// arm64Base is Rn of a load or store, in which 31 is the stack pointer.
func arm64Base(x uint32) cpu.Reg { return cpu.Reg(field(x, 9, 5)) } // A64SP is 31, too

// arm64Memory returns the accesses of a load or store. It reports false for everything else, and
// for prefetches, which never fail. Tables: ARM ARM (DDI 0487), C4.1.94, Loads and Stores.
func arm64Memory(x uint32, addr uint64) (m cpu.MemOp, ok bool) {
	if field(x, 27, 27) != 1 || field(x, 25, 25) != 0 {
		return m, false
	}
	m = cpu.MemOp{Base: arm64Base(x), Index: cpu.None}
	switch {
	case field(x, 29, 24) == 0b001000: // exclusive and ordered
		return arm64Exclusive(x, m), true
	case field(x, 29, 27) == 0b011 && field(x, 25, 24) == 0b00:
		return arm64Literal(x, m, addr)
	case field(x, 29, 24) == 0b011001: // ldapur, stg
		return arm64Unscaled(x, m)
	case field(x, 29, 27) == 0b101: // ldp, stp
		return arm64Pair(x, m), true
	case field(x, 29, 27) == 0b111: // ldr, str, and atomics
		return arm64Single(x, m)
	case field(x, 31, 31) == 0 && field(x, 29, 25) == 0b00110: // ld1 to ld4, st1 to st4
		return arm64Vector(x, m), true
	}
	return m, false
}

// loads turns the load bit into an access.
func loads(load bool) cpu.Access {
	if load {
		return cpu.Read
	}
	return cpu.Write
}

// arm64Exclusive: exclusive, ordered, compare and swap. No offset.
func arm64Exclusive(x uint32, m cpu.MemOp) cpu.MemOp {
	m.Size = 1 << field(x, 31, 30)
	m.Access = loads(field(x, 22, 22) == 1)
	o2, o1 := field(x, 23, 23), field(x, 21, 21)
	switch {
	case o2 == 1 && o1 == 1: // cas
		m.Access = cpu.Read | cpu.Write
	case o1 == 1 && field(x, 31, 31) == 0: // casp
		m.Size, m.Access = 8<<field(x, 30, 30), cpu.Read|cpu.Write
	case o1 == 1: // a pair
		m.Size *= 2
	}
	return m
}

// arm64Literal: relative to the program counter.
func arm64Literal(x uint32, m cpu.MemOp, addr uint64) (cpu.MemOp, bool) {
	opc, vector := field(x, 31, 30), field(x, 26, 26) == 1
	m = cpu.MemOp{Base: cpu.A64PC, Index: cpu.None, PCRel: true, Next: addr, Access: cpu.Read,
		Disp: 4 * signed(field(x, 23, 5), 19)}
	switch {
	case vector:
		m.Size = 4 << opc
	case opc == 3: // prfm
		return m, false
	default:
		m.Size = [...]int{4, 8, 4}[opc]
	}
	return m, opc < 3
}

// arm64Unscaled: ordered with an offset, and memory tags.
func arm64Unscaled(x uint32, m cpu.MemOp) (cpu.MemOp, bool) {
	if field(x, 21, 21) == 1 { // stg, ldg: a granule's tag
		m.Disp, m.Size, m.Access = 16*signed(field(x, 20, 12), 9), 16, cpu.Write
		if op := field(x, 23, 22); op == 1 && field(x, 11, 10) == 0 || op == 3 && field(x, 11, 10) == 0 {
			m.Access = cpu.Read
		}
		if field(x, 11, 10) == 1 {
			m.Disp = 0 // post-index
		}
		return m, field(x, 31, 30) == 3
	}
	m.Disp, m.Size = signed(field(x, 20, 12), 9), 1<<field(x, 31, 30)
	m.Access = loads(field(x, 23, 22) != 0)
	return m, field(x, 11, 10) == 0
}

func arm64Pair(x uint32, m cpu.MemOp) cpu.MemOp {
	opc, load := field(x, 31, 30), field(x, 22, 22) == 1
	each := 4
	scale := int64(4)
	switch {
	case field(x, 26, 26) == 1: // s, d or q registers
		each = 4 << opc
		scale = int64(each)
	case opc == 2: // x registers
		each, scale = 8, 8
	case opc == 1 && !load: // stgp
		each, scale = 8, 16
	}
	m.Size, m.Access = 2*each, loads(load)
	if field(x, 24, 23) != 0b01 { // post-index uses the base as it is
		m.Disp = scale * signed(field(x, 21, 15), 7)
	}
	return m
}

// arm64Single: one register, in all its modes.
func arm64Single(x uint32, m cpu.MemOp) (cpu.MemOp, bool) {
	size, opc, vector := field(x, 31, 30), field(x, 23, 22), field(x, 26, 26) == 1
	shift := size
	m.Access = loads(opc != 0)
	if vector {
		shift |= opc & 2 << 1
		m.Access = loads(opc&1 == 1)
	}
	m.Size = 1 << shift
	switch {
	case field(x, 24, 24) == 1: // an unsigned offset
		m.Disp = int64(field(x, 21, 10)) << shift
	case field(x, 21, 21) == 0: // a signed offset of 9 bits
		if field(x, 11, 10) != 0b01 { // post-index
			m.Disp = signed(field(x, 20, 12), 9)
		}
	case field(x, 11, 10) == 0b10: // a register as offset
		m = arm64Index(x, m, shift)
	case field(x, 11, 10) == 0b00: // atomic
		m.Access = cpu.Read | cpu.Write
		if field(x, 15, 12) == 0b1100 { // ldapr
			m.Access = cpu.Read
		}
		return m, true
	default: // ldraa, ldrab: signed pointers
		m.Disp = 8 * signed(field(x, 22, 22)<<9|field(x, 20, 12), 10)
		m.Access, m.Unknown = cpu.Read, true // the signature is removed first
		return m, true
	}
	if !vector && size == 3 && opc == 2 { // prfm
		return m, false
	}
	return m, true
}

// arm64Index: a register as offset.
func arm64Index(x uint32, m cpu.MemOp, shift uint32) cpu.MemOp {
	rm := field(x, 20, 16)
	if rm == 31 { // the zero register
		return m
	}
	m.Index, m.Scale = cpu.Reg(rm), 1
	if field(x, 12, 12) == 1 {
		m.Scale = 1 << shift
	}
	switch field(x, 15, 13) {
	case 0b010: // uxtw
		m.Extend = 4
	case 0b110: // sxtw
		m.Extend = -4
	}
	return m
}

// arm64Vector: structures of vector registers. No offset.
func arm64Vector(x uint32, m cpu.MemOp) cpu.MemOp {
	q := field(x, 30, 30)
	m.Access = loads(field(x, 22, 22) == 1)
	if field(x, 24, 24) == 0 { // whole registers
		regs := map[uint32]int{0b0000: 4, 0b0010: 4, 0b0100: 3, 0b0110: 3, 0b0111: 1, 0b1000: 2, 0b1010: 2}[field(x, 15, 12)]
		m.Size = regs * 8 << q
		return m
	}
	opcode := field(x, 15, 13)
	elements := int(opcode&1<<1|field(x, 21, 21)) + 1
	switch scale := opcode >> 1; scale {
	case 3: // one element for all lanes
		m.Size = elements << field(x, 11, 10)
	case 2: // .s or .d
		m.Size = elements * 4 << (field(x, 10, 10) & 1)
	default: // .b or .h
		m.Size = elements << scale
	}
	return m
}
