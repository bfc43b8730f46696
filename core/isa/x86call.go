package isa

import "encoding/binary"

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
