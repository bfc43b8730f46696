package effect

import (
	"strings"

	"crashglass/core/machine/cpu"
)

// x86Reads are the instructions that only read the register in front. Intel SDM, volume 2.
var x86Reads = each(map[string]string{"cmp test bt nop jmp call push bound ud0 ud1 ucomiss ucomisd": ""})

// x86Implicit are the registers that instructions change without an operand for them, by their numbers in
// instructions: a is 0, and S the stack pointer. "*" is any register.
var x86Implicit = each(map[string]string{
	"mul imul div idiv cmpxchg8b cmpxchg16b rdtsc rdpmc rdmsr xgetbv": "ad",
	"cbw cwde cdqe cmpxchg aaa aad aam aas daa das lahf xlat salc":    "a",
	"cwd cdq cqo": "d", "cpuid": "acdb", "rdtscp": "acd", "leave enter": "SB", "lods": "asc",
	"movs cmps": "sDc", "outs": "sc", "stos scas ins": "Dc", "loop loopz loopnz pcmpestri pcmpistri vpcmpestri vpcmpistri": "c",
	"push pop pushf popf pusha pushad ret retf": "S",
	"popa popad popal iret iretd iretq xbegin xabort rsm getsec vmcall vmlaunch vmresume vmread invept encls enclu mulx": "*",
})

const x86Letters = "acdbSBsD" // in the order of numbers

// each gives every word of a key the key's value.
func each(rows map[string]string) map[string]string {
	out := map[string]string{}
	for words, value := range rows {
		for w := range strings.FieldsSeq(words) {
			out[w] = value
		}
	}
	return out
}

// x86 is for both widths. Instructions write their first operand, if they are in no table.
func x86(arch *cpu.Arch, inst *cpu.Inst) Effect {
	e := Effect{Known: true}
	for _, c := range x86Implicit[inst.Mnemonic] {
		switch n := strings.IndexRune(x86Letters, c); {
		case n < 0:
			e.Known = false
		case arch == &cpu.AMD64:
			e.Writes |= cpu.SetOf(cpu.AMD64Numbers[n])
		default:
			e.Writes |= cpu.SetOf(cpu.X86Numbers[n])
		}
	}
	_, reads := x86Reads[inst.Mnemonic]
	swaps := inst.Mnemonic == "xchg" || inst.Mnemonic == "xadd"
	for i, op := range inst.Operands {
		if op.Kind == cpu.Register && op.Reg != cpu.None && (i == 0 && !reads || swaps) {
			e.Writes |= cpu.SetOf(op.Reg)
		}
	}
	if m, ok := x86Move(arch, inst); ok {
		e.Sets = []Move{m}
	}
	switch ops := inst.Operands; {
	case inst.Mnemonic == "mov" && len(ops) < 2:
	case inst.Mnemonic == "mov" && ops[0].Kind == cpu.Memory && x86Whole(arch, &ops[1]):
		e.Stored = moved(&ops[0].Mem, arch.Word, ops[1].Reg)
	case inst.Mnemonic == "mov" && ops[0].Kind == cpu.Memory && ops[0].Mem.Size == arch.Word && ops[1].Kind == cpu.Immediate:
		e.Stored = []Move{{Reg: cpu.None, Kind: Constant, Mem: ops[0].Mem, Value: uint64(ops[1].Imm) & arch.Mask()}}
	case inst.Mnemonic == "push" && len(ops) == 1 && len(inst.Implicit) == 1 && x86Whole(arch, &ops[0]):
		e.Stored = moved(&inst.Implicit[0], arch.Word, ops[0].Reg)
	}
	return e
}

// x86Whole reports whether an operand is a whole general register.
func x86Whole(arch *cpu.Arch, op *cpu.Operand) bool {
	return op.Kind == cpu.Register && op.Reg != cpu.None && op.Name == arch.RegName(op.Reg)
}

// x86Move returns the value that the first operand, a register, gets.
func x86Move(arch *cpu.Arch, inst *cpu.Inst) (m Move, ok bool) {
	ops := inst.Operands
	if len(ops) == 0 || ops[0].Kind != cpu.Register || ops[0].Reg == cpu.None {
		return m, false
	}
	to, whole := ops[0].Reg, x86Whole(arch, &ops[0])
	if len(ops) == 1 {
		n := map[string]int64{"inc": 1, "dec": -1}[inst.Mnemonic]
		return add(to, to, cpu.None, 0, n), whole && n != 0
	}
	if len(ops) > 2 {
		return m, false
	}
	from := &ops[1]
	switch name := inst.Mnemonic; {
	case (name == "xor" || name == "sub") && from.Kind == cpu.Register && from.Reg == to && from.Name == ops[0].Name && x86Wide(&ops[0]):
		return Move{Reg: to, Kind: Constant}, true
	case name == "mov" && from.Kind == cpu.Immediate && !whole && x86Wide(&ops[0]):
		return Move{Reg: to, Kind: Constant, Value: uint64(uint32(from.Imm))}, true
	case !whole:
	case name == "mov" && from.Kind == cpu.Immediate:
		return Move{Reg: to, Kind: Constant, Value: uint64(from.Imm) & arch.Mask()}, true
	case name == "mov" && from.Kind == cpu.Memory && from.Mem.Size == arch.Word:
		return Move{Reg: to, Kind: Load, Mem: from.Mem}, true
	case name == "mov" && x86Whole(arch, from):
		return add(to, from.Reg, cpu.None, 0, 0), true
	case name == "lea" && from.Kind == cpu.Memory:
		m = Move{Reg: to, Kind: Sum, Mem: from.Mem}
		m.Mem.Segment = ""
		return m, true
	case name == "add" && x86Whole(arch, from):
		return add(to, to, from.Reg, 1, 0), true
	case name == "add" && from.Kind == cpu.Immediate:
		return add(to, to, cpu.None, 0, from.Imm), true
	case name == "sub" && from.Kind == cpu.Immediate:
		return add(to, to, cpu.None, 0, -from.Imm), true
	}
	return m, false
}

// x86Wide reports whether writing a register leaves nothing of its old value: one of 32 bits clears the
// upper half. Intel SDM, volume 1, 3.4.1.1.
func x86Wide(op *cpu.Operand) bool {
	return strings.HasPrefix(op.Name, "e") || strings.HasPrefix(op.Name, "r") && !strings.ContainsAny(op.Name[len(op.Name)-1:], "wbl")
}
