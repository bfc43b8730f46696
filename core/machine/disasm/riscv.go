package disasm

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"crashglass/core/machine/cpu"

	"golang.org/x/arch/riscv64/riscv64asm"
)

// decodeRISCV64 decodes an instruction of four bytes, or a compressed one of two.
func decodeRISCV64(code []byte, addr uint64) (cpu.Inst, bool) {
	if len(code) < 2 {
		return cpu.Inst{}, false
	}
	if code[0] == 0 && code[1] == 0 { // defined to be illegal; the decoder takes it for csrrw
		return cpu.Inst{Addr: addr, Len: 2, Mnemonic: "c.unimp", Text: "c.unimp", Flow: cpu.Trap}, true
	}
	if name := riscvPrivileged(code); name != "" {
		return cpu.Inst{Addr: addr, Len: 4, Mnemonic: name, Text: name, Privileged: true}, true
	}
	in, err := alone(func() (riscv64asm.Inst, error) { return riscv64asm.Decode(code) })
	if err != nil || in.Op == 0 {
		return cpu.Inst{}, false
	}
	riscvRepair(&in, code)
	inst := cpu.Inst{Addr: addr, Len: in.Len, Text: riscvNames(riscv64asm.GNUSyntax(in))}
	inst.Mnemonic, _, _ = strings.Cut(inst.Text, " ")
	inst.Flow = riscvFlow(&in)
	op := strings.ToLower(in.Op.String())
	size, access := riscvSize(op)
	for _, arg := range in.Args {
		if arg == nil {
			break
		}
		if o, ok := riscvOperand(arg, code, size, access); ok {
			inst.Operands = append(inst.Operands, o)
		}
	}
	riscvBranch(&inst, &in)
	inst.Aligned = strings.HasPrefix(op, "lr.") || strings.HasPrefix(op, "sc.") || strings.HasPrefix(op, "amo")
	return inst, true
}

// riscvPrivileged returns the name of an instruction that fails in user mode, or "". The decoder has
// none of them. RISC-V privileged specification, chapter "RISC-V Privileged Instruction Set
// Listings".
func riscvPrivileged(code []byte) string {
	if len(code) < 4 {
		return ""
	}
	switch binary.LittleEndian.Uint32(code) {
	case 0x3020_0073:
		return "mret"
	case 0x1020_0073:
		return "sret"
	case 0x1050_0073:
		return "wfi"
	}
	return ""
}

// riscvRepair corrects the immediates of two compressed instructions that golang.org/x/arch v0.32.0
// decodes wrongly: it takes four bits for imm[3:1] of c.j, so that j .+6 seems to go to .+12, and
// it leaves the sign of c.lui in bits that lui does not have. RISC-V unprivileged specification,
// section 27.8, "RVC Instruction Set Listings".
func riscvRepair(in *riscv64asm.Inst, code []byte) {
	if in.Len != 2 {
		return
	}
	w := uint32(binary.LittleEndian.Uint16(code))
	switch in.Op {
	case riscv64asm.JAL:
		distance := field(w, 12, 12)<<11 | field(w, 11, 11)<<4 | field(w, 10, 9)<<8 | field(w, 8, 8)<<10 |
			field(w, 7, 7)<<6 | field(w, 6, 6)<<7 | field(w, 5, 3)<<1 | field(w, 2, 2)<<5
		in.Args[1] = riscv64asm.Simm{Imm: int32(signed(distance, 12)), Decimal: true, Width: 12}
	case riscv64asm.LUI:
		if upper, ok := in.Args[1].(riscv64asm.Uimm); ok {
			upper.Imm &= 0xf_ffff
			in.Args[1] = upper
		}
	}
}

// riscvNames replaces register names by those of the ABI: x10 is a0, f10 is fa0.
func riscvNames(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && isWord(text[j]) {
			j++
		}
		if j == i {
			b.WriteByte(text[i])
			if text[i] == ',' {
				b.WriteByte(' ')
			}
			i++
			continue
		}
		b.WriteString(riscvRegName(text[i:j]))
		i = j
	}
	return b.String()
}

// isWord reports whether a byte belongs to a mnemonic, a register or a number.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_'
}

// riscvRegName translates a register's name, and leaves everything else.
func riscvRegName(word string) string {
	if len(word) < 2 || word[0] != 'x' && word[0] != 'f' {
		return word
	}
	n, err := strconv.Atoi(word[1:])
	switch {
	case err != nil || n < 0 || n > 31:
		return word
	case word[0] == 'f':
		return riscvFloats[n]
	case n == 0:
		return "zero"
	}
	return cpu.RISCV64.Regs[n]
}

// riscvFloats are the floating-point registers in the psABI's words.
var riscvFloats = [32]string{
	"ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fs0", "fs1", "fa0", "fa1", "fa2", "fa3", "fa4", "fa5",
	"fa6", "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11",
}

// riscvSizes are loads and stores with the size of their access.
var riscvSizes = map[string]int{
	"lb": 1, "lbu": 1, "lh": 2, "lhu": 2, "lw": 4, "lwu": 4, "ld": 8, "flh": 2, "flw": 4, "fld": 8, "flq": 16,
	"sb": -1, "sh": -2, "sw": -4, "sd": -8, "fsh": -2, "fsw": -4, "fsd": -8, "fsq": -16,
}

// riscvSize returns the size and access of a load or store. Compressed and full forms are the same
// after decoding.
func riscvSize(op string) (int, cpu.Access) {
	op = strings.TrimPrefix(op, "c.")
	op = strings.TrimSuffix(op, "sp") // c.ldsp
	if n := riscvSizes[op]; n > 0 {
		return n, cpu.Read
	} else if n < 0 {
		return -n, cpu.Write
	}
	kind, rest, _ := strings.Cut(op, ".")
	size := 8
	if strings.HasPrefix(rest, "w") {
		size = 4
	}
	switch {
	case kind == "lr":
		return size, cpu.Read
	case kind == "sc":
		return size, cpu.Write
	case strings.HasPrefix(kind, "amo"):
		return size, cpu.Read | cpu.Write
	}
	return 0, cpu.NoAccess
}

// riscvOperand translates an argument. An offset with a register is memory in a load or a store, and
// the register of the target in jalr.
func riscvOperand(arg riscv64asm.Arg, code []byte, size int, access cpu.Access) (cpu.Operand, bool) {
	op := cpu.Operand{Reg: cpu.None}
	switch a := arg.(type) {
	case riscv64asm.Reg:
		op.Kind, op.Reg, op.Name = cpu.Register, riscvReg(a), riscvRegName(strings.ToLower(a.String()))
	case riscv64asm.Simm:
		op.Kind, op.Imm = cpu.Immediate, int64(a.Imm)
	case riscv64asm.Uimm:
		op.Kind, op.Imm = cpu.Immediate, int64(a.Imm)
	case riscv64asm.RegOffset:
		if access == cpu.NoAccess { // jalr
			op.Kind, op.Reg, op.Name = cpu.Register, riscvReg(a.OfsReg), riscvRegName(strings.ToLower(a.OfsReg.String()))
			return op, true
		}
		op.Kind = cpu.Memory
		op.Mem = cpu.MemOp{Base: riscvReg(a.OfsReg), Index: cpu.None, Disp: int64(a.Ofs.Imm), Size: size, Access: access}
	case riscv64asm.RegPtr:
		if len(code) < 4 {
			return op, false
		}
		base := cpu.Reg(field(binary.LittleEndian.Uint32(code), 19, 15)) // the decoder does not export it
		op.Kind, op.Mem = cpu.Memory, cpu.MemOp{Base: base, Index: cpu.None, Size: size, Access: access}
		if base == 0 {
			op.Mem.Base = cpu.None
		}
	default:
		return op, false
	}
	return op, true
}

// riscvReg is the register of a context; x0 is always 0, and in none.
func riscvReg(r riscv64asm.Reg) cpu.Reg {
	if r > riscv64asm.X0 && r <= riscv64asm.X31 {
		return cpu.Reg(r - riscv64asm.X0)
	}
	return cpu.None
}

// riscvFlow returns where execution continues. jal and jalr are calls if they write a link register, x1
// or x5, and jalr is a return if it only reads x1 (unprivileged specification, 2.5.1, table 3).
func riscvFlow(in *riscv64asm.Inst) cpu.Flow {
	link := riscvReg(riscv64asm.X1)
	first, _ := in.Args[0].(riscv64asm.Reg)
	calls := riscvReg(first) == link || riscvReg(first) == 5 // t0 is the other link register
	switch in.Op {
	case riscv64asm.JAL:
		if calls {
			return cpu.Call
		}
		return cpu.Jump
	case riscv64asm.JALR:
		if to, ok := in.Args[1].(riscv64asm.RegOffset); ok && !calls && riscvReg(to.OfsReg) == link {
			return cpu.Ret
		}
		if calls {
			return cpu.Call
		}
		return cpu.Jump
	case riscv64asm.BEQ, riscv64asm.BNE, riscv64asm.BLT, riscv64asm.BGE, riscv64asm.BLTU, riscv64asm.BGEU:
		return cpu.CondJump
	case riscv64asm.ECALL, riscv64asm.EBREAK: // a system call, a breakpoint
		return cpu.Trap
	}
	return cpu.Next
}

// riscvBranch turns the distance of a direct branch into its target, in the
// operands and in the text.
func riscvBranch(inst *cpu.Inst, in *riscv64asm.Inst) {
	if inst.Flow == cpu.Next || in.Op == riscv64asm.JALR {
		if in.Op == riscv64asm.JALR && len(inst.Operands) == 2 { // the address comes first
			inst.Operands[0], inst.Operands[1] = inst.Operands[1], inst.Operands[0]
		}
		return
	}
	for i := range inst.Operands {
		op := &inst.Operands[i]
		if op.Kind != cpu.Immediate {
			continue
		}
		distance := strconv.FormatInt(op.Imm, 10)
		op.Kind, op.Imm = cpu.Branch, int64(inst.Addr)+op.Imm
		inst.Target, inst.HasTarget = uint64(op.Imm), true
		if strings.HasSuffix(inst.Text, distance) {
			inst.Text = strings.TrimSuffix(inst.Text, distance) + fmt.Sprintf("%#x", inst.Target)
		}
		return
	}
}
