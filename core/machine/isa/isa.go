// Package isa recognizes the few instructions that matter to unwinding: where execution continues,
// and the effect on the stack. The unwinder and all readers of symbol files share one list per
// instruction set.
//
//	i := isa.ARM64.Decode(code, addr)
//	switch {
//	case i.Flow == isa.Return:
//		// the caller's frame is complete
//	case i.Stack.Kind == isa.Loads:
//		// i.Stack.Regs() are loaded from sp+i.Stack.Off
//	}
//
// The sets with instructions of fixed size give the size and the flow of any instruction. X86 and
// AMD64 know calls, branches, exits, and the instructions of prologues and epilogues. Everything
// else is Unknown there, because its size needs a complete decoder, which is package disasm.
//
// Any bytes give an answer. Code that ends inside of an instruction is Unknown.
//
// Read this file first, then effect.go, the effect of an instruction on the stack, and a CPU:
// arm64.go with arm64stack.go, x86.go with x86stack.go, arm.go with thumb.go and
// thumbwide.go, riscv.go, mips.go, ppc.go.
package isa

import "crashglass/core/machine/cpu"

// A Flow is where execution goes after an instruction.
type Flow uint8

// Unknown is also the answer for T32's IT, because Decode does not track the conditional
// instructions behind it.
const (
	Unknown    Flow = iota
	Next            // to the next instruction
	Call            // to a function, which returns behind it
	CondBranch      // to Target, if that is known, or to the next instruction; also a conditional return
	Jump            // to Target
	JumpReg         // to the address in a register
	JumpMem         // to the address in memory: a tail call, or a jump table
	Return          // to the caller, or out of an interrupt
	Trap            // nowhere: breakpoints, undefined instructions, halts
)

// Leaves reports whether execution never continues behind an instruction. A jump leaves the
// function only if its target lies outside.
func (f Flow) Leaves() bool { return f >= Jump }

// An Insn is one instruction.
type Insn struct {
	Size int // in bytes; 0 for Unknown ones whose size is not known
	Flow Flow

	// Delay says that the next instruction is executed first (MIPS).
	Delay bool

	// Hint says that the instruction only marks, signs or checks: endbr64, bti, paciasp, and nop of
	// ARM. A nop of x86 is none, because it pads any code.
	Hint bool

	// Auth says that the instruction checks the signature of the return address in x30 (autiasp,
	// autibsp). For that, sp must have its value on entry.
	Auth bool

	// Target is the address of a direct call, jump or branch. It has no lowest bit where ARM code
	// switches to Thumb or back.
	Target    uint64
	HasTarget bool

	Stack Effect
}

// A Set is an instruction set.
type Set struct {
	Name string
	Arch *cpu.Arch // whose registers effects name
	Min  int       // size of the shortest instruction, and the alignment of all

	big    bool // the byte order of Decode's code
	decode func(s *Set, code []byte, addr uint64) Insn
}

// The instruction sets. MIPS is little-endian; BigEndian gives the other order.
var (
	X86     = &Set{Name: "x86", Arch: &cpu.X86, Min: 1, decode: decodeX86}
	AMD64   = &Set{Name: "amd64", Arch: &cpu.AMD64, Min: 1, decode: decodeX86}
	ARM64   = &Set{Name: "arm64", Arch: &cpu.ARM64, Min: 4, decode: words(arm64)}
	ARM     = &Set{Name: "arm", Arch: &cpu.ARM, Min: 4, decode: words(arm)}
	Thumb   = &Set{Name: "thumb", Arch: &cpu.ARM, Min: 2, decode: halfwords(thumbSize, thumb)}
	RISCV32 = &Set{Name: "riscv", Arch: &cpu.RISCV, Min: 2, decode: halfwords(riscvSize, riscv)}
	RISCV64 = &Set{Name: "riscv64", Arch: &cpu.RISCV64, Min: 2, decode: halfwords(riscvSize, riscv)}
	MIPS    = &Set{Name: "mips", Arch: &cpu.MIPS, Min: 4, decode: words(mips)}
	MIPS64  = &Set{Name: "mips64", Arch: &cpu.MIPS64, Min: 4, decode: words(mips)}
	PPC     = &Set{Name: "ppc", Arch: &cpu.PPC, Min: 4, big: true, decode: words(ppc)}
	PPC64   = &Set{Name: "ppc64", Arch: &cpu.PPC64, Min: 4, big: true, decode: words(ppc)}
)

// BigEndian is the same instruction set in the given byte order.
func (s *Set) BigEndian(big bool) *Set {
	other := *s
	other.big = big
	return &other
}

// Decode reads the instruction at addr, which is the first of code.
func (s *Set) Decode(code []byte, addr uint64) Insn {
	i := s.decode(s, code, addr)
	if s.Arch.Word == 4 {
		i.Target &= 0xffff_ffff
	}
	return i
}

// word reads size bytes in the set's order.
func (s *Set) word(code []byte, size int) (v uint32) {
	for i, b := range code[:size] {
		if s.big {
			i = size - 1 - i
		}
		v |= uint32(b) << (8 * i)
	}
	return v
}

// words decodes instructions of four bytes.
func words(read func(s *Set, w uint32, addr uint64) Insn) func(*Set, []byte, uint64) Insn {
	return func(s *Set, code []byte, addr uint64) Insn {
		if len(code) < 4 {
			return Insn{}
		}
		i := read(s, s.word(code, 4), addr)
		i.Size = 4
		return i
	}
}

// halfwords decodes instructions whose first halfword determines their size. The first halfword is
// the lower one.
func halfwords(size func(first uint32) int, read func(s *Set, w uint32, addr uint64) Insn) func(*Set, []byte, uint64) Insn {
	return func(s *Set, code []byte, addr uint64) Insn {
		if len(code) < 2 {
			return Insn{}
		}
		w := s.word(code, 2)
		n := size(w)
		if n == 0 || n > len(code) {
			return Insn{}
		}
		if n == 4 {
			w |= s.word(code[2:], 2) << 16
		}
		i := read(s, w, addr)
		i.Size = n
		return i
	}
}

// next makes an instruction that continues with the next one and has an effect on the stack.
func next(e Effect) Insn { return Insn{Flow: Next, Stack: e} }

// to makes an instruction with a target.
func to(f Flow, target uint64) Insn { return Insn{Flow: f, Target: target, HasTarget: true} }

// signed extends the sign of a number of some bits.
func signed(v uint32, bits int) int64 { return int64(int32(v<<(32-bits)) >> (32 - bits)) }

// rel returns an address plus a signed, shifted number of some bits.
func rel(addr uint64, v uint32, bits, shift int) uint64 {
	return addr + uint64(signed(v, bits)<<shift)
}
