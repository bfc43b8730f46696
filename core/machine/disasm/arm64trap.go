package disasm

import (
	"fmt"

	"crashglass/core/machine/cpu"
)

// arm64Trap decodes instructions that compilers emit and the decoder does not know: pointer
// authentication (ARMv8.3), the permanently undefined instruction, and calls of a hypervisor.
func arm64Trap(x uint32, addr uint64) (cpu.Inst, bool) {
	inst := cpu.Inst{Addr: addr, Len: 4}
	switch {
	case x>>16 == 0:
		inst.Mnemonic, inst.Text, inst.Flow = "udf", fmt.Sprintf("udf #%d", x), cpu.Trap
	case x&0xffe0_001e == 0xd400_0002:
		arm64Call(&inst, x)
	case arm64Hints[x] != "":
		inst.Mnemonic, inst.Text = arm64Hints[x], arm64Hints[x]
	case x == 0xd65f0bff || x == 0xd65f0fff:
		inst.Mnemonic, inst.Flow = [...]string{"retaa", "retab"}[x>>10&1], cpu.Ret
		inst.Text = inst.Mnemonic
	case x&0xfedff800 == 0xd61f0800:
		arm64AuthBranch(&inst, x)
	case x&0xffff_c000 == 0xdac1_0000 || x&0xffff_fbe0 == 0xdac1_43e0:
		return arm64Auth(inst, x)
	case x&0xff20_0400 == 0xf820_0400:
		arm64AuthLoad(&inst, x)
	case x&0xffff_ffe0 == 0xd50b_7420:
		arm64Zero(&inst, x)
	default:
		return inst, arm64Atomic(&inst, x)
	}
	return inst, true
}

// arm64Call: hvc and smc, calls of a hypervisor and of the secure monitor. They fail in user mode.
func arm64Call(inst *cpu.Inst, x uint32) {
	inst.Mnemonic = [...]string{"hvc", "smc"}[field(x, 0, 0)]
	number := field(x, 20, 5)
	inst.Text = fmt.Sprintf("%s #%#x", inst.Mnemonic, number)
	inst.Flow, inst.Privileged = cpu.Trap, true
	inst.Operands = []cpu.Operand{{Kind: cpu.Immediate, Reg: cpu.None, Imm: int64(number)}}
}

// arm64Hints are hints that have a name, by their encoding. ARM ARM, C4.1.89.
var arm64Hints = map[uint32]string{
	0xd503233f: "paciasp", 0xd503237f: "pacibsp", 0xd50323bf: "autiasp", 0xd50323ff: "autibsp",
	0xd503231f: "paciaz", 0xd503235f: "pacibz", 0xd503239f: "autiaz", 0xd50323df: "autibz",
	0xd503211f: "pacia1716", 0xd503215f: "pacib1716", 0xd503219f: "autia1716", 0xd50321df: "autib1716",
	0xd50320ff: "xpaclri",
	0xd503241f: "bti", 0xd503245f: "bti c", 0xd503249f: "bti j", 0xd50324df: "bti jc",
}

// arm64Name returns the name of a general register; name31 is the name of 31.
func arm64Name(n uint32, name31 string) string {
	if n == 31 {
		return name31
	}
	return fmt.Sprintf("x%d", n)
}

// arm64RegOperand returns register n as an operand. Number 31 is the zero register, which no context
// has, or the stack pointer, whose number in a context is 31, too.
func arm64RegOperand(n uint32, name31 string) cpu.Operand {
	op := cpu.Operand{Kind: cpu.Register, Reg: cpu.Reg(n), Name: arm64Name(n, name31)}
	if n == 31 && name31 != "sp" {
		op.Reg = cpu.None
	}
	return op
}

// arm64AuthBranch: braa, blraa and similar branches.
func arm64AuthBranch(inst *cpu.Inst, x uint32) {
	name, key := "br", [...]string{"aa", "ab"}[field(x, 10, 10)]
	inst.Flow = cpu.Jump
	if field(x, 21, 21) == 1 {
		name, inst.Flow = "blr", cpu.Call
	}
	inst.Mnemonic = name + key
	inst.Operands = []cpu.Operand{arm64RegOperand(field(x, 9, 5), "xzr")}
	if field(x, 24, 24) == 0 {
		inst.Mnemonic += "z"
		inst.Text = inst.Mnemonic + " " + inst.Operands[0].Name
		return
	}
	inst.Operands = append(inst.Operands, arm64RegOperand(field(x, 4, 0), "sp"))
	inst.Text = fmt.Sprintf("%s %s, %s", inst.Mnemonic, inst.Operands[0].Name, inst.Operands[1].Name)
}

// arm64AuthNames are the one-source instructions 0 to 15 of group 1.
var arm64AuthNames = [...]string{
	"pacia", "pacib", "pacda", "pacdb", "autia", "autib", "autda", "autdb",
	"paciza", "pacizb", "pacdza", "pacdzb", "autiza", "autizb", "autdza", "autdzb",
}

// arm64Auth decodes the instructions that sign, check or strip a pointer in a register: pacia, autib,
// xpaci. ARM ARM, C4.1, "Data-processing (1 source)".
func arm64Auth(inst cpu.Inst, x uint32) (cpu.Inst, bool) {
	n, d := field(x, 9, 5), field(x, 4, 0)
	inst.Operands = []cpu.Operand{arm64RegOperand(d, "xzr")}
	if x&0xffff_fbe0 == 0xdac1_43e0 {
		inst.Mnemonic = [...]string{"xpaci", "xpacd"}[field(x, 10, 10)]
		inst.Text = inst.Mnemonic + " " + inst.Operands[0].Name
		return inst, true
	}
	code := field(x, 15, 10)
	if int(code) >= len(arm64AuthNames) || code >= 8 && n != 31 {
		return inst, false
	}
	inst.Mnemonic = arm64AuthNames[code]
	inst.Text = inst.Mnemonic + " " + inst.Operands[0].Name
	if code < 8 {
		inst.Operands = append(inst.Operands, arm64RegOperand(n, "sp"))
		inst.Text += ", " + inst.Operands[1].Name
	}
	return inst, true
}

// arm64AuthLoad: ldraa and ldrab.
func arm64AuthLoad(inst *cpu.Inst, x uint32) {
	mem, _ := arm64Memory(x, inst.Addr)
	inst.Mnemonic = [...]string{"ldraa", "ldrab"}[field(x, 23, 23)]
	inst.Operands = []cpu.Operand{arm64RegOperand(field(x, 4, 0), "xzr"), {Kind: cpu.Memory, Reg: cpu.None, Mem: mem}}
	inst.Text = fmt.Sprintf("%s %s, [%s", inst.Mnemonic, inst.Operands[0].Name, arm64Name(field(x, 9, 5), "sp"))
	if mem.Disp != 0 {
		inst.Text += fmt.Sprintf(", #%d", mem.Disp)
	}
	inst.Text += "]"
	if field(x, 11, 11) == 1 {
		inst.Text += "!"
	}
}

// arm64Zero: dc zva clears a block, which has 64 bytes on every CPU on the market.
func arm64Zero(inst *cpu.Inst, x uint32) {
	t := arm64RegOperand(field(x, 4, 0), "xzr")
	inst.Mnemonic, inst.Text = "dc", "dc zva, "+t.Name
	inst.Operands = []cpu.Operand{t}
	inst.Implicit = []cpu.MemOp{{Base: t.Reg, Index: cpu.None, Size: 64, Access: cpu.Write}}
}
