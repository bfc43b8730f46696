package macho

import (
	"encoding/binary"
	"slices"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
)

// Modes of encodings, the same for x86 and x86_64.
const (
	intelFrame     = 0x0100_0000 // rbp is the frame pointer
	intelImmediate = 0x0200_0000 // the stack's size is in the encoding
	intelIndirect  = 0x0300_0000 // it is in the instruction that subtracts it
	intelDWARF     = 0x0400_0000
)

// An intel is x86 or x86_64.
type intel struct {
	set    *isa.Set
	word   int64
	sp, fp string
	// regs are the registers by the numbers of encodings, from 1 on.
	regs []string
	// pushed are the registers that functions keep.
	pushed map[cpu.Reg]string
}

// The numbers of registers are those of UNWIND_X86_64_REG_RBX and UNWIND_X86_REG_EBX onwards in
// <mach-o/compact_unwind_encoding.h>.
var intelAMD64 = intel{
	set: isa.AMD64, word: 8, sp: "$rsp", fp: "$rbp",
	regs:   []string{"", "$rbx", "$r12", "$r13", "$r14", "$r15", "$rbp"},
	pushed: map[cpu.Reg]string{cpu.RBX: "$rbx", cpu.RBP: "$rbp", cpu.R12: "$r12", cpu.R13: "$r13", cpu.R14: "$r14", cpu.R15: "$r15"},
}

var intelX86 = intel{
	set: isa.X86, word: 4, sp: "$esp", fp: "$ebp",
	regs:   []string{"", "$ebx", "$ecx", "$edx", "$edi", "$esi", "$ebp"},
	pushed: map[cpu.Reg]string{cpu.EBX: "$ebx", cpu.EBP: "$ebp", cpu.ESI: "$esi", cpu.EDI: "$edi"},
}

// leaf is the frame at the first instruction: the call has pushed the return address.
func (x *intel) leaf() *frameState {
	return &frameState{base: x.sp, offset: x.word, saved: []saved{{returnAddress, -x.word}}}
}

// body is the frame between prologue and epilogue by an encoding. Where the size of the stack is in an
// instruction, code has to reach that far.
func (x *intel) body(encoding uint32, code []byte) (*frameState, bool) {
	switch encoding & modeMask {
	case intelFrame:
		return x.framed(encoding)
	case intelImmediate:
		return x.frameless(encoding, x.word*int64(encoding>>16&0xff))
	case intelIndirect:
		at := int(encoding >> 16 & 0xff)
		if at+4 > len(code) {
			return nil, false
		}
		size := int64(binary.LittleEndian.Uint32(code[at:])) + x.word*int64(encoding>>13&7)
		return x.frameless(encoding, size)
	}
	return nil, false
}

// framed reads up to five registers of three bits each, saved one above the
// other below the frame pointer; 0 is a gap.
func (x *intel) framed(encoding uint32) (*frameState, bool) {
	fr := &frameState{base: x.fp, offset: 2 * x.word, saved: []saved{{returnAddress, -x.word}, {x.fp, -2 * x.word}}}
	at := -2*x.word - x.word*int64(encoding>>16&0xff)
	for i := range 5 {
		number := encoding >> (3 * i) & 7
		if number == 0 {
			continue
		}
		place := at + x.word*int64(i)
		if int(number) >= len(x.regs) || x.regs[number] == x.fp || place >= -2*x.word || fr.has(x.regs[number]) {
			return nil, false
		}
		fr.saved = append(fr.saved, saved{x.regs[number], place})
	}
	return fr, true
}

// frameless reads which registers were pushed, in which order: a number of
// registers, and the number of one of the ways to choose them.
func (x *intel) frameless(encoding uint32, size int64) (*frameState, bool) {
	regs, ok := permutation(int(encoding>>10&7), int(encoding&0x3ff))
	if !ok || size < x.word*int64(1+len(regs)) {
		return nil, false
	}
	fr := &frameState{base: x.sp, offset: size, saved: []saved{{returnAddress, -x.word}}}
	at := -x.word * int64(1+len(regs))
	for i, number := range regs {
		fr.saved = append(fr.saved, saved{x.regs[number], at + x.word*int64(i)})
	}
	return fr, true
}

// permutation returns n of the registers 1 to 6 in the order that a number
// stands for. The first digit says which of the six, the next which of the
// five that are left, and so on; the last digit is the lowest.
func permutation(n, number int) (regs []int, ok bool) {
	if n > 6 {
		return nil, false
	}
	free := []int{1, 2, 3, 4, 5, 6}
	for i := range n {
		weight := 1 // in how many ways the registers after this one can be chosen
		for k := range n - 1 - i {
			weight *= 5 - i - k
		}
		digit := number / weight
		number %= weight
		if digit >= len(free) {
			return nil, false
		}
		regs = append(regs, free[digit])
		free = append(free[:digit:digit], free[digit+1:]...)
	}
	return regs, true
}

// isPush and isPop report what is done with one register, or a constant.
func (x *intel) isPush(i *isa.Insn) bool {
	return i.Stack.Kind == isa.Stores && i.Stack.Move == -x.word
}

func (x *intel) isPop(i *isa.Insn) bool {
	return i.Flow == isa.Next && i.Stack.Kind == isa.Loads && i.Stack.Move == x.word
}

// isProlog reports whether an instruction is one of those that begin functions.
func (x *intel) isProlog(i *isa.Insn) bool {
	switch i.Stack.Kind {
	case isa.SetsFP:
		return true
	case isa.Moves:
		return i.Stack.Move <= 0
	}
	return i.Hint || x.isPush(i)
}

// kept is the register that functions keep and an instruction pushes or pops, or "".
func (x *intel) kept(i *isa.Insn) string {
	for _, reg := range i.Stack.Regs() {
		return x.pushed[reg]
	}
	return ""
}

// code reads the first instructions of functions.
func (x *intel) code() *prologCode {
	return &prologCode{set: x.set, fp: x.fp, begins: x.isProlog, name: func(reg cpu.Reg) string { return x.pushed[reg] }}
}

func (x *intel) prolog(code []byte, at int) (*frameState, bool) {
	return x.code().run(x.leaf(), code, at)
}

func (x *intel) steps(code []byte) []int { return x.code().steps(code) }

// epilog pops what is left to pop, and returns or jumps to another function.
// Before the first pop the body's rules hold. Nothing but registers that the
// body has saved is popped, each once.
func (x *intel) epilog(f *File, before, code []byte, rel uint64, r run, body *frameState) (*frameState, bool) {
	if x.endsInCall(f, before, code, rel) {
		return nil, false
	}
	fr := &frameState{base: x.sp, offset: x.word}
	last := x.endings(before)
	for pos := 0; pos < len(code); {
		i := x.set.Decode(code[pos:], rel+uint64(pos))
		pos += i.Size
		switch {
		case i.Flow == isa.Return && i.Stack.Kind == isa.Loads:
			return x.finish(fr), true
		case i.Flow == isa.Jump, i.Flow == isa.JumpReg, i.Flow == isa.JumpMem:
			if !f.leaves(&i, r) || !x.isUndone(body, last, i.HasTarget) {
				return nil, false
			}
			return x.finish(fr), true
		case !x.isPop(&i):
			return nil, false
		}
		reg := x.kept(&i)
		if reg == "" || fr.has(reg) || !body.has(reg) {
			return nil, false
		}
		fr.saved = append(fr.saved, saved{reg, fr.offset - x.word})
		fr.offset += x.word
		last = []isa.Insn{i}
	}
	return nil, false
}

// finish makes offsets from the stack pointer ones from the CFA.
func (x *intel) finish(fr *frameState) *frameState {
	fr.saved = append([]saved{{returnAddress, -x.word}}, fr.relative().saved...)
	return fr
}

// endings are the instructions of epilogs that code may end in: leave or pop,
// pop of r8 and up, add or lea in all sizes.
func (x *intel) endings(code []byte) (out []isa.Insn) {
	for size := 1; size <= min(8, len(code)); size++ {
		if i := x.set.Decode(code[len(code)-size:], 0); i.Size == size {
			out = append(out, i)
		}
	}
	return out
}

// isUndone reports whether one of the instructions that may be the last one
// before a jump undoes a frame. A jump out of a function is otherwise one to
// its cold part. A jump through a register or memory may be a switch, for
// which a pop alone does not tell: it has to be the one of what was pushed first.
func (x *intel) isUndone(body *frameState, last []isa.Insn, direct bool) bool {
	if body.base == x.sp && body.offset == x.word {
		return true
	}
	return slices.ContainsFunc(last, func(i isa.Insn) bool {
		switch {
		case i.Stack.Kind == isa.SetsSP: // leave
			return len(i.Stack.Regs()) > 0
		case i.Stack.Kind == isa.Moves && i.Stack.Move > 0:
			return direct || body.base == x.sp && body.offset == x.word+i.Stack.Move
		case x.isPop(&i) && x.kept(&i) != "":
			return direct || slices.Contains(body.saved, saved{x.kept(&i), -2 * x.word}) // next to the return address
		}
		return false
	})
}

// endsInCall reports whether an address is the last byte of a call, where a walk looks up a
// caller's rules: the bytes from there on are no instruction, even if they decode as one.
func (x *intel) endsInCall(f *File, before, code []byte, rel uint64) bool {
	if len(code) == 0 {
		return false
	}
	off, direct, indirect := x.set.CallBefore(append(before[:len(before):len(before)], code[0]))
	return indirect || direct && f.codeAt(rel+1+uint64(off)) != nil
}
