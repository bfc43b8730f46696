package isa

import "crashglass/core/machine/cpu"

// mips reads an instruction. MIPS32 and MIPS64 volume 2, tables A.2 to A.4.
func mips(s *Set, w uint32, addr uint64) Insn {
	if i := mipsFlow(w, addr); i.Flow != Next {
		i.Delay = i.Flow != Trap
		return i
	}
	return next(mipsStack(s, w))
}

// mipsFlow decodes jumps and branches, whose distances count from their delay slot.
func mipsFlow(w uint32, addr uint64) Insn {
	near := rel(addr+4, w, 16, 2)
	far := (addr+4)&^0x0fff_ffff | uint64(w&0x3ff_ffff)<<2
	rs, rt := cpu.Reg(w>>21&31), w>>16&31
	switch op := w >> 26; op {
	case 0:
		return mipsSpecial(w, rs)
	case 1: // regimm
		switch {
		case rt&0x1c == 0x10: // bltzal, bgezal: bal
			return to(Call, near)
		case rt&0x1c == 0 && rs == 0 && rt&1 != 0: // bgez zero
			return to(Jump, near)
		case rt&0x1c == 0: // bltz, bgez
			return to(CondBranch, near)
		}
	case 2:
		return to(Jump, far)
	case 3, 0x1d: // jal; jalx, to another instruction set
		return to(Call, far)
	case 4, 0x14: // beq
		if uint32(rs) == rt {
			return to(Jump, near)
		}
		return to(CondBranch, near)
	case 5, 6, 7, 0x15, 0x16, 0x17: // bne, blez, bgtz, also likely
		return to(CondBranch, near)
	case 0x11, 0x12: // bc1f, bc1t; bc2
		if rs == 8 {
			return to(CondBranch, near)
		}
	}
	return next(Effect{})
}

// mipsSpecial reads jumps through registers, and break.
func mipsSpecial(w uint32, rs cpu.Reg) Insn {
	switch funct, rd := w&0x3f, w>>11&31; {
	case funct == 9 && rd != 0: // jalr
		return Insn{Flow: Call}
	case funct == 8 && rs == cpu.MIPSRA, funct == 9 && rs == cpu.MIPSRA: // jr; that of release 6 is jalr zero
		return Insn{Flow: Return}
	case funct == 8, funct == 9:
		return Insn{Flow: JumpReg}
	case funct == 13: // break
		return Insn{Flow: Trap}
	}
	return next(Effect{})
}

// mipsStack decodes stores, loads and additions. Only whole registers are saved.
func mipsStack(s *Set, w uint32) Effect {
	rs, rt := cpu.Reg(w>>21&31), cpu.Reg(w>>16&31)
	imm := signed(w, 16)
	store, load := uint32(0x2b), uint32(0x23) // sw, lw
	if s.Arch.Word == 8 {
		store, load = 0x3f, 0x37 // sd, ld
	}
	switch op := w >> 26; {
	case op == 0:
		return mipsRegisters(w, rs, rt)
	case op == 9, op == 0x19: // addiu, daddiu
		return adds(rt, rs, imm, cpu.MIPSSP, cpu.MIPSFP)
	case op == store && rs == cpu.MIPSSP:
		return stores(imm, mipsReg(rt))
	case op == load && rs == cpu.MIPSSP && rt != cpu.MIPSSP:
		return loads(imm, mipsReg(rt))
	case op >= 8 && op <= 15, op == 0x18, op >= 0x1a && op <= 0x1b, op >= 0x20 && op <= 0x27, op == 0x30, op == 0x34, op == 0x37:
		if op >= 0x20 || op == 0x1a || op == 0x1b {
			return losesLR(rt, cpu.MIPSSP, cpu.MIPSRA)
		}
		return unreadableIf(rt == cpu.MIPSSP)
	}
	return Effect{}
}

// mipsRegisters reads move, which is or, addu or daddu with zero.
func mipsRegisters(w uint32, rs, rt cpu.Reg) Effect {
	rd := cpu.Reg(w >> 11 & 31)
	switch funct := w & 0x3f; {
	case rt == 0 && rd == cpu.MIPSRA && (funct == 0x21 || funct == 0x25 || funct == 0x2d):
		return Effect{Kind: LosesLR}
	case rt == 0 && rs != 0 && (funct == 0x21 || funct == 0x25 || funct == 0x2d):
		return adds(rd, rs, 0, cpu.MIPSSP, cpu.MIPSFP)
	case funct == 0x11 || funct == 0x13 || funct >= 0x18 && funct <= 0x1f: // mthi, mtlo, mult, div
		return Effect{}
	case funct == 0x0c || funct >= 0x30 && funct <= 0x36: // syscall, teq and its kin have a code there
		return Effect{}
	}
	return unreadableIf(rd == cpu.MIPSSP)
}

// mipsReg returns a stored or loaded register; register 0 is a constant.
func mipsReg(r cpu.Reg) cpu.Reg {
	if r == 0 {
		return cpu.None
	}
	return r
}
