package macho

import (
	"slices"

	"crashglass/core/machine/isa"
)

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

// prolog is armFrames.prolog for x86 and x86_64.
func (x *intel) prolog(code []byte, at int) (*frameState, bool) {
	fr := x.leaf()
	depth := x.word
	for pos := 0; pos < at; {
		i := x.set.Decode(code[min(pos, len(code)):], 0)
		if pos += i.Size; pos > at || !x.isProlog(&i) { // inside of an instruction, or another one
			return nil, false
		}
		depth -= i.Stack.Move
		if reg := x.kept(&i); reg != "" && !fr.has(reg) {
			fr.saved = append(fr.saved, saved{reg, -depth})
		}
		switch {
		case i.Stack.Kind == isa.SetsFP:
			fr.base, fr.offset = x.fp, depth-i.Stack.Off
		case fr.base == x.sp:
			fr.offset = depth
		}
	}
	return fr, true
}

// steps are where instructions of the prolog end.
func (x *intel) steps(code []byte) (out []int) {
	for pos := 0; pos < len(code); {
		i := x.set.Decode(code[pos:], 0)
		if !x.isProlog(&i) {
			break
		}
		pos += i.Size
		out = append(out, pos)
	}
	return out
}

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
	for i := range fr.saved {
		fr.saved[i].at -= fr.offset
	}
	fr.saved = append([]saved{{returnAddress, -x.word}}, fr.saved...)
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
			return direct || body.savedFirst(x.kept(&i), x.word)
		}
		return false
	})
}

// savedFirst reports whether a register is saved next to the return address.
func (fr *frameState) savedFirst(reg string, word int64) bool {
	return slices.Contains(fr.saved, saved{reg, -2 * word})
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
