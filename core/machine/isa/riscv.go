package isa

import "crashglass/core/machine/cpu"

// riscvSize returns an instruction's size; longer ones than four bytes are not in use.
func riscvSize(first uint32) int {
	switch {
	case first&3 != 3:
		return 2
	case first&0x1f == 0x1f:
		return 0
	}
	return 4
}

// riscvT0 is the link register of the functions that save registers for others (-msave-restore).
const riscvT0 cpu.Reg = 5

// riscv reads an instruction. RISC-V unprivileged specification, chapters 2
// ("RV32I") and 36 ("Instruction set listings").
func riscv(s *Set, w uint32, addr uint64) Insn {
	if w&3 != 3 {
		return riscvShort(s, w&0xffff, addr)
	}
	rd, rs1 := riscvRD(w), cpu.Reg(w>>15&31)
	switch w & 0x7f {
	case 0x6f: // jal
		i := to(Jump, rel(addr, riscvJump(w), 21, 0))
		if rd != 0 {
			i.Flow, i.Stack = Call, unreadableIf(rd == riscvT0)
		}
		return i
	case 0x67: // jalr
		return riscvThrough(rd, rs1, w>>20)
	case 0x63: // beq and its kin
		return to(CondBranch, rel(addr, riscvBranch(w), 13, 0))
	case 0x73:
		return riscvSystem(w)
	}
	return next(riscvStack(s, w, rd, rs1))
}

func riscvRD(w uint32) cpu.Reg { return cpu.Reg(w >> 7 & 31) }

// riscvThrough decodes a jump through a register. A function that is called with t0 as its link
// register stores registers for its caller, and lowers sp.
func riscvThrough(rd, rs1 cpu.Reg, off uint32) Insn {
	switch {
	case rd != 0:
		return Insn{Flow: Call, Stack: unreadableIf(rd == riscvT0)}
	case rs1 == cpu.RVRA && off == 0:
		return Insn{Flow: Return}
	}
	return Insn{Flow: JumpReg}
}

// riscvSystem decodes ebreak, and returns from a trap.
func riscvSystem(w uint32) Insn {
	switch w {
	case 0x0010_0073, 0xc000_1073: // ebreak; unimp, a write to a counter
		return Insn{Flow: Trap}
	case 0x3020_0073, 0x1020_0073: // mret, sret
		return Insn{Flow: Return}
	}
	return next(unreadableIf(w>>12&7 != 0 && riscvRD(w) == cpu.RVSP))
}

// riscvJump is the distance of jal, of 21 bits.
func riscvJump(w uint32) uint32 {
	return w>>31&1<<20 | w>>12&0xff<<12 | w>>20&1<<11 | w>>21&0x3ff<<1
}

// riscvBranch is the distance of a branch, of 13 bits.
func riscvBranch(w uint32) uint32 {
	return w>>31&1<<12 | w>>7&1<<11 | w>>25&0x3f<<5 | w>>8&0xf<<1
}

// riscvStack reads stores, loads and additions. Registers are saved as whole words.
func riscvStack(s *Set, w uint32, rd, rs1 cpu.Reg) Effect {
	imm := signed(w>>20, 12)
	wide := uint32(2) // lw, sw
	if s.Arch.Word == 8 {
		wide = 3 // ld, sd
	}
	switch op, funct := w&0x7f, w>>12&7; {
	case op == 0x13 && funct == 0 && rd == cpu.RVRA: // mv
		return Effect{Kind: LosesLR}
	case op == 0x13 && funct == 0: // addi
		return adds(rd, rs1, imm, cpu.RVSP, cpu.RVS0)
	case op == 0x23 && funct == wide && rs1 == cpu.RVSP:
		return stores(signed(w>>20&0xfe0|w>>7&0x1f, 12), riscvReg(w>>20))
	case op == 0x03 && funct == wide && rs1 == cpu.RVSP && rd != cpu.RVSP:
		return loads(imm, riscvReg(w>>7))
	case op == 0x03:
		return losesLR(rd, cpu.RVSP, cpu.RVRA)
	}
	return unreadableIf(rd == cpu.RVSP && riscvWrites(w))
}

// riscvReg returns a stored or loaded register; x0 is the constant zero.
func riscvReg(n uint32) cpu.Reg {
	if n &= 31; n == 0 {
		return cpu.None
	}
	return cpu.Reg(n)
}

// riscvWrites reports whether an instruction has a general register as its
// destination: loads, arithmetic, lui, auipc and atomic ones.
func riscvWrites(w uint32) bool {
	switch w & 0x7f {
	case 0x03, 0x13, 0x17, 0x1b, 0x2f, 0x33, 0x37, 0x3b:
		return true
	}
	return false
}

// riscvShort reads a compressed instruction. RISC-V unprivileged
// specification, chapter 27 ("C").
func riscvShort(s *Set, w uint32, addr uint64) Insn {
	rd, rs2 := riscvRD(w), cpu.Reg(w>>2&31)
	switch op := w >> 13 & 7; w & 3 {
	case 0:
		if w == 0 { // c.unimp
			return Insn{Flow: Trap}
		}
		if op == 0 && w>>2&7 == 0 { // c.addi4spn s0, sp, n
			return next(setsFP(cpu.RVS0, int64(w>>7&0x30|w>>1&0x3c0|w>>4&4|w>>2&8)))
		}
	case 1:
		return riscvShortBranch(s, op, w, addr)
	case 2:
		if op == 4 {
			return riscvShortThrough(w, rd, rs2)
		}
		return next(riscvShortStack(s, op, w, rd))
	}
	return next(Effect{})
}

// riscvShortBranch reads quadrant 1: branches and additions.
func riscvShortBranch(s *Set, op, w uint32, addr uint64) Insn {
	rd, imm := riscvRD(w), signed(w>>7&0x20|w>>2&0x1f, 6)
	switch {
	case op == 0 && rd == cpu.RVSP: // c.addi
		return next(moves(imm))
	case op == 1 && s.Arch.Word == 4: // c.jal
		return to(Call, rel(addr, riscvShortJump(w), 12, 0))
	case op == 3 && rd == cpu.RVSP: // c.addi16sp
		return next(moves(signed(w>>3&0x200|w>>2&0x10|w<<1&0x40|w<<4&0x180|w<<3&0x20, 10)))
	case op == 5: // c.j
		return to(Jump, rel(addr, riscvShortJump(w), 12, 0))
	case op >= 6: // c.beqz, c.bnez
		v := w>>12&1<<8 | w>>10&3<<3 | w>>5&3<<6 | w>>3&3<<1 | w>>2&1<<5
		return to(CondBranch, rel(addr, v, 9, 0))
	}
	return next(unreadableIf(rd == cpu.RVSP && op < 4)) // c.addiw, c.li
}

// riscvShortJump is the distance of c.j: bits 11, 4, 9:8, 10, 6, 7, 3:1, 5.
func riscvShortJump(w uint32) uint32 {
	return w>>12&1<<11 | w>>11&1<<4 | w>>9&3<<8 | w>>8&1<<10 | w>>7&1<<6 | w>>6&1<<7 | w>>3&7<<1 | w>>2&1<<5
}

// riscvShortThrough reads c.jr, c.jalr, c.ebreak, c.mv and c.add.
func riscvShortThrough(w uint32, rd, rs2 cpu.Reg) Insn {
	links := w>>12&1 != 0
	switch {
	case rs2 == 0 && rd == 0 && links:
		return Insn{Flow: Trap}
	case rs2 == 0 && links:
		return Insn{Flow: Call}
	case rs2 == 0:
		return riscvThrough(0, rd, 0)
	case !links && rd == cpu.RVRA:
		return next(Effect{Kind: LosesLR})
	case !links: // c.mv
		return next(adds(rd, rs2, 0, cpu.RVSP, cpu.RVS0))
	}
	return next(unreadableIf(rd == cpu.RVSP))
}

// riscvShortStack decodes the loads and stores of whole registers: c.ldsp and c.sdsp on RV64,
// c.lwsp and c.swsp on RV32. The encodings of the former are c.flwsp and c.fswsp on RV32.
func riscvShortStack(s *Set, op, w uint32, rd cpu.Reg) Effect {
	wide := s.Arch.Word == 8
	switch {
	case op == 3 && wide && rd != cpu.RVSP:
		return loads(int64(w>>7&0x20|w>>2&0x18|w<<4&0x1c0), riscvReg(w>>7))
	case op == 2 && !wide && rd != cpu.RVSP:
		return loads(int64(w>>7&0x20|w>>2&0x1c|w<<4&0xc0), riscvReg(w>>7))
	case op == 7 && wide:
		return stores(int64(w>>7&0x38|w>>1&0x1c0), riscvReg(w>>2))
	case op == 6 && !wide:
		return stores(int64(w>>7&0x3c|w>>1&0xc0), riscvReg(w>>2))
	}
	return unreadableIf(rd == cpu.RVSP && (op == 0 || op == 2 || op == 3 && wide)) // c.slli, c.lwsp, c.ldsp
}
