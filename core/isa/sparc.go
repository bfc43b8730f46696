package isa

import "crashglass/core/cpu"

// Registers of SPARC that calls leave their address in: o7 of the caller, which
// is i7 of a function that has its own window.
const (
	sparcO7 cpu.Reg = 15
	sparcI7 cpu.Reg = 31
)

// sparc reads an instruction. SPARC architecture manual, version 9, appendices
// A and E. A jump that is always taken and annuls has no delay slot.
func sparc(_ *Set, w uint32, addr uint64) Insn {
	switch w >> 30 {
	case 0:
		return sparcBranch(w, addr)
	case 1: // call
		i := to(Call, rel(addr, w, 30, 2))
		i.Delay = true
		return i
	case 2:
		return sparcArithmetic(w)
	}
	load := w>>21&1 == 0 && w>>19&0x30 != 0x20 // not a store, nor of floating point
	return next(unreadableIf(load && sparcRD(w) == cpu.SPARCSP))
}

func sparcRD(w uint32) cpu.Reg { return cpu.Reg(w >> 25 & 31) }

// sparcBranches are the distances of branches by bits 22 to 24: how many bits
// they have.
var sparcBranches = [8]int{1: 19, 2: 22, 5: 19, 6: 22, 7: 22}

func sparcBranch(w uint32, addr uint64) Insn {
	op, cond, annuls := w>>22&7, w>>25&0xf, w>>29&1 != 0
	if op == 0 { // illtrap
		return Insn{Flow: Trap}
	}
	if op == 3 { // bpr: of 16 bits in two parts
		i := to(CondBranch, rel(addr, w>>6&0xc000|w&0x3fff, 16, 2))
		i.Delay = true
		return i
	}
	bits := sparcBranches[op]
	if bits == 0 || cond == 0 { // sethi; never
		return next(unreadableIf(op == 4 && sparcRD(w) == cpu.SPARCSP))
	}
	i := to(CondBranch, rel(addr, w, bits, 2))
	if i.Delay = true; cond == 8 {
		i.Flow, i.Delay = Jump, !annuls
	}
	return i
}

// sparcArithmetic reads jumps through registers, and what is done to sp. save
// and restore give a function another sp, in another window.
func sparcArithmetic(w uint32) Insn {
	rd, rs1 := sparcRD(w), cpu.Reg(w>>14&31)
	imm := signed(w, 13)
	constant := w>>13&1 != 0
	switch op := w >> 19 & 0x3f; {
	case op == 0x38: // jmpl
		i := Insn{Flow: JumpReg, Delay: true}
		switch {
		case rd != 0:
			i.Flow = Call
		case constant && (imm == 8 || imm == 12) && (rs1 == sparcO7 || rs1 == sparcI7): // retl, ret
			i.Flow = Return
		}
		return i
	case op == 0x39: // return
		return Insn{Flow: Return, Delay: true, Stack: unreadable}
	case w == 0x91d0_2001: // ta 1, a breakpoint
		return Insn{Flow: Trap}
	case op == 0x3c, op == 0x3d: // save, restore
		return next(unreadable)
	case op == 0 && constant && rd == cpu.SPARCSP && rs1 == cpu.SPARCSP: // add sp, n, sp
		return next(moves(imm))
	case op == 4 && constant && rd == cpu.SPARCSP && rs1 == cpu.SPARCSP: // sub
		return next(moves(-imm))
	case op < 0x34:
		return next(unreadableIf(rd == cpu.SPARCSP))
	}
	return next(Effect{})
}
