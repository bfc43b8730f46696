package effect

import "crashglass/core/machine/cpu"

// arm64 reads the classes of instructions. ARM ARM (DDI 0487), C4.1, "A64 instruction set encoding".
func arm64(w uint32, inst *cpu.Inst) Effect {
	e := Effect{Known: true}
	switch op := field(w, 28, 25); {
	case op>>1 == 0b100: // data processing with an immediate
		return arm64Immediate(w, inst)
	case op>>1 == 0b101: // branches, exceptions, system
		switch {
		case field(w, 31, 24) == 0xd5 && field(w, 21, 21) == 1: // sysl, mrs
			e.Writes = arm64Reg(w, 0)
		case field(w, 31, 12) == 0xd5032: // hints, of which some sign registers: pacia1716, xpaclri
			e.Writes = cpu.SetOf(17, cpu.A64LR)
		}
		return e
	case op&0b101 == 0b100:
		return arm64Memory(w, inst)
	case op&0b111 == 0b101: // data processing with registers
		e.Writes = arm64Reg(w, 0)
		if field(w, 28, 24) == 0b01011 && field(w, 21, 21) == 1 { // add, sub with an extended register
			e.Writes = cpu.SetOf(cpu.Reg(field(w, 4, 0)))
		}
		if m, ok := arm64Registers(w); ok {
			e.Sets = []Move{m}
		}
		return e
	case op&0b111 == 0b111: // floating point and vectors, some of which write a general register
		e.Writes = arm64Reg(w, 0)
		return e
	}
	return Effect{}
}

// arm64Reg is the set of the register in a field of five bits, in which 31 is none.
func arm64Reg(w uint32, at uint) cpu.Set {
	if r := field(w, at+4, at); r != 31 {
		return cpu.SetOf(cpu.Reg(r))
	}
	return 0
}

// arm64Immediate: adr, add, logic, mov, bit fields. Register 31 is the stack pointer for some.
func arm64Immediate(w uint32, inst *cpu.Inst) Effect {
	rd, rn, class := cpu.Reg(field(w, 4, 0)), cpu.Reg(field(w, 9, 5)), field(w, 25, 23)
	e := Effect{Known: true, Writes: cpu.SetOf(rd)}
	var m Move
	switch {
	case class>>1 == 0b00: // adr, adrp: the decoder has the address
		for i := range inst.Operands {
			if op := &inst.Operands[i]; op.Kind == cpu.Branch {
				m = Move{Reg: rd, Kind: Constant, Value: uint64(op.Imm)}
			}
		}
	case class == 0b010 && field(w, 31, 31) == 1: // add, sub
		n := int64(field(w, 21, 10)) << (12 * field(w, 22, 22))
		if field(w, 30, 30) == 1 {
			n = -n
		}
		m = add(rd, rn, cpu.None, 0, n)
	case class == 0b101 && field(w, 30, 29) == 0b10: // movz
		m = Move{Reg: rd, Kind: Constant, Value: uint64(field(w, 20, 5)) << (16 * field(w, 22, 21))}
	}
	if m.Kind != 0 && rd != 31 {
		e.Sets = []Move{m}
	}
	return e
}

// arm64Registers: mov, and add with a shifted register, of 64 bits.
func arm64Registers(w uint32) (m Move, ok bool) {
	rd, rn, rm, shift := cpu.Reg(field(w, 4, 0)), cpu.Reg(field(w, 9, 5)), cpu.Reg(field(w, 20, 16)), field(w, 15, 10)
	switch {
	case rd == 31:
	case field(w, 31, 21) == 0b10101010_000 && rn == 31 && shift == 0: // orr rd, xzr, rm
		if rm == 31 {
			return Move{Reg: rd, Kind: Constant}, true
		}
		return add(rd, rm, cpu.None, 0, 0), true
	case field(w, 31, 21) == 0b00101010_000 && rn == 31 && shift == 0 && rm == 31: // mov wd, wzr
		return Move{Reg: rd, Kind: Constant}, true
	case field(w, 31, 21) == 0b10001011_000 && rn != 31 && rm != 31 && shift < 4: // add rd, rn, rm, lsl #shift
		return add(rd, rn, rm, 1<<shift, 0), true
	}
	return m, false
}

// arm64Memory: loads and stores. C4.1.94.
func arm64Memory(w uint32, inst *cpu.Inst) Effect {
	e := Effect{Known: true}
	rt, rn, rt2, rs := arm64Reg(w, 0), cpu.SetOf(cpu.Reg(field(w, 9, 5))), arm64Reg(w, 10), arm64Reg(w, 16)
	vector, load := field(w, 26, 26) == 1, field(w, 22, 22) == 1
	m, whole := memory(inst), false
	var regs []cpu.Reg
	switch class := field(w, 29, 24); {
	case class == 0b001000: // exclusive, compare and swap
		if e.Writes = rs; load {
			e.Writes |= rt | rt2
		}
		if field(w, 23, 23) == 0 && field(w, 21, 21) == 1 { // casp
			e.Writes |= rs << 1
		}
	case class&^1 == 0b001100, class&^1 == 0b001101: // structures of vectors
		e.Writes = rn
	case class == 0b011000, class == 0b011100: // literals
		whole, load, regs = field(w, 31, 30) == 1 && !vector, true, one(rt)
	case class>>3 == 0b101: // pairs
		if field(w, 23, 23) == 1 { // with write back
			e.Writes = rn
		}
		whole, regs = field(w, 31, 30) == 2 && !vector, []cpu.Reg{cpu.Reg(field(w, 4, 0)), cpu.Reg(field(w, 14, 10))}
		if load && !vector {
			e.Writes |= rt | rt2
		}
	case class>>3 == 0b111: // single registers
		opc, size := field(w, 23, 22), field(w, 31, 30)
		load = opc != 0
		whole, regs = size == 3 && opc < 2 && !vector, one(rt)
		if field(w, 24, 24) == 0 {
			switch mode := field(w, 11, 10); {
			case field(w, 21, 21) == 0 && mode&1 == 1, field(w, 21, 21) == 1 && mode&1 == 1: // with write back, ldraa
				e.Writes |= rn
				load = load || field(w, 21, 21) == 1
				whole = whole && field(w, 21, 21) == 0
			case field(w, 21, 21) == 1 && mode == 0: // atomic
				whole, load = false, true
				if field(w, 15, 15) == 1 && field(w, 14, 12) != 0 && field(w, 14, 12) != 0b100 { // st64b and others
					return Effect{}
				}
			}
		}
	case class == 0b011001 && field(w, 21, 21) == 0 && field(w, 11, 10) == 0: // ldapur, stlur
		load = field(w, 23, 22) != 0
		e.Writes |= rt
	case class == 0b011001 && field(w, 21, 21) == 1: // tags
		e.Writes = rt | rn
	default: // memory copies, and what is not defined
		return Effect{}
	}
	if load && !vector {
		e.Writes |= rt
	}
	if whole && m != nil && load {
		e.Sets = moved(m, 8, zero(regs)...)
	} else if whole && m != nil && !load {
		e.Stored = moved(m, 8, zero(regs)...)
	}
	return e
}

// one is the list of the register of a set, which may be empty.
func one(s cpu.Set) []cpu.Reg {
	for r := cpu.Reg(0); r < 31; r++ {
		if s.Has(r) {
			return []cpu.Reg{r}
		}
	}
	return nil
}

// zero replaces the zero register, number 31, by none.
func zero(regs []cpu.Reg) []cpu.Reg {
	for i, r := range regs {
		if r == 31 {
			regs[i] = cpu.None
		}
	}
	return regs
}
