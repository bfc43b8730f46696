package disasm

import (
	"fmt"
	"math/bits"
	"strings"

	"crashglass/core/machine/cpu"

	"golang.org/x/arch/arm/armasm"
)

// decodeARM decodes an instruction of the ARM state. The decoder does not know Thumb, so a caller
// must know the state.
func decodeARM(code []byte, addr uint64) (cpu.Inst, bool) {
	if addr&3 != 0 {
		return cpu.Inst{}, false
	}
	// The decoder does not know udf, which compilers emit for __builtin_trap; A8.8.247.
	if len(code) >= 4 && code[3] == 0xe7 && code[2]&0xf0 == 0xf0 && code[0]&0xf0 == 0xf0 {
		n := uint32(code[2]&0xf)<<12 | uint32(code[1])<<4 | uint32(code[0]&0xf)
		return cpu.Inst{Addr: addr, Len: 4, Mnemonic: "udf", Text: fmt.Sprintf("udf #%d", n), Flow: cpu.Trap}, true
	}
	in, err := alone(func() (armasm.Inst, error) { return armasm.Decode(code, armasm.ModeARM) })
	if err != nil || in.Op == 0 || in.Len != 4 {
		return cpu.Inst{}, false
	}
	inst := cpu.Inst{Addr: addr, Len: 4}
	// The program counter reads as the address plus 8. The decoder's text is relative to the
	// address plus 4.
	inst.Text = absolute(armasm.GNUSyntax(in), addr+4, cpu.ARM.Mask())
	inst.Mnemonic = armMnemonic(in.Op)
	size, access := armSize(inst.Mnemonic)
	for _, arg := range in.Args {
		if arg == nil {
			break
		}
		if r, ok := arg.(armasm.Reg); ok && r >= armasm.D0 && r <= armasm.D31 {
			size = 8 // vldr and vstr of a whole register
		}
		if op, ok := armOperand(arg, addr, size, access); ok {
			inst.Operands = append(inst.Operands, op)
		}
	}
	armList(&inst, &in)
	inst.Flow = armFlow(&inst, &in)
	if t, ok := branchTarget(inst.Operands); ok && inst.Flow != cpu.Next {
		inst.Target, inst.HasTarget = t, true
	}
	// These fail for an unaligned address even if the system allows unaligned ones: A3.2.1.
	inst.Aligned = strings.HasPrefix(inst.Mnemonic, "ldrex") || strings.HasPrefix(inst.Mnemonic, "strex") ||
		inst.Mnemonic == "ldrd" || inst.Mnemonic == "strd" || strings.HasPrefix(inst.Mnemonic, "ldm") ||
		strings.HasPrefix(inst.Mnemonic, "stm") || inst.Mnemonic == "vldr" || inst.Mnemonic == "vstr"
	return inst, true
}

// armMnemonic is an operation without its condition, which the decoder writes
// behind a point: "LDR.EQ", "SWP.B.EQ".
func armMnemonic(op armasm.Op) string {
	name, rest, _ := strings.Cut(strings.ToLower(op.String()), ".")
	if name == "swp" && (rest == "b" || strings.HasPrefix(rest, "b.")) {
		return "swpb"
	}
	return name
}

// armSize returns the size and access of a load or store, by mnemonic.
func armSize(name string) (int, cpu.Access) {
	access := cpu.NoAccess
	switch {
	case name == "swp" || name == "swpb":
		access = cpu.Read | cpu.Write
	case strings.HasPrefix(name, "ldr") || name == "vldr":
		access = cpu.Read
	case strings.HasPrefix(name, "str") || name == "vstr":
		access = cpu.Write
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(name, "ldr"), "str"), "ex")
	switch strings.TrimSuffix(strings.TrimPrefix(rest, "s"), "t") {
	case "b", "wpb":
		return 1, access
	case "h":
		return 2, access
	case "d":
		return 8, access
	}
	return 4, access
}

// armOperand translates an argument of the decoder. It reports false for those that are no operand of
// their own: the registers of a list, a shift.
func armOperand(arg armasm.Arg, addr uint64, size int, access cpu.Access) (cpu.Operand, bool) {
	op := cpu.Operand{Reg: cpu.None}
	switch a := arg.(type) {
	case armasm.Reg:
		op.Kind, op.Name, op.Reg = cpu.Register, strings.ToLower(a.String()), armReg(a)
	case armasm.Imm:
		op.Kind, op.Imm = cpu.Immediate, int64(a)
	case armasm.ImmAlt:
		op.Kind, op.Imm = cpu.Immediate, int64(a.Imm())
	case armasm.PCRel:
		target := uint64(uint32(addr) + 8 + uint32(a))
		if access != cpu.NoAccess { // a literal
			op.Kind = cpu.Memory
			op.Mem = cpu.MemOp{Base: cpu.ARMPC, Index: cpu.None, PCRel: true, Next: target, Size: size, Access: access}
			return op, true
		}
		op.Kind, op.Imm = cpu.Branch, int64(target)
	case armasm.Mem:
		op.Kind, op.Mem = cpu.Memory, armMem(a, addr, size, access)
	default:
		return op, false
	}
	return op, true
}

func armReg(r armasm.Reg) cpu.Reg {
	if r <= armasm.R15 {
		return cpu.Reg(r - armasm.R0)
	}
	return cpu.None
}

// armMem translates an address: a base with a constant, or with a shifted register that is added or
// subtracted. ARM ARM (DDI 0406), A8.8.63 to A8.8.66 (LDR).
func armMem(a armasm.Mem, addr uint64, size int, access cpu.Access) cpu.MemOp {
	m := cpu.MemOp{Base: armReg(a.Base), Index: cpu.None, Size: size, Access: access}
	if m.Base == cpu.ARMPC {
		m.PCRel, m.Next = true, addr+8
	}
	if a.Mode == armasm.AddrPostIndex { // the unchanged base
		return m
	}
	m.Disp = int64(a.Offset)
	if a.Sign == 0 {
		return m
	}
	m.Index, m.Minus = armReg(a.Index), a.Sign < 0
	m.Scale = 1 << (a.Count & 7)
	// Other shifts are rare in addresses, and are not evaluated.
	m.Unknown = a.Count != 0 && a.Shift != armasm.ShiftLeft || a.Count > 7
	return m
}

// armList adds the accesses of instructions with a register list.
func armList(inst *cpu.Inst, in *armasm.Inst) {
	n := 0
	for _, arg := range in.Args {
		if list, ok := arg.(armasm.RegList); ok {
			n = 4 * bits.OnesCount16(uint16(list))
		}
	}
	if n == 0 {
		return
	}
	m := cpu.MemOp{Base: cpu.ARMSP, Index: cpu.None, Size: n, Access: cpu.Read}
	for i := range inst.Operands {
		if op := &inst.Operands[i]; op.Kind == cpu.Memory {
			m.Base = op.Mem.Base
		}
	}
	switch inst.Mnemonic {
	case "push": // as stmdb sp!
		m.Disp, m.Access = -int64(n), cpu.Write
	case "pop", "ldm": // from the base upwards
	case "ldmda": // down to the base
		m.Disp = 4 - int64(n)
	case "ldmdb": // below the base
		m.Disp = -int64(n)
	case "ldmib": // above the base
		m.Disp = 4
	case "stm":
		m.Access = cpu.Write
	case "stmda":
		m.Disp, m.Access = 4-int64(n), cpu.Write
	case "stmdb":
		m.Disp, m.Access = -int64(n), cpu.Write
	case "stmib":
		m.Disp, m.Access = 4, cpu.Write
	default:
		return
	}
	for i := range inst.Operands {
		if op := &inst.Operands[i]; op.Kind == cpu.Memory {
			op.Mem = m
			return
		}
	}
	// push and pop of one register have it as an operand; those of several have only the list.
	inst.Implicit = []cpu.MemOp{m}
}

// armFlow returns where execution continues. An instruction with a condition may continue with the
// next one. A load of several registers with pc among them is the return of a function.
func armFlow(inst *cpu.Inst, in *armasm.Inst) cpu.Flow {
	flow := armAlways(inst, in)
	if always := in.Enc>>28 >= 14; !always && (flow == cpu.Jump || flow == cpu.Ret) {
		return cpu.CondJump
	}
	return flow
}

// armAlways is armFlow for a condition that holds.
func armAlways(inst *cpu.Inst, in *armasm.Inst) cpu.Flow {
	switch inst.Mnemonic {
	case "b":
		return cpu.Jump
	case "bl", "blx":
		return cpu.Call
	case "bx", "bxj":
		if len(inst.Operands) > 0 && inst.Operands[0].Reg == cpu.ARMLR {
			return cpu.Ret
		}
		return cpu.Jump
	case "svc", "bkpt", "undef":
		return cpu.Trap
	}
	if armWrites[inst.Mnemonic] && len(inst.Operands) > 1 && inst.Operands[0].Reg == cpu.ARMPC {
		if inst.Mnemonic == "mov" && inst.Operands[1].Reg == cpu.ARMLR {
			return cpu.Ret // of CPUs without bx: ARMv4
		}
		return cpu.Jump
	}
	for _, arg := range in.Args {
		if list, ok := arg.(armasm.RegList); ok && list&(1<<15) != 0 && inst.Mnemonic != "push" && !strings.HasPrefix(inst.Mnemonic, "stm") {
			return cpu.Ret
		}
	}
	return cpu.Next
}

// armWrites are the instructions that write their first operand, which may be pc: ARM ARM, A2.3.2.
var armWrites = set("adc add and asr bic eor ldr lsl lsr mov mvn orr ror rrx rsb rsc sbc sub")
