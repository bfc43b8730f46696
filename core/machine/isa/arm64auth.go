package isa

import "encoding/binary"

// authCheck is the code that compilers put between autibsp and the jump of a tail call. In contrast
// to retab, a jump does not fault after a failed check; autibsp only leaves two bits of x30
// different.
//
//	ca1e07d0  eor x16, x30, x30, lsl #1    or x17
//	b6f00050  tbz x16, #62, .+8
//	d4388e20  brk #0xc471                  or 0xc470, for autiasp
//
// Source: LLVM, lib/Target/AArch64/AArch64PointerAuth.cpp, checkAuthenticatedLR.
var authCheck = []struct{ mask, value uint32 }{
	{0xffff_fffe, 0xca1e_07d0},
	{0xffff_fffe, 0xb6f0_0050},
	{0xffff_ffdf, 0xd438_8e00},
}

// AuthCheck returns the length of the check of an authenticated return address in front of a tail
// call, from any of its three instructions on; 0 if there is none. The frame is already popped
// there.
func AuthCheck(code []byte) int {
	for first := range authCheck {
		if n := 4 * (len(authCheck) - first); isAuthCheck(code, first) {
			return n
		}
	}
	return 0
}

func isAuthCheck(code []byte, first int) bool {
	for _, insn := range authCheck[first:] {
		if len(code) < 4 || binary.LittleEndian.Uint32(code)&insn.mask != insn.value {
			return false
		}
		code = code[4:]
	}
	return true
}
