package disasm

import (
	"strings"

	"crashglass/core/machine/cpu"

	"golang.org/x/arch/x86/x86asm"
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// How instructions use an operand in memory, by mnemonic; Intel SDM, volume 2. An instruction in no
// table writes its first operand and reads the others.
var (
	x86NoAccess = set("lea nop ud0 ud1 prefetcht0 prefetcht1 prefetcht2 prefetchnta prefetchw")

	x86Reads = set(`cmp test push call jmp callf jmpf bt mul imul div idiv bound
		fld fild fbld fadd fmul fcom fcomp fsub fsubr fdiv fdivr fiadd fimul ficom ficomp fisub fisubr fidiv fidivr
		fldcw fldenv frstor fxrstor fxrstor64 xrstor xrstor64 xrstors xrstors64 ldmxcsr vldmxcsr
		lgdt lidt lldt lmsw ltr verr verw invlpg invpcid clflush monitor cmps scas lods outs`)

	x86ReadsAndWrites = set(`add sub adc sbb and or xor inc dec neg not shl shr sar rol ror rcl rcr shld shrd
		xadd xchg cmpxchg cmpxchg8b cmpxchg16b bts btr btc`)
)

// access returns how an instruction uses its operand i, if that is in memory.
func (x *x86Inst) access(i int) cpu.Access {
	switch {
	case x86NoAccess[x.name]:
		return cpu.NoAccess
	case x86ReadsAndWrites[x.name] && (i == 0 || x.name == "xchg"):
		return cpu.Read | cpu.Write
	case i > 0 || x86Reads[x.name]:
		return cpu.Read
	}
	return cpu.Write
}

// x86Privileged are the instructions that fail in user mode. Some of them (rdtsc) fail only if the
// system has configured it.
var x86Privileged = set(`cli clts hlt in ins int into invd invlpg iret iretd iretq lgdt lidt lldt lmsw ltr
	monitor mwait out outs rdmsr rdpmc rdtsc rdtscp retf sti swapgs sysexit sysret wbinvd wrmsr
	xrstors xrstors64 xsaves xsaves64 xsetbv`)

// privileged counts mov only with a control or debug register.
func (x *x86Inst) privileged() bool {
	if x.Op != x86asm.MOV {
		return x86Privileged[x.name]
	}
	for _, a := range x.shown {
		if r, ok := a.(x86asm.Reg); ok && r >= x86asm.CR0 && r <= x86asm.DR15 {
			return true
		}
	}
	return false
}

var (
	x86AlignedVEX   = set("vmovaps vmovapd vmovdqa vmovdqa32 vmovdqa64 vmovntps vmovntpd vmovntdq vmovntdqa")
	x86UnalignedSSE = set("movups movupd movdqu lddqu pcmpestri pcmpestrm pcmpistri pcmpistrm")
)

// aligned: without a VEX prefix every operand of 16 bytes must be aligned, except for the few
// instructions for unaligned operands. Intel SDM, volume 1, 14.9.
func (x *x86Inst) aligned(ops []cpu.Operand) bool {
	if strings.HasPrefix(x.name, "v") {
		return x86AlignedVEX[x.name]
	}
	if x.name == "cmpxchg16b" { // the only one without a vector register
		return true
	}
	vector := false
	for _, op := range ops {
		vector = vector || op.Kind == cpu.Register && strings.HasPrefix(op.Name, "xmm")
	}
	return vector && x.memSize() == 16 && !x86UnalignedSSE[x.name]
}

// implicit returns the accesses to the stack, which have no operand.
func (x *x86Inst) implicit() []cpu.MemOp {
	word := x.arch.Word
	size := word
	if x.DataSize == 16 && x.Flow() == cpu.Next {
		size = 2
	}
	// A far call or return has an operand size of 32 bits on amd64, too, unless REX.W gives another.
	far := x.DataSize / 8
	sp := func(disp, size int, access cpu.Access) []cpu.MemOp {
		return []cpu.MemOp{{Base: x.arch.SP, Index: cpu.None, Disp: int64(disp), Size: size, Access: access}}
	}
	switch x.Op {
	case x86asm.PUSH, x86asm.PUSHF, x86asm.PUSHFD, x86asm.PUSHFQ:
		return sp(-size, size, cpu.Write)
	case x86asm.ENTER, x86asm.CALL:
		return sp(-word, word, cpu.Write)
	case x86asm.POP, x86asm.POPF, x86asm.POPFD, x86asm.POPFQ:
		return sp(0, size, cpu.Read)
	case x86asm.RET:
		return sp(0, word, cpu.Read)
	case x86asm.PUSHA, x86asm.PUSHAD: // all eight registers
		return sp(-8*size, 8*size, cpu.Write)
	case x86asm.POPA, x86asm.POPAD:
		return sp(0, 8*size, cpu.Read)
	case x86asm.LEAVE: // sp becomes the frame pointer, and then pops
		return []cpu.MemOp{{Base: x.arch.FP, Index: cpu.None, Size: word, Access: cpu.Read}}
	case x86asm.LCALL:
		return sp(-2*far, 2*far, cpu.Write)
	case x86asm.LRET:
		return sp(0, 2*far, cpu.Read)
	case x86asm.XLATB: // at rbx + al, and al is not an address by itself
		return []cpu.MemOp{{Base: cpu.None, Index: cpu.None, Size: 1, Access: cpu.Read, Unknown: true}}
	case x86asm.MASKMOVQ, x86asm.MASKMOVDQU: // at (e)di, as many bytes as the mask selects
		di := x86Reg(x.arch, x86asm.EDI)
		return []cpu.MemOp{{Base: di, Index: cpu.None, Size: x.memSize(), Access: cpu.Write}}
	}
	return nil
}
