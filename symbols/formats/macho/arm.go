package macho

import (
	"strconv"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
)

// Modes of encodings of arm64.
const (
	armFrameless = 0x0200_0000
	armDWARF     = 0x0300_0000
	armFrame     = 0x0400_0000
)

// armPairs are the pairs of registers that an encoding has a bit for, in the
// order in which they are saved. Those of floating point, which no walk needs,
// take up room all the same.
var armPairs = []struct {
	bit uint32
	reg int // 0 for floating point
}{{0x1, 19}, {0x2, 21}, {0x4, 23}, {0x8, 25}, {0x10, 27}, {0x100, 0}, {0x200, 0}, {0x400, 0}, {0x800, 0}}

// armReg is the name of a register that unwind rules have.
func armReg(n int) string { return "x" + strconv.Itoa(n) }

const (
	armSP = "sp"
	armFP = "x29"
	armLR = "x30"
)

// armFrames reads encodings and instructions of arm64. Source: <mach-o/compact_unwind_encoding.h>,
// UNWIND_ARM64_MODE_FRAMELESS and the others.
type armFrames struct{}

// leaf is the frame of a function that has not changed the stack: its return address is in lr.
func (armFrames) leaf() *frameState { return &frameState{base: armSP, inReg: armLR} }

// body is the frame between prologue and epilogue by an encoding. It reports false for one that refers to
// DWARF, or that saves more than its frame has room for.
func (a armFrames) body(encoding uint32, _ []byte) (*frameState, bool) {
	switch encoding & modeMask {
	case armFrameless:
		fr := a.leaf()
		fr.offset = 16 * int64(encoding>>12&0xfff)
		return fr, fr.savePairs(encoding, 0)
	case armFrame:
		fr := &frameState{base: armFP, offset: 16, saved: []saved{{returnAddress, -8}, {armFP, -16}}}
		return fr, fr.savePairs(encoding, -16)
	}
	return nil, false
}

// savePairs saves the registers of an encoding below an offset from the CFA.
func (fr *frameState) savePairs(encoding uint32, at int64) bool {
	for _, pair := range armPairs {
		if encoding&pair.bit == 0 {
			continue
		}
		at -= 16
		if pair.reg != 0 {
			fr.saved = append(fr.saved, saved{armReg(pair.reg), at + 8}, saved{armReg(pair.reg + 1), at})
		}
	}
	return fr.base == armFP || -at <= fr.offset
}

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

// armCode reads the first instructions of functions.
var armCode = prologCode{set: isa.ARM64, fp: armFP, begins: isArmProlog, name: armName}

func (a armFrames) prolog(code []byte, at int) (*frameState, bool) {
	return armCode.run(a.leaf(), code, (at+3)&^3)
}

func (armFrames) steps(code []byte) []int { return armCode.steps(code) }

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
		armCode.save(fr, &i.Stack, fr.offset)
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

// The target of a jump through a register or memory is unknown.
func (f *File) leaves(i *isa.Insn, r run) bool {
	if !i.HasTarget {
		return true
	}
	return (i.Target < r.start || i.Target >= r.end) && f.codeAt(i.Target) != nil
}
