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
	case op == 0x13 && funct == 0: // addi
		return adds(rd, rs1, imm, cpu.RVSP, cpu.RVS0)
	case op == 0x23 && funct == wide && rs1 == cpu.RVSP:
		return stores(signed(w>>20&0xfe0|w>>7&0x1f, 12), riscvReg(w>>20))
	case op == 0x03 && funct == wide && rs1 == cpu.RVSP && rd != cpu.RVSP:
		return loads(imm, riscvReg(w>>7))
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
