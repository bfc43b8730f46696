package macho

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
)

// armName is the register that a walk knows by a number; "" for those that
// functions may change, and for those of floating point.
func armName(reg cpu.Reg) string {
	switch {
	case reg == cpu.A64LR:
		return returnAddress
	case reg >= 19 && reg <= cpu.A64FP:
		return armReg(int(reg))
	}
	return ""
}

// prolog is the frame before the instruction at an offset, by the instructions before it. It reports false
// if one of them belongs to no prologue.
func (a armFrames) prolog(code []byte, at int) (*frameState, bool) {
	fr := a.leaf()
	depth := int64(0)
	for pos := 0; pos < at; pos += 4 {
		i := isa.ARM64.Decode(code[min(pos, len(code)):], 0)
		if !isArmProlog(&i) {
			return nil, false
		}
		depth -= i.Stack.Move
		fr.addSaved(&i.Stack, -depth)
		switch {
		case i.Stack.Kind == isa.SetsFP:
			fr.base, fr.offset = armFP, depth-i.Stack.Off
		case fr.base == armSP:
			fr.offset = depth
		}
	}
	return fr, true
}

// addSaved adds the registers that an instruction stores or loads at an offset. The first place of a
// register is kept.
func (fr *frameState) addSaved(e *isa.Effect, at int64) {
	for k, reg := range e.Regs() {
		if name := armName(reg); name != "" && !fr.has(name) {
			fr.saved = append(fr.saved, saved{name, at + e.Off + 8*int64(k)})
		}
	}
}

// isArmProlog reports whether an instruction belongs to a prologue: it stores registers, or moves the stack
// pointer down. Hints are pacibsp and bti, for example.
func isArmProlog(i *isa.Insn) bool {
	switch i.Stack.Kind {
	case isa.SetsFP:
		return true
	case isa.Stores, isa.Moves:
		return i.Stack.Move <= 0
	}
	return i.Hint
}

// steps are the offsets behind each instruction of the prologue, where the rules may change.
func (armFrames) steps(code []byte) (out []int) {
	for pos := 0; pos+4 <= len(code); pos += 4 {
		if i := isa.ARM64.Decode(code[pos:], 0); !isArmProlog(&i) {
			break
		}
		out = append(out, pos+4)
	}
	return out
}

// epilog runs loads and additions to the stack pointer up to a return, or a jump to another
// function. Registers that it still loads are on the stack; others were loaded before, or never
// saved. A jump alone is no evidence: it may lead to the function's cold part, or be a switch.
func (a armFrames) epilog(f *File, before, code []byte, rel uint64, r run, body *frameState) (*frameState, bool) {
	fr := a.leaf()
	for pos := 0; pos+4 <= len(code); pos += 4 {
		if n := isa.AuthCheck(code[pos:]); n > 0 {
			pos += n - 4
			continue
		}
		i := isa.ARM64.Decode(code[pos:], rel+uint64(pos))
		switch {
		case i.Flow == isa.Return:
			return fr.relative(), true
		case i.Flow == isa.Jump, i.Flow == isa.JumpReg:
			if !body.isUndone(code[:pos]) && !body.isUndone(append(before[:len(before):len(before)], code[:pos]...)) || !f.leaves(&i, r) {
				return nil, false
			}
			return fr.relative(), true
		case !isArmEpilog(&i):
			return nil, false
		}
		fr.addSaved(&i.Stack, fr.offset)
		fr.offset += i.Stack.Move
	}
	return nil, false
}

// isArmEpilog reports whether an instruction belongs to an epilogue: it loads registers, or moves the stack
// pointer up.
func isArmEpilog(i *isa.Insn) bool {
	switch i.Stack.Kind {
	case isa.Loads, isa.Moves:
		return i.Stack.Move >= 0
	}
	return i.Hint
}

// isUndone reports whether arm64 code ends in what undoes this frame: it has
// loaded the return address or given up all of the stack, or has checked the
// return address's signature, which needs the stack pointer of the entry.
func (fr *frameState) isUndone(code []byte) bool {
	left := fr.offset
	for fr.base != armSP || left != 0 {
		at := len(code) - 4
		if at < 0 {
			return false
		}
		if at >= 4 && isa.AuthCheck(code[at-4:]) == 8 {
			return true
		}
		i := isa.ARM64.Decode(code[at:], 0)
		if i.Auth || i.Stack.Kind == isa.Loads && i.Stack.Has(cpu.A64LR) {
			return true
		}
		if !isArmEpilog(&i) {
			return false
		}
		left -= i.Stack.Move
		code = code[:at]
	}
	return true
}

// relative makes offsets from the stack pointer ones from the CFA.
func (fr *frameState) relative() *frameState {
	for i := range fr.saved {
		fr.saved[i].at -= fr.offset
	}
	return fr
}

// leaves reports whether a jump leaves a function. The target of a jump through a register or
// memory is unknown.
func (f *File) leaves(i *isa.Insn, r run) bool {
	if !i.HasTarget {
		return true
	}
	return (i.Target < r.start || i.Target >= r.end) && f.codeAt(i.Target) != nil
}
