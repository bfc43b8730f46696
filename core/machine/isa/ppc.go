package isa

import "crashglass/core/machine/cpu"

// ppc reads an instruction. Power ISA, book I, sections 2.4 ("Branch
// Instructions") and 3.3 ("Fixed-Point Instructions"); prefixed ones are read
// as two.
func ppc(s *Set, w uint32, addr uint64) Insn {
	links := w&1 != 0
	if w&2 != 0 {
		addr = 0 // the target is absolute
	}
	switch w >> 26 {
	case 16: // bc
		return ppcBranch(to(Jump, rel(addr, w>>2, 14, 2)), w, links)
	case 17: // sc
		return next(Effect{})
	case 18: // b
		if links {
			return to(Call, rel(addr, w>>2, 24, 2))
		}
		return to(Jump, rel(addr, w>>2, 24, 2))
	case 19:
		return ppcThrough(w, links)
	}
	if w == 0x7fe0_0008 || w == 0 { // trap; no instruction
		return Insn{Flow: Trap}
	}
	return next(ppcStack(s, w))
}

// ppcBranch decodes a branch, which may have a condition or be a call.
func ppcBranch(i Insn, w uint32, links bool) Insn {
	always := w>>21&0x14 == 0x14
	switch {
	case links:
		i.Flow = Call
	case !always:
		i.Flow = CondBranch
	}
	return i
}

// ppcThrough reads branches to the link register and others.
func ppcThrough(w uint32, links bool) Insn {
	switch w >> 1 & 0x3ff {
	case 16: // bclr
		return ppcBranch(Insn{Flow: Return}, w, links)
	case 528, 560: // bcctr, bctar
		return ppcBranch(Insn{Flow: JumpReg}, w, links)
	case 18, 50, 274: // rfid, rfi, hrfid
		return Insn{Flow: Return}
	}
	return next(Effect{})
}

// ppcRegister is a register by its number in instructions.
func ppcRegister(n uint32) cpu.Reg { return cpu.PPCR1 + cpu.Reg(n&31) - 1 }

// ppcStack reads stores, loads, additions to r1, and moves of the link
// register. r1 may be loaded from the word that it points to.
func ppcStack(s *Set, w uint32) Effect {
	rt, ra := ppcRegister(w>>21), ppcRegister(w>>16)
	imm := signed(w, 16)
	sp, wide := cpu.PPCR1, s.Arch.Word == 8
	switch op := w >> 26; {
	case op == 14 || op == 24 && imm == 0: // addi; ori
		return ppcAdd(op, rt, ra, imm)
	case op == 37 && rt == sp && ra == sp && !wide: // stwu
		return stores(0, sp).moving(imm)
	case op == 62 && rt == sp && ra == sp && w&3 == 1: // stdu
		return stores(0, sp).moving(imm &^ 3)
	case op == 36 && ra == sp && !wide: // stw
		return stores(imm, rt)
	case op == 62 && ra == sp && w&3 == 0: // std
		return stores(imm, rt)
	case op == 32 && ra == sp && rt != sp && !wide: // lwz
		return loads(imm, rt)
	case op == 58 && ra == sp && rt != sp && w&3 == 0: // ld
		return loads(imm, rt)
	case op == 31:
		return ppcRegisters(w, rt, ra)
	}
	return unreadableIf(ppcChangesSP(w, rt, ra))
}

// ppcAdd decodes the addition of a constant. With r0 as its source it only loads the constant; ori
// has its destination in the other field.
func ppcAdd(op uint32, rt, ra cpu.Reg, imm int64) Effect {
	sp, r31 := cpu.PPCR1, cpu.PPCR31
	if op == 24 {
		rt, ra = ra, rt
	}
	switch {
	case rt == sp && ra == sp:
		return moves(imm)
	case rt == sp && ra != sp-1:
		return setsSP(ra, imm)
	case rt == r31 && ra == sp:
		return setsFP(rt, imm)
	}
	return unreadableIf(rt == sp)
}

// ppcRegisters reads mr, which is or of a register with itself, moves of the
// link register, and stwux and stdux, which lower sp by a register.
func ppcRegisters(w uint32, rs, ra cpu.Reg) Effect {
	xo, rb := w>>1&0x3ff, ppcRegister(w>>11)
	switch {
	case xo == 444 && rs == rb:
		return ppcAdd(14, ra, rs, 0)
	case w&0x1f_fffe == 0x08_02a6 && rs != cpu.PPCR1: // mflr
		return Effect{Kind: CopiesLR, Base: rs}
	case w&0x1f_fffe == 0x08_03a6: // mtlr
		return Effect{Kind: SetsLR, Base: rs}
	}
	toRT, toRA := ppcDestination(xo)
	return unreadableIf(toRT && rs == cpu.PPCR1 || toRA && ra == cpu.PPCR1)
}

// ppcDestination reports which field of an instruction with opcode 31 names a general register that
// it writes. The lower five bits of the extended opcode are the group: arithmetic, logic, loads and
// stores of each kind; in loads and stores 128 is a store, and 32 the form with update. Power ISA,
// appendix "Opcode Maps".
func ppcDestination(xo uint32) (toRT, toRA bool) {
	load, update := xo&128 == 0, xo&32 != 0
	switch xo & 31 {
	case 8, 9, 10, 11, 15: // arithmetic; isel
		return true, false
	case 24, 26, 27, 28: // shifts, counts and logic
		return false, true
	case 20: // lwarx, ldbrx
		return load, false
	case 21: // ldx, stdux; the upper half is strings, which have no update
		return load, update && xo < 512
	case 23: // lwzx, stwux; the upper half is floating point
		return load && xo < 512, update && xo < 768
	}
	switch xo {
	case 128, 310, 534, 582, 614, 790: // setb, eciwx, lwbrx, lwat, ldat, lhbrx
		return true, false
	case 19, 83, 339, 371, 595, 659, 755, 851, 915: // mfcr, mfmsr, mfspr, mftb, mfsr, darn, slbmfev
		return true, false
	case 51, 115, 307: // mfvsrd, mfvsrwz, mfvsrld
		return false, true
	}
	return false, false
}

// ppcChangesSP reports whether an instruction that is none of those has r1 as
// its destination, or an address with update.
func ppcChangesSP(w uint32, rt, ra cpu.Reg) bool {
	switch op := w >> 26; {
	case op == 7, op == 8, op >= 12 && op <= 15, op == 32, op == 34, op == 40, op == 42, op == 46, op == 58:
		return rt == cpu.PPCR1 || op == 58 && w&3 == 1 && ra == cpu.PPCR1
	case op >= 20 && op <= 30: // rotations and logic
		return ra == cpu.PPCR1
	case op >= 33 && op <= 55 && op&1 != 0 && op != 47: // with update
		return ra == cpu.PPCR1 || rt == cpu.PPCR1 && op < 44 && op != 37 && op != 39
	}
	return w>>26 == 62 && w&3 == 1 && ra == cpu.PPCR1 // stdu of another register than r1
}
