package effect

import "crashglass/core/machine/cpu"

// arm reads the classes of instructions of the ARM state. ARM ARM (DDI 0406), A5.1.
func arm(w uint32, inst *cpu.Inst) Effect {
	e := Effect{Known: true}
	reg := func(at uint) cpu.Set { return cpu.SetOf(cpu.Reg(field(w, at+3, at))) }
	rd, rn := reg(12), reg(16)
	if w>>28 == 15 { // without conditions: vectors, blx, preloads
		e.Known = field(w, 27, 25) == 0b001 || field(w, 27, 25) == 0b101 || inst.Mnemonic == "pld"
		return e
	}
	load, back := field(w, 20, 20) == 1, field(w, 24, 24) == 0 || field(w, 21, 21) == 1
	switch class := field(w, 27, 25); class {
	case 0b000, 0b001:
		e.Writes = rd
		if class == 0 && w&0x90 == 0x90 { // products, exclusives, halfwords
			e.Writes = rd | rn | rd<<1 | reg(0)
		}
		if op := field(w, 24, 20); op&0b11001 == 0b10001 && (class == 1 || w&0x90 != 0x90) { // tst, teq, cmp, cmn
			e.Writes = 0
		} else if op&0b11001 == 0b10000 { // miscellaneous, of which products of halves have the result elsewhere
			e.Writes |= rn
		}
		e.Sets = armMove(w, inst)
	case 0b010, 0b011:
		if class == 0b011 && field(w, 4, 4) == 1 { // media
			e.Writes = rd | rn
			break
		}
		if load {
			e.Writes = rd
		}
		if back {
			e.Writes |= rn
		}
		if m := memory(inst); m != nil && field(w, 22, 22) == 0 && !(load && back && rd == rn) && field(w, 15, 12) != 15 {
			if list := moved(m, 4, cpu.Reg(field(w, 15, 12))); load {
				e.Sets = list
			} else {
				e.Stored = list
			}
		}
	case 0b100: // lists
		if load {
			e.Writes = cpu.Set(w & 0xffff)
		}
		if field(w, 21, 21) == 1 {
			e.Writes |= rn
		}
	case 0b110: // coprocessors: vldr, mrrc
		if e.Writes = 0; back {
			e.Writes = rn
		}
		if field(w, 24, 22) == 0b001 {
			e.Writes = rd | rn
		}
	case 0b111:
		e.Writes = rd
	}
	if w>>28 != 14 { // under a condition nothing is certain to be written
		e.Sets, e.Stored = nil, nil
	}
	return e
}

// armMove returns the value of mov, movw, and add and sub with a constant or a register that is shifted left.
func armMove(w uint32, inst *cpu.Inst) []Move {
	rd, rn, ops := cpu.Reg(field(w, 15, 12)), cpu.Reg(field(w, 19, 16)), inst.Operands
	n := uint64(0)
	constant := false
	if len(ops) > 1 && ops[len(ops)-1].Kind == cpu.Immediate {
		n, constant = uint64(uint32(ops[len(ops)-1].Imm)), true
	}
	shifted := field(w, 25, 25) == 0 && (field(w, 6, 4) != 0 || field(w, 11, 7) > 3) // not by a constant to the left
	rm, scale := cpu.Reg(field(w, 3, 0)), uint8(1)<<(field(w, 11, 7)&3)
	switch name := inst.Mnemonic; {
	case rd == cpu.ARMPC || shifted || rm == cpu.ARMPC && !constant:
	case (name == "mov" || name == "movw") && constant && field(w, 25, 25) == 1:
		return []Move{{Reg: rd, Kind: Constant, Value: n}}
	case name == "mov" && field(w, 25, 25) == 0 && scale == 1:
		return []Move{add(rd, rm, cpu.None, 0, 0)}
	case rn == cpu.ARMPC:
	case name == "add" && field(w, 25, 25) == 1 && constant:
		return []Move{add(rd, rn, cpu.None, 0, int64(n))}
	case name == "sub" && field(w, 25, 25) == 1 && constant:
		return []Move{add(rd, rn, cpu.None, 0, -int64(n))}
	case name == "add" && field(w, 25, 25) == 0:
		return []Move{add(rd, rn, rm, scale, 0)}
	}
	return nil
}
