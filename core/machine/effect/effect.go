// Package effect says which registers an instruction changes, and where their new values come from.
//
//	e := effect.Of(&cpu.AMD64, &inst, code) // mov rax, [rbx+8]
//	fmt.Println(e.Writes.Has(cpu.RAX), e.Sets[0].Kind) // true, Load
//
// Writes may have more registers than change, never fewer. If even that is unknown, Known is false. The
// tables are for amd64, x86, arm64 and ARM (not Thumb). Effects on flags and vector registers are left out.
//
// Read this file first, then a CPU: x86.go, arm64.go, arm.go.
package effect

import (
	"slices"

	"crashglass/core/machine/cpu"
)

// A Kind is where a value comes from.
type Kind uint8

// The kinds.
const (
	Sum      Kind = iota + 1 // the address that Mem describes: also a copy of a register, without a displacement
	Load                     // a word of memory at Mem
	Constant                 // Value
)

// A Move is a value that an instruction moves: into a register, or from one to memory.
type Move struct {
	Reg   cpu.Reg
	Kind  Kind
	Mem   cpu.MemOp // of Sum and Load, by the registers before the instruction
	Value uint64    // of Constant
}

// An Effect is what one instruction does to registers and memory.
type Effect struct {
	Known  bool    // false: any register may change, and any memory
	Writes cpu.Set // registers that may change; those of a call are the ones that calls preserve not
	Sets   []Move  // the changes whose values are known
	Stored []Move  // words that are stored to memory at Mem: of the register Reg or, without one, of Value
	Stores bool    // memory changes, also by a call
	Call   bool
}

// Of returns the effect of a decoded instruction of a CPU, whose bytes are the first of code.
func Of(arch *cpu.Arch, inst *cpu.Inst, code []byte) Effect {
	var e Effect
	switch arch {
	case &cpu.AMD64, &cpu.X86:
		e = x86(arch, inst)
	case &cpu.ARM64:
		e = words(code, inst, arm64)
	case &cpu.ARM:
		e = words(code, inst, arm)
	}
	e.Known = e.Known && inst.Flow != cpu.Trap
	odd := func(m Move) bool { return m.Mem.Unknown || m.Mem.Segment != "" || m.Mem.Width != 0 }
	e.Sets, e.Stored = slices.DeleteFunc(e.Sets, odd), slices.DeleteFunc(e.Stored, odd)
	for i := range inst.Operands {
		e.Stores = e.Stores || inst.Operands[i].Kind == cpu.Memory && inst.Operands[i].Mem.Access&cpu.Write != 0
	}
	for i := range inst.Implicit {
		e.Stores = e.Stores || inst.Implicit[i].Access&cpu.Write != 0
	}
	if inst.Flow == cpu.Call {
		all := cpu.Set(1)<<len(arch.Regs) - 1
		return Effect{Known: e.Known, Call: true, Stores: true, Writes: all &^ arch.CalleeSaved &^ cpu.SetOf(arch.SP)}
	}
	return e
}

// words is for CPUs with instructions of four bytes.
func words(code []byte, inst *cpu.Inst, of func(w uint32, inst *cpu.Inst) Effect) Effect {
	if len(code) < 4 {
		return Effect{}
	}
	return of(uint32(code[0])|uint32(code[1])<<8|uint32(code[2])<<16|uint32(code[3])<<24, inst)
}

// field returns bits high to low of an encoding.
func field(w uint32, high, low uint) uint32 { return w >> low & (1<<(high-low+1) - 1) }

func memory(inst *cpu.Inst) *cpu.MemOp {
	for i := range inst.Operands {
		if inst.Operands[i].Kind == cpu.Memory {
			return &inst.Operands[i].Mem
		}
	}
	return nil
}

// add is the value base + index*scale + disp.
func add(to, base, index cpu.Reg, scale uint8, disp int64) Move {
	return Move{Reg: to, Kind: Sum, Mem: cpu.MemOp{Base: base, Index: index, Scale: scale, Disp: disp}}
}

// moved are registers that are loaded or stored one after another at an address, each of one word.
func moved(m *cpu.MemOp, word int, regs ...cpu.Reg) (out []Move) {
	for i, r := range regs {
		at := *m
		at.Disp, at.Size = at.Disp+int64(i*word), word
		if r != cpu.None {
			out = append(out, Move{Reg: r, Kind: Load, Mem: at})
		}
	}
	return out
}
