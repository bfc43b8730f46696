package macho

import (
	"bytes"
	"encoding/binary"
)

// An op is what an instruction at a function's start or end does to the stack.
type op uint8

const (
	opNone   op = iota // it is none of these
	opKeep             // nothing: endbr64
	opPush             // reg
	opPop              // reg
	opGrow             // by n bytes
	opShrink           // by n bytes
	opFrame            // the frame pointer becomes the stack pointer
	opReturn
	opJump // to n bytes behind the instruction
)

// An inst is one instruction.
type inst struct {
	op  op
	reg byte
	n   int64
	len int
}

// decode reads one of the instructions that begin and end functions. In 64-bit
// code most have a REX prefix.
//
// Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.
func (x *intel) decode(code []byte) inst {
	var high byte // 8 for r8 to r15
	b := code
	prefix := 0
	wide := x.word == 4
	if x.word == 8 && len(b) > 0 && b[0]&0xf0 == 0x40 {
		high, wide, prefix, b = b[0]&1<<3, b[0]&8 != 0, 1, b[1:]
	}
	if len(b) == 0 {
		return inst{}
	}
	i := x.decodeShort(b, high)
	if i.op == opNone && wide && high == 0 {
		i = decodeArithmetic(b)
	}
	if i.op != opNone {
		i.len += prefix
	}
	return i
}

func (x *intel) decodeShort(b []byte, high byte) inst {
	switch {
	case b[0]&0xf8 == 0x50:
		return inst{op: opPush, reg: b[0]&7 | high, len: 1}
	case b[0]&0xf8 == 0x58:
		return inst{op: opPop, reg: b[0]&7 | high, len: 1}
	case high != 0:
		return inst{}
	case b[0] == 0xc3:
		return inst{op: opReturn, len: 1}
	case b[0] == 0xc2 && len(b) >= 3:
		return inst{op: opReturn, len: 3}
	case len(b) >= 2 && b[0] == 0xf3 && b[1] == 0xc3:
		return inst{op: opReturn, len: 2}
	case len(b) >= 2 && b[0] == 0xeb:
		return inst{op: opJump, n: int64(int8(b[1])), len: 2}
	case len(b) >= 5 && b[0] == 0xe9:
		return inst{op: opJump, n: int64(int32(binary.LittleEndian.Uint32(b[1:]))), len: 5}
	case bytes.HasPrefix(b, []byte{0xf3, 0x0f, 0x1e, 0xfa}), bytes.HasPrefix(b, []byte{0xf3, 0x0f, 0x1e, 0xfb}):
		return inst{op: opKeep, len: 4}
	}
	return inst{}
}

// decodeArithmetic reads what is done to the stack pointer as a whole word.
func decodeArithmetic(b []byte) inst {
	switch {
	case len(b) >= 2 && (b[0] == 0x89 && b[1] == 0xe5 || b[0] == 0x8b && b[1] == 0xec):
		return inst{op: opFrame, len: 2}
	case len(b) >= 3 && b[0] == 0x83 && b[1] == 0xec:
		return inst{op: opGrow, n: int64(int8(b[2])), len: 3}
	case len(b) >= 6 && b[0] == 0x81 && b[1] == 0xec:
		return inst{op: opGrow, n: int64(int32(binary.LittleEndian.Uint32(b[2:]))), len: 6}
	case len(b) >= 3 && b[0] == 0x83 && b[1] == 0xc4:
		return inst{op: opShrink, n: int64(int8(b[2])), len: 3}
	case len(b) >= 6 && b[0] == 0x81 && b[1] == 0xc4:
		return inst{op: opShrink, n: int64(int32(binary.LittleEndian.Uint32(b[2:]))), len: 6}
	}
	return inst{}
}

func (x *intel) prolog(code []byte, at int) (*frame, bool) {
	fr := x.leaf()
	depth := x.word
	for pos := 0; pos < at; {
		i := x.decode(code[min(pos, len(code)):])
		switch i.op {
		case opKeep:
		case opPush:
			depth += x.word
			if reg := x.pushed[i.reg]; reg != "" && !fr.has(reg) {
				fr.saved = append(fr.saved, saved{reg, -depth})
			}
		case opGrow:
			depth += i.n
		case opFrame:
			fr.base, fr.offset = x.fp, depth
		default:
			return nil, false
		}
		if fr.base == x.sp {
			fr.offset = depth
		}
		pos += i.len
		if pos > at || i.n < 0 { // inside of an instruction
			return nil, false
		}
	}
	return fr, true
}

// steps are where instructions of the prolog end.
func (x *intel) steps(code []byte) (out []int) {
	for pos := 0; pos < len(code); {
		i := x.decode(code[pos:])
		switch i.op {
		case opKeep, opPush, opGrow, opFrame:
			pos += i.len
			out = append(out, pos)
		default:
			return out
		}
	}
	return out
}

// epilog pops what is left to pop, and returns or jumps to another function.
// Before the first pop the body's rules hold. Nothing but registers that the
// body has saved is popped, each once.
func (x *intel) epilog(f *File, before, code []byte, rel uint64, r run, body *frame) (*frame, bool) {
	if f.endsInCall(before, code, rel) {
		return nil, false
	}
	fr := &frame{base: x.sp, offset: x.word}
	for pos := 0; pos < len(code); {
		i := x.decode(code[pos:])
		pos += i.len
		switch i.op {
		case opPop:
			reg := x.pushed[i.reg]
			if reg == "" || fr.has(reg) || !body.has(reg) {
				return nil, false
			}
			fr.saved = append(fr.saved, saved{reg, fr.offset - x.word})
			fr.offset += x.word
			continue
		case opReturn:
		case opJump:
			target := rel + uint64(pos) + uint64(i.n)
			if target >= r.start && target < r.end || f.codeAt(target) == nil {
				return nil, false
			}
			if len(fr.saved) == 0 && !x.hasPopped(before) && (body.base != x.sp || body.offset != x.word) {
				return nil, false
			}
		default:
			return nil, false
		}
		return x.finish(fr), true
	}
	return nil, false
}

// finish makes offsets from the stack pointer ones from the CFA.
func (x *intel) finish(fr *frame) *frame {
	for i := range fr.saved {
		fr.saved[i].at -= fr.offset
	}
	fr.saved = append([]saved{{returnAddress, -x.word}}, fr.saved...)
	return fr
}

// hasPopped reports whether the instruction before an address gives up a
// frame: a jump out of a function is otherwise one to its cold part.
func (x *intel) hasPopped(before []byte) bool {
	n := len(before)
	for _, l := range []int{1, 2, 3, 4, 6, 7} { // pop, pop of r8 and up, add in all sizes
		if l > n {
			break
		}
		if i := x.decode(before[n-l:]); i.len == l && (i.op == opPop && x.pushed[i.reg] != "" || i.op == opShrink) {
			return true
		}
	}
	return false
}

// endsInCall reports whether an address is the last byte of a call, which is
// where a walk looks for a caller's rules: code from there on is no
// instruction, however much it looks like one.
func (f *File) endsInCall(before, code []byte, rel uint64) bool {
	n := len(before)
	if n < 5 || len(code) == 0 {
		return false
	}
	if before[n-5] == 0xff && before[n-4] == 0x15 {
		return true
	}
	last := append(before[n-3:n:n], code[0])
	return before[n-4] == 0xe8 && f.codeAt(rel+1+uint64(int32(binary.LittleEndian.Uint32(last)))) != nil
}
