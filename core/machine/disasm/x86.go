package disasm

import (
	"crashglass/core/machine/cpu"

	"golang.org/x/arch/x86/x86asm"
)

func decodeX86(arch *cpu.Arch, code []byte, addr uint64) (cpu.Inst, bool) {
	mode := 8 * arch.Word
	in, name, ok := x86Trap(code, mode)
	if !ok {
		var err error
		in, err = x86asm.Decode(code, mode)
		if err != nil || in.Op == 0 || in.Len <= 0 || in.Len > len(code) {
			// The decoder returns Op 0 for prefixes without an instruction.
			return cpu.Inst{}, false
		}
		name = x86Name(in.Op)
	}
	x := &x86Inst{Inst: in, arch: arch, addr: addr, code: code[:in.Len], name: name}
	x.shown = x.args()
	x.repair()
	return x.inst(), true
}

// An x86Inst is an instruction that is being converted from the decoder's form.
type x86Inst struct {
	x86asm.Inst
	arch  *cpu.Arch
	addr  uint64
	code  []byte
	name  string       // mnemonic as rust-minidump's decoder spells it
	shown []x86asm.Arg // operands as they are written
}

func (x *x86Inst) inst() cpu.Inst {
	inst := cpu.Inst{Addr: x.addr, Len: x.Len, Mnemonic: x.name, Flow: x.Flow()}
	for i, arg := range x.shown {
		op := x.operand(i, arg)
		if op.Kind == cpu.Branch {
			inst.Target, inst.HasTarget = uint64(op.Imm), true
		}
		inst.Operands = append(inst.Operands, op)
	}
	inst.Implicit = x.implicit()
	inst.Division = x.Op == x86asm.DIV || x.Op == x86asm.IDIV
	inst.Privileged = x.privileged()
	inst.Aligned = x.aligned(inst.Operands)
	inst.Text = x.text(inst.Operands)
	return inst
}

// operand translates the operand that is shown as number i, because access depends on its position.
func (x *x86Inst) operand(i int, arg x86asm.Arg) cpu.Operand {
	op := cpu.Operand{Reg: cpu.None}
	switch a := arg.(type) {
	case x86asm.Reg:
		op.Kind, op.Name, op.Reg = cpu.Register, x86RegName(a), x86Reg(x.arch, a)
	case x86asm.Mem:
		op.Kind, op.Mem = cpu.Memory, x.mem(a, x.access(i))
	case x86asm.Imm:
		op.Kind, op.Imm = cpu.Immediate, int64(a)
	case x86asm.Rel: // counts from the next instruction
		target := (x.addr + uint64(x.Len) + uint64(int64(a))) & x.arch.Mask()
		op.Kind, op.Imm = cpu.Branch, int64(target)
	}
	return op
}

func (x *x86Inst) mem(m x86asm.Mem, access cpu.Access) cpu.MemOp {
	op := cpu.MemOp{
		Base: x86Reg(x.arch, m.Base), Index: x86Reg(x.arch, m.Index), Scale: m.Scale, Disp: m.Disp,
		Size: x.memSize(), Access: access,
	}
	if m.Base == x86asm.RIP || m.Base == x86asm.EIP {
		op.PCRel, op.Next = true, x.addr+uint64(x.Len)
	}
	// An index in vector registers gives many addresses. A 16-bit register is only a part of the
	// register's value.
	op.Unknown = m.Index != 0 && op.Index == cpu.None || m.Base != 0 && op.Base == cpu.None || x.AddrSize == 16
	if x.AddrSize == 32 && x.arch.Word == 8 { // a prefix 67, as in lea eax, [ecx]
		op.Width = 4
	}
	switch m.Segment {
	case x86asm.FS:
		op.Segment = "fs"
	case x86asm.GS:
		op.Segment = "gs"
	}
	return op
}

// Flow returns where execution continues.
func (x *x86Inst) Flow() cpu.Flow {
	switch x.Op {
	case x86asm.JMP, x86asm.LJMP:
		return cpu.Jump
	case x86asm.CALL, x86asm.LCALL:
		return cpu.Call
	case x86asm.RET, x86asm.LRET, x86asm.IRET, x86asm.IRETD, x86asm.IRETQ:
		return cpu.Ret
	// A system call returns, but not before the kernel has done its work.
	case x86asm.INT, x86asm.INTO, x86asm.ICEBP, x86asm.UD0, x86asm.UD1, x86asm.UD2,
		x86asm.SYSCALL, x86asm.SYSENTER, x86asm.HLT:
		return cpu.Trap
	case x86asm.JA, x86asm.JAE, x86asm.JB, x86asm.JBE, x86asm.JCXZ, x86asm.JE, x86asm.JECXZ, x86asm.JG,
		x86asm.JGE, x86asm.JL, x86asm.JLE, x86asm.JNE, x86asm.JNO, x86asm.JNP, x86asm.JNS, x86asm.JO,
		x86asm.JP, x86asm.JRCXZ, x86asm.JS, x86asm.LOOP, x86asm.LOOPE, x86asm.LOOPNE, x86asm.XBEGIN:
		return cpu.CondJump // the loops too: they may fall through
	}
	return cpu.Next
}
