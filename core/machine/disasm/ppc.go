package disasm

import (
	"encoding/binary"
	"strings"

	"crashglass/core/machine/cpu"

	"golang.org/x/arch/ppc64/ppc64asm"
)

// decodePPC64 decodes big-endian code: dumps of this CPU come from big-endian systems.
func decodePPC64(code []byte, addr uint64) (cpu.Inst, bool) {
	in, err := alone(func() (ppc64asm.Inst, error) { return ppc64asm.Decode(code, binary.BigEndian) })
	if err != nil || in.Op == 0 {
		return cpu.Inst{}, false
	}
	inst := cpu.Inst{Addr: addr, Len: in.Len, Text: ppc64asm.GNUSyntax(in, addr)}
	inst.Mnemonic, _, _ = strings.Cut(inst.Text, " ")
	inst.Flow = ppcFlow(&inst, &in)
	ppcOperands(&inst, &in)
	if t, ok := branchTarget(inst.Operands); ok {
		inst.Target, inst.HasTarget = t, true
	}
	return inst, true
}

// ppcSizes are the letters of a load's or store's size. Power ISA, book I,
// chapters 3.3 and 4.6.
var ppcSizes = map[string]int{
	"b": 1, "h": 2, "w": 4, "d": 8, "fs": 4, "fd": 8, "q": 16, "v": 16, "fiw": 4,
	"xvd2": 16, "xvw4": 16, "xsd": 8, "xv": 16, "xssp": 4,
	"veb": 1, "veh": 2, "vew": 4, // one element; chapter 6.7
	"xsib": 1, "xsih": 2, "xsiw": 4, "xvds": 8, "xvws": 4, "xvh8": 16, "xvb16": 16, // chapter 7
}

// ppcSize takes a mnemonic apart: l or st, the size, then z or a (extension),
// br (reversed), ar or c. (reserved), u (update) and x (indexed).
func ppcSize(name string) (size int, access cpu.Access, indexed bool) {
	rest, access := "", cpu.Access(0)
	switch {
	case strings.HasPrefix(name, "st"):
		rest, access = name[2:], cpu.Write
	case strings.HasPrefix(name, "l"):
		rest, access = name[1:], cpu.Read
	}
	rest = strings.TrimSuffix(rest, ".")
	rest = strings.Replace(rest, "vxl", "vx", 1) // used last, which is a hint to the cache
	if n := len(rest); n > 1 && (rest[n-1] == 'x' || strings.HasSuffix(rest, "xc") || strings.HasSuffix(rest, "cx")) {
		indexed = true
		rest = strings.TrimRight(rest, "xc")
	}
	for _, suffix := range []string{"u", "br", "ar", "z", "a"} {
		if len(rest) > len(suffix) {
			rest = strings.TrimSuffix(rest, suffix)
		}
	}
	size = ppcSizes[rest]
	if size == 0 {
		return 0, cpu.NoAccess, false
	}
	return size, access, indexed
}

// ppcOperands joins registers and offsets into addresses.
func ppcOperands(inst *cpu.Inst, in *ppc64asm.Inst) {
	name := in.Op.String()
	size, access, indexed := ppcSize(name)
	if name == "lmw" || name == "stmw" {
		size, access = ppcMultiple(in), cpu.Read
		if name == "stmw" {
			access = cpu.Write
		}
	}
	mem := cpu.MemOp{Base: cpu.None, Index: cpu.None, Size: size, Access: access}
	offset, register := false, 0
	for _, arg := range in.Args {
		switch a := arg.(type) {
		case ppc64asm.Reg:
			reg := ppcReg(a)
			switch {
			case access != 0 && (offset || indexed && register == 1):
				if reg != cpu.PPCR1-1 { // r0 as a base is 0
					mem.Base = reg
				}
			case access != 0 && indexed && register == 2:
				mem.Index = reg
			default:
				inst.Operands = append(inst.Operands, cpu.Operand{Kind: cpu.Register, Reg: reg, Name: strings.ToLower(a.String())})
			}
			register++
		case ppc64asm.Offset:
			mem.Disp, offset = int64(a), true
		case ppc64asm.PCRel:
			inst.Operands = append(inst.Operands, cpu.Operand{Kind: cpu.Branch, Reg: cpu.None, Imm: int64(inst.Addr) + int64(a)})
		case ppc64asm.Label: // of a branch with AA set: the address itself, with its sign
			inst.Operands = append(inst.Operands, cpu.Operand{Kind: cpu.Branch, Reg: cpu.None, Imm: int64(int32(a))})
		case ppc64asm.Imm:
			if inst.Flow == cpu.Next && access == 0 {
				inst.Operands = append(inst.Operands, cpu.Operand{Kind: cpu.Immediate, Reg: cpu.None, Imm: int64(a)})
			}
		}
	}
	if access != 0 && (offset || indexed) {
		inst.Operands = append(inst.Operands, cpu.Operand{Kind: cpu.Memory, Reg: cpu.None, Mem: mem})
	}
}

// ppcMultiple returns the size of lmw and stmw, which transfer all registers from the first operand
// on.
func ppcMultiple(in *ppc64asm.Inst) int {
	if r, ok := in.Args[0].(ppc64asm.Reg); ok && r >= ppc64asm.R0 && r <= ppc64asm.R31 {
		return 4 * (32 - int(r-ppc64asm.R0))
	}
	return 0
}

func ppcReg(r ppc64asm.Reg) cpu.Reg {
	if r >= ppc64asm.R0 && r <= ppc64asm.R31 {
		return cpu.PPCR1 - 1 + cpu.Reg(r-ppc64asm.R0)
	}
	return cpu.None
}

// ppcFlow returns where execution continues. The decoder's opcode distinguishes calls (bl, bclrl) from jumps;
// the text distinguishes bc that always jumps (blr, bctr) from others.
func ppcFlow(inst *cpu.Inst, in *ppc64asm.Inst) cpu.Flow {
	name := strings.TrimRight(inst.Mnemonic, "+-")
	switch op := in.Op.String(); {
	case name == "blr": // through the link register
		return cpu.Ret
	case name == "b" || name == "ba" || name == "bctr":
		return cpu.Jump
	case strings.HasSuffix(op, "l") && strings.HasPrefix(op, "b") || op == "bla" || op == "bcla":
		return cpu.Call
	case op == "bc" || op == "bca" || op == "bclr" || op == "bcctr":
		return cpu.CondJump
	case op == "sc" || op == "tw" || op == "td" || op == "twi" || op == "tdi":
		return cpu.Trap
	}
	return cpu.Next
}
