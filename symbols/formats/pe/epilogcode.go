package pe

import (
	"bytes"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
)

// Records of version 1 do not describe epilogs. Epilogs are recognised by their code, which the
// calling convention restricts: rsp is set once, by add from a constant or by lea from the frame
// register, registers are popped, and then comes ret, or jmp to another function.
//
// Source: x64 prolog and epilog, "Epilog code"; RtlVirtualUnwind defines the exact set.

// maxEpilog is as long as an epilog can be: one add or lea, a pop of each
// register, and a jump.
const maxEpilog = 7 + 16*2 + 7

// A decoder reads instructions of an epilog.
type decoder struct {
	code []byte
	pos  int
	addr uint64 // of code
}

func (d *decoder) here() []byte { return d.code[min(d.pos, len(d.code)):] }

func (d *decoder) insn() isa.Insn { return isa.AMD64.Decode(d.here(), d.addr+uint64(d.pos)) }

// release reads the instruction that sets rsp, if there is one: an addition of
// a constant, or lea from the frame register. Of those that set rsp from a
// register mov and leave are smaller, and nothing that Windows knows.
func (d *decoder) release(fr *frameState, frameReg uint8) bool {
	const lea = 4 // its smallest size
	switch i := d.insn(); {
	case i.Stack.Kind == isa.Moves && i.Stack.Move > 0:
		fr.sp = fr.sp.plus(i.Stack.Move)
		d.pos += i.Size
	case i.Stack.Kind == isa.SetsSP && i.Size >= lea && frameReg != 0 && amd64Numbers[i.Stack.Base] == frameReg:
		fr.sp = regOffset{amd64Regs[frameReg], i.Stack.Off}
		d.pos += i.Size
	default:
		return false
	}
	return true
}

// pop reads a pop of a register.
func (d *decoder) pop() (reg uint8, ok bool) {
	i := d.insn()
	if i.Stack.Kind != isa.Loads || i.Stack.Move != 8 || i.Flow != isa.Next || i.Stack.Has(cpu.None) {
		return 0, false
	}
	d.pos += i.Size
	return amd64Numbers[i.Stack.Regs()[0]], true
}

// An exit is the last instruction of an epilog.
type exit uint8

const (
	noExit   exit = iota
	byReturn      // ret, also with a prefix
	byTail        // an indirect jmp with REX.W, which does nothing but tell that it leaves
	byImport      // jmp [rip+disp32]
	byJump        // jmp rel8 or rel32: it leaves if its target is elsewhere
)

// exit reads the last instruction. It may have a prefix bnd, but only returns
// may have another.
func (d *decoder) exit() (how exit, i isa.Insn) {
	const bnd, rexW = 0xf2, 0x48
	i = d.insn()
	code := bytes.TrimPrefix(d.here()[:i.Size], []byte{bnd})
	switch {
	case i.Flow == isa.Return && i.Stack.Kind == isa.Loads:
		how = byReturn
	case i.Flow == isa.Jump && (code[0] == 0xe9 || code[0] == 0xeb):
		how = byJump
	case i.Flow == isa.JumpMem && code[0] == 0xff && code[1] == 0x25:
		how = byImport
	case (i.Flow == isa.JumpMem || i.Flow == isa.JumpReg) && code[0]&0xf8 == rexW:
		how = byTail
	default:
		return noExit, i
	}
	d.pos += i.Size
	return how, i
}
