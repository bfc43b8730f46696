package isa

import "crashglass/core/machine/cpu"

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
