package disasm

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"crashglass/core/machine/cpu"

	"golang.org/x/arch/arm64/arm64asm"
)

// decodeARM64 decodes one word. The decoder gives the text and the operands. Accesses to memory are
// read from the encoding, because the decoder does not export offsets.
func decodeARM64(code []byte, addr uint64) (cpu.Inst, bool) {
	if len(code) < 4 {
		return cpu.Inst{}, false
	}
	word := binary.LittleEndian.Uint32(code)
	if inst, ok := arm64Trap(word, addr); ok {
		return inst, true
	}
	in, err := alone(func() (arm64asm.Inst, error) { return arm64asm.Decode(code[:4]) })
	if err != nil || in.Op == 0 {
		return cpu.Inst{}, false
	}
	from := addr
	if in.Op == arm64asm.ADRP {
		from &^= 0xfff // counts in pages
	}
	inst := cpu.Inst{Addr: addr, Len: 4, Text: absolute(strings.TrimSpace(spaced(arm64asm.GNUSyntax(in))), from, cpu.ARM64.Mask())}
	inst.Mnemonic, _, _ = strings.Cut(inst.Text, " ")
	inst.Flow = arm64Flow(inst.Mnemonic)
	mem, access := arm64Memory(word, addr)
	for _, arg := range in.Args {
		if arg == nil {
			break
		}
		if op, ok := arm64Operand(arg, from, access, mem); ok {
			inst.Operands = append(inst.Operands, op)
		}
	}
	if access && !hasMemory(inst.Operands) {
		// A literal, which the decoder presents as an ordinary address.
		inst.Operands = append(inst.Operands, cpu.Operand{Kind: cpu.Memory, Reg: cpu.None, Mem: mem})
	}
	if t, ok := branchTarget(inst.Operands); ok && inst.Flow != cpu.Next {
		inst.Target, inst.HasTarget = t, true
	}
	inst.Privileged = arm64Privileged(word, inst.Mnemonic)
	return inst, true // never a Division: sdiv and udiv by zero give 0
}

// arm64Privileged reports whether an instruction fails in user mode. Registers that EL0 may use have
// op1 3, as fpcr and tpidr_el0 do; ARM ARM (DDI 0487), "System instruction class encoding overview".
// Linux answers for the identification registers (op1 and CRn 0), which programs read to find out
// what the CPU can do.
func arm64Privileged(x uint32, name string) bool {
	op1 := field(x, 18, 16)
	switch name {
	case "eret":
		return true
	case "msr":
		return op1 != 3 || field(x, 20, 19) == 0 // or a constant, as that of daifset
	case "mrs":
		return op1 != 3 && (op1 != 0 || field(x, 15, 12) != 0)
	}
	return false
}

// arm64Operand translates an argument; those that are part of a memory operand
// or of the mnemonic are left out.
func arm64Operand(arg arm64asm.Arg, addr uint64, access bool, mem cpu.MemOp) (cpu.Operand, bool) {
	op := cpu.Operand{Reg: cpu.None}
	switch a := arg.(type) {
	case arm64asm.Reg:
		op.Kind, op.Name, op.Reg = cpu.Register, strings.ToLower(a.String()), arm64Reg(a)
	case arm64asm.RegSP:
		op.Kind, op.Name, op.Reg = cpu.Register, strings.ToLower(a.String()), arm64Reg(arm64asm.Reg(a))
		if a == arm64asm.RegSP(arm64asm.SP) || a == arm64asm.RegSP(arm64asm.WSP) {
			op.Reg = cpu.A64SP
		}
	case arm64asm.PCRel:
		if access {
			return op, false
		}
		op.Kind, op.Imm = cpu.Branch, int64(addr+uint64(int64(a)))
	case arm64asm.MemImmediate, arm64asm.MemExtend:
		if !access {
			return op, false
		}
		op.Kind, op.Mem = cpu.Memory, mem
	case arm64asm.Imm:
		op.Kind, op.Imm = cpu.Immediate, int64(a.Imm)
	case arm64asm.Imm64:
		op.Kind, op.Imm = cpu.Immediate, int64(a.Imm)
	case arm64asm.RegExtshiftAmount:
		return arm64Unshifted(a.String())
	case arm64asm.ImmShift:
		return arm64Constant(a.String())
	default:
		return op, false
	}
	return op, true
}

// arm64Unshifted returns the operand "X2". A register that is shifted or extended ("X2, LSL #3") is
// none, because its value is not the register's. The decoder does not export these fields.
func arm64Unshifted(text string) (cpu.Operand, bool) {
	name := strings.ToLower(text)
	op := cpu.Operand{Kind: cpu.Register, Name: name, Reg: cpu.None}
	if n, err := strconv.ParseUint(name[1:], 10, 8); err == nil { // not of xzr
		op.Reg = cpu.Reg(n)
	}
	return op, !strings.Contains(name, ",")
}

// arm64Constant returns the operand "#0x10" or "#0x1, LSL #12". The ones that MSL shifts into a
// vector's constant make it none.
func arm64Constant(text string) (cpu.Operand, bool) {
	digits, by, shifted := strings.Cut(strings.TrimPrefix(text, "#0x"), ", LSL #")
	n, err := strconv.ParseUint(digits, 16, 16)
	if err != nil {
		return cpu.Operand{}, false
	}
	op := cpu.Operand{Kind: cpu.Immediate, Reg: cpu.None, Imm: int64(n)}
	if shifted {
		shift, err := strconv.ParseUint(by, 10, 8)
		op.Imm <<= shift
		return op, err == nil
	}
	return op, true
}

// arm64Reg is the register of a context; the zero register is in none.
func arm64Reg(r arm64asm.Reg) cpu.Reg {
	switch {
	case r >= arm64asm.W0 && r <= arm64asm.W30:
		return cpu.Reg(r - arm64asm.W0)
	case r >= arm64asm.X0 && r <= arm64asm.X30:
		return cpu.Reg(r - arm64asm.X0)
	}
	return cpu.None
}

// arm64Flow returns where execution continues, by mnemonic. ARM ARM (DDI 0487), C4.1, "Branches,
// Exception Generating and System instructions".
func arm64Flow(name string) cpu.Flow {
	switch name {
	case "b":
		return cpu.Jump
	case "br", "braa", "brab", "braaz", "brabz":
		return cpu.Jump
	case "bl", "blr", "blraa", "blrab", "blraaz", "blrabz":
		return cpu.Call
	case "cbz", "cbnz", "tbz", "tbnz":
		return cpu.CondJump
	case "ret", "retaa", "retab", "eret", "eretaa", "eretab":
		return cpu.Ret
	case "svc", "hvc", "smc", "brk", "hlt", "udf":
		return cpu.Trap
	}
	if strings.HasPrefix(name, "b.") {
		return cpu.CondJump
	}
	return cpu.Next
}

func hasMemory(ops []cpu.Operand) bool {
	return slices.ContainsFunc(ops, func(op cpu.Operand) bool { return op.Kind == cpu.Memory })
}

func branchTarget(ops []cpu.Operand) (uint64, bool) {
	for i := range ops {
		if ops[i].Kind == cpu.Branch {
			return uint64(ops[i].Imm), true
		}
	}
	return 0, false
}
