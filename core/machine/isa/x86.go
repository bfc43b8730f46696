package isa

import (
	"encoding/binary"

	"crashglass/core/machine/cpu"
)

// An x86 is an instruction that is being read.
type x86 struct {
	code   []byte // from the opcode on
	prefix int    // bytes of prefixes
	resize bool   // data16 or addr32 is among them
	rex    byte   // 0 for none
	word   int64
	addr   uint64
}

// decodeX86 decodes calls, jumps, returns and traps, and the instructions of prologues and
// epilogues. Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.
func decodeX86(s *Set, code []byte, addr uint64) Insn {
	x := x86{code: code, word: int64(s.Arch.Word), addr: addr}
	if i, ok := x.nop(); ok {
		return i
	}
	if !x.prefixes() {
		return Insn{}
	}
	i := x.flow()
	if x.resize && !(x.word == 8 && (i.Flow == Call || i.HasTarget)) {
		return Insn{} // neither padding of a linker, nor of the size that it seems to have
	}
	if i.Size == 0 && x.prefix == x.rexSize() {
		i = x.stack()
	}
	if i.Size == 0 {
		return Insn{}
	}
	i.Size += x.prefix
	if i.Size > len(code) {
		return Insn{}
	}
	return i
}

// maxPrefixes is one more than the prefixes that linkers put in front of a call of __tls_get_addr
// (data16, data16, rex.W).
const maxPrefixes = 4

// prefixes skips those that do not matter to jumps: bnd and repne, rep,
// notrack, branch hints, data16 and addr32. It reports false if nothing follows.
func (x *x86) prefixes() bool {
	for x.prefix < min(maxPrefixes, len(x.code)) {
		b := x.code[x.prefix]
		switch {
		case b == 0x66, b == 0x67:
			x.resize = true
			x.prefix++
			continue
		case b == 0xf2, b == 0xf3, b == 0x3e, b == 0x2e:
			x.prefix++
			continue
		case x.word == 8 && b&0xf0 == 0x40:
			x.rex = b
			x.prefix++
		}
		break
	}
	x.code = x.code[x.prefix:]
	return len(x.code) > 0
}

func (x *x86) rexSize() int {
	if x.rex != 0 {
		return 1
	}
	return 0
}

// byteAt returns a byte of the instruction, or 0 behind the end of the code. The caller then finds
// that the instruction is longer than the code.
func (x *x86) byteAt(at int) byte {
	if at < len(x.code) {
		return x.code[at]
	}
	return 0
}

// number reads a signed number of 1 or 4 bytes.
func (x *x86) number(at, size int) int64 {
	switch {
	case size == 1:
		return int64(int8(x.byteAt(at)))
	case at+4 > len(x.code):
		return 0
	}
	return int64(int32(binary.LittleEndian.Uint32(x.code[at:])))
}

// relative makes an instruction whose target is relative to its end.
func (x *x86) relative(f Flow, at, size int) Insn {
	n := at + size
	i := to(f, x.addr+uint64(x.prefix+n)+uint64(x.number(at, size)))
	i.Size = n
	return i
}

// flow decodes instructions that do not continue with the next one.
func (x *x86) flow() Insn {
	switch b := x.code[0]; {
	case (b == 0xc3 || b == 0xc2) && x.rex != 0: // the inside of another instruction
		return Insn{}
	case b == 0xc3:
		return x.ret(1, 0)
	case b == 0xc2:
		return x.ret(3, int64(x.byteAt(1))|int64(x.byteAt(2))<<8)
	case b == 0xcb, b == 0xcf: // retf, iret
		return Insn{Size: 1, Flow: Return, Stack: unreadable}
	case b == 0xca:
		return Insn{Size: 3, Flow: Return, Stack: unreadable}
	case b == 0xe8:
		return x.relative(Call, 1, 4)
	case b == 0xe9:
		return x.relative(Jump, 1, 4)
	case b == 0xeb:
		return x.relative(Jump, 1, 1)
	case b&0xf0 == 0x70, b&0xfc == 0xe0: // jcc; loop, jecxz
		return x.relative(CondBranch, 1, 1)
	case b == 0x9a && x.word == 4: // call far
		return Insn{Size: 7, Flow: Call}
	case b == 0xea && x.word == 4: // jmp far
		return Insn{Size: 7, Flow: Jump}
	case b == 0xff:
		return x.through()
	case b == 0x0f:
		return x.long()
	}
	return x.trap()
}

// ret makes a return that also pops bytes of arguments.
func (x *x86) ret(size int, bytes int64) Insn {
	pc := cpu.RIP
	if x.word == 4 {
		pc = cpu.EIP
	}
	return Insn{Size: size, Flow: Return, Stack: loads(0, pc).moving(x.word + bytes)}
}

// through decodes calls and jumps through a register or memory (ff /2 to /5).
func (x *x86) through() Insn {
	modrm := x.byteAt(1)
	i := Insn{Size: 1 + operandSize(modrm, x.byteAt(2))}
	switch op := modrm >> 3 & 7; {
	case op == 2 || op == 3:
		i.Flow = Call
	case op == 4 && modrm>>6 == 3:
		i.Flow = JumpReg
	case op == 4 || op == 5:
		i.Flow = JumpMem
	default:
		return Insn{}
	}
	return i
}

// long decodes opcodes of two bytes.
func (x *x86) long() Insn {
	switch b := x.byteAt(1); {
	case b&0xf0 == 0x80: // jcc
		return x.relative(CondBranch, 2, 4)
	case b == 0x0b: // ud2
		return Insn{Size: 2, Flow: Trap}
	case b == 0xb9: // ud1
		return Insn{Size: 2 + operandSize(x.byteAt(2), x.byteAt(3)), Flow: Trap}
	}
	return Insn{}
}

// trap reads int3, int1, hlt and Windows' int 29h, which does not return.
func (x *x86) trap() Insn {
	switch b := x.code[0]; {
	case b == 0xcc, b == 0xf1, b == 0xf4:
		return Insn{Size: 1, Flow: Trap}
	case b == 0xcd && (x.byteAt(1) == 0x29 || x.byteAt(1) == 3):
		return Insn{Size: 2, Flow: Trap}
	}
	return Insn{}
}

// operandSize returns the size of an operand: its ModRM byte, an optional SIB byte, and a
// displacement. Source: AMD64 Architecture Programmer's Manual, volume 3, "ModRM and SIB Bytes".
func operandSize(modrm, sib byte) int {
	mod, rm, size := modrm>>6, modrm&7, 1
	if mod == 3 {
		return size
	}
	if rm == 4 {
		size++
		if mod == 0 && sib&7 == 5 {
			size += 4
		}
	}
	switch {
	case mod == 1:
		size++
	case mod == 2, mod == 0 && rm == 5:
		size += 4
	}
	return size
}

// CallBefore reports whether code of x86 or amd64 ends in a call through a register, through
// memory, or to an address. For the latter it returns the distance from the end of the code,
// because any four bytes behind an e8 look like such a call.
//
//	e8 rel32                  call near
//	ff /2 with its operand    call through a register or memory
//	9a ptr16:32               call far (x86)
//
// Prefixes do not matter, because only the end is examined. Intel SDM, volume 2, CALL.
func (s *Set) CallBefore(code []byte) (rel int64, direct, indirect bool) {
	n := len(code)
	if n >= 5 && code[n-5] == 0xe8 {
		rel, direct = int64(int32(binary.LittleEndian.Uint32(code[n-4:]))), true
	}
	return rel, direct, s == X86 && n >= 7 && code[n-7] == 0x9a || endsInIndirectCall(code)
}

// maxIndirectCall is ff, ModRM, SIB and four bytes.
const maxIndirectCall = 7

func endsInIndirectCall(code []byte) bool {
	n := len(code)
	for size := 2; size <= min(maxIndirectCall, n); size++ {
		insn := code[n-size:]
		if insn[0] == 0xff && insn[1]>>3&7 == 2 && 1+operandSize(insn[1], insn[min(2, size-1)]) == size {
			return true
		}
	}
	return false
}
