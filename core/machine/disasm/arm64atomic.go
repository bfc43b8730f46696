package disasm

import (
	"fmt"
	"strings"

	"crashglass/core/machine/cpu"
)

// arm64Atomic decodes the atomic instructions of ARMv8.1, which compilers for
// every newer CPU use, the ordered loads of ARMv8.3 and ARMv8.4, and those that set memory
// tags. The decoder has none of them. Tables: ARM ARM (DDI 0487), C4.1.94.
func arm64Atomic(inst *cpu.Inst, x uint32) bool {
	regs := []uint32{}
	switch {
	case x&0x3fa0_7c00 == 0x08a0_7c00: // compare and swap
		inst.Mnemonic = "cas" + ordering(x, 22, 15) + narrow(x)
		regs = append(regs, field(x, 20, 16), field(x, 4, 0))
	case x&0xbfa0_7c00 == 0x0820_7c00: // of a pair; its second registers follow the first
		inst.Mnemonic = "casp" + ordering(x, 22, 15)
		rs, rt := field(x, 20, 16), field(x, 4, 0)
		regs = append(regs, rs, rs+1, rt, rt+1)
	case x&0x3f20_0c00 == 0x3820_0000: // load, operation, store
		name := arm64AtomicName(x)
		if name == "" {
			return false
		}
		inst.Mnemonic = name
		if !strings.HasPrefix(name, "ldapr") {
			regs = append(regs, field(x, 20, 16))
		}
		if !strings.HasPrefix(name, "st") {
			regs = append(regs, field(x, 4, 0))
		}
	case x&0x3f20_0c00 == 0x1900_0000:
		return arm64OrderedOffset(inst, x)
	case x&0xff20_0000 == 0xd920_0000:
		return arm64Tag(inst, x)
	case x&0xfe40_0000 == 0x6800_0000:
		return arm64TagPair(inst, x)
	default:
		return false
	}
	wide := field(x, 31, 30) == 3 || x&0xbfa0_7c00 == 0x0820_7c00 && field(x, 30, 30) == 1
	arm64Operands(inst, x, regs, wide)
	return true
}

// arm64OrderedOffset: ldapur and stlur (ARMv8.4), the ordered loads and stores with an offset that
// compilers for Apple's CPUs emit for atomics in a structure.
func arm64OrderedOffset(inst *cpu.Inst, x uint32) bool {
	size, opc := field(x, 31, 30), field(x, 23, 22)
	if size+opc > 4 { // no sign to extend
		return false
	}
	t := arm64RegOperand(field(x, 4, 0), "xzr")
	if size < 3 && opc != 2 {
		t.Name = "w" + t.Name[1:]
	}
	inst.Mnemonic = [...]string{"stlur", "ldapur", "ldapurs", "ldapurs"}[opc] + narrow(x)
	if size == 2 && opc == 2 {
		inst.Mnemonic = "ldapursw"
	}
	mem, _ := arm64Memory(x, inst.Addr)
	inst.Operands = []cpu.Operand{t, {Kind: cpu.Memory, Reg: cpu.None, Mem: mem}}
	inst.Text = arm64Indexed(inst.Mnemonic+" "+t.Name, x, mem.Disp, 2)
	return true
}

// ordering is the "a" of acquire and the "l" of release, by their bits.
func ordering(x uint32, acquire, release uint) string {
	text := ""
	if field(x, acquire, acquire) == 1 {
		text = "a"
	}
	if field(x, release, release) == 1 {
		text += "l"
	}
	return text
}

// narrow is the suffix of accesses to bytes and halfwords.
func narrow(x uint32) string {
	return [...]string{"b", "h", "", ""}[field(x, 31, 30)]
}

// arm64AtomicName is ldadd, swp or a similar name. stadd and similar names are the loads whose
// result is discarded.
func arm64AtomicName(x uint32) string {
	opc := field(x, 14, 12)
	if field(x, 15, 15) == 1 {
		switch {
		case opc == 0:
			return "swp" + ordering(x, 23, 22) + narrow(x)
		case opc == 4 && field(x, 20, 16) == 31:
			return "ldapr" + narrow(x)
		}
		return ""
	}
	op := [...]string{"add", "clr", "eor", "set", "smax", "smin", "umax", "umin"}[opc]
	if field(x, 4, 0) == 31 && field(x, 23, 23) == 0 {
		return "st" + op + ordering(x, 23, 22) + narrow(x)
	}
	return "ld" + op + ordering(x, 23, 22) + narrow(x)
}

// arm64Operands writes registers and the address without an offset.
func arm64Operands(inst *cpu.Inst, x uint32, regs []uint32, wide bool) {
	var text []string
	for _, n := range regs {
		op := arm64RegOperand(n&31, "xzr")
		if !wide {
			op.Name = "w" + op.Name[1:]
		}
		inst.Operands = append(inst.Operands, op)
		text = append(text, op.Name)
	}
	mem, _ := arm64Memory(x, inst.Addr)
	inst.Operands = append(inst.Operands, cpu.Operand{Kind: cpu.Memory, Reg: cpu.None, Mem: mem})
	text = append(text, "["+arm64Name(field(x, 9, 5), "sp")+"]")
	inst.Text = inst.Mnemonic + " " + strings.Join(text, ", ")
}

// arm64Tag: the instructions of the memory tagging extension that touch memory.
func arm64Tag(inst *cpu.Inst, x uint32) bool {
	mode := field(x, 11, 10) // 1 post-index, 2 offset, 3 pre-index
	switch {
	case mode != 0:
		inst.Mnemonic = [...]string{"stg", "stzg", "st2g", "stz2g"}[field(x, 23, 22)]
	case field(x, 23, 22) == 1:
		inst.Mnemonic = "ldg"
	default:
		return false
	}
	mem, _ := arm64Memory(x, inst.Addr)
	if strings.Contains(inst.Mnemonic, "2") {
		mem.Size = 32
	}
	t := arm64RegOperand(field(x, 4, 0), "sp")
	inst.Operands = []cpu.Operand{t, {Kind: cpu.Memory, Reg: cpu.None, Mem: mem}}
	inst.Text = arm64Indexed(inst.Mnemonic+" "+t.Name, x, 16*signed(field(x, 20, 12), 9), mode)
	return true
}

// arm64TagPair: a pair of registers, and the tag of the memory that they are stored to.
func arm64TagPair(inst *cpu.Inst, x uint32) bool {
	mode := field(x, 24, 23) // as those of arm64Tag; 0 is another instruction
	if mode == 0 {
		return false
	}
	mem, _ := arm64Memory(x, inst.Addr)
	t, t2 := arm64RegOperand(field(x, 4, 0), "xzr"), arm64RegOperand(field(x, 14, 10), "xzr")
	inst.Mnemonic = "stgp"
	inst.Operands = []cpu.Operand{t, t2, {Kind: cpu.Memory, Reg: cpu.None, Mem: mem}}
	inst.Text = arm64Indexed("stgp "+t.Name+", "+t2.Name, x, 16*signed(field(x, 21, 15), 7), mode)
	return true
}

// arm64Indexed writes the address of an instruction by its mode: 1 post-index, 3
// pre-index, otherwise an offset.
func arm64Indexed(text string, x uint32, disp int64, mode uint32) string {
	base := arm64Name(field(x, 9, 5), "sp")
	switch {
	case mode == 1:
		return fmt.Sprintf("%s, [%s], #%d", text, base, disp)
	case mode == 3:
		return fmt.Sprintf("%s, [%s, #%d]!", text, base, disp)
	case disp != 0:
		return fmt.Sprintf("%s, [%s, #%d]", text, base, disp)
	}
	return fmt.Sprintf("%s, [%s]", text, base)
}
