package isa

import "encoding/binary"

// A form is a group of instructions: the bits under mask are value.
type form struct {
	mask, value uint32
	read        func(w uint32, addr uint64) Insn
}

// goes makes a decoder for a form that only changes the flow.
func goes(f Flow) func(uint32, uint64) Insn {
	return func(uint32, uint64) Insn { return Insn{Flow: f} }
}

// branch makes a decoder for a direct branch. Its distance, in words, is a field of the given bits.
func branch(f Flow, from, bits int) func(uint32, uint64) Insn {
	return func(w uint32, addr uint64) Insn { return to(f, rel(addr, w>>from, bits, 2)) }
}

// arm64Flows are all instructions that do not continue with the next one. Supervisor calls do
// continue.
//
// Encodings: Arm Architecture Reference Manual for A-profile, C4.1, "Branches,
// Exception Generating and System instructions"; those of FEAT_CMPBR and
// FEAT_PAuth_LR from its issue L.a.
var arm64Flows = []form{
	{0xfc00_0000, 0x1400_0000, branch(Jump, 0, 26)}, // b
	{0xfc00_0000, 0x9400_0000, branch(Call, 0, 26)}, // bl
	{0xff00_000e, 0x5400_000e, branch(Jump, 5, 19)}, // b.al, b.nv: under no condition
	{0xff00_0000, 0x5400_0000, branch(CondBranch, 5, 19)},
	{0x7e00_0000, 0x3400_0000, branch(CondBranch, 5, 19)}, // cbz, cbnz
	{0x7e00_0000, 0x3600_0000, branch(CondBranch, 5, 14)}, // tbz, tbnz
	{0x7f00_0000, 0x7400_0000, branch(CondBranch, 5, 9)},  // cbgt and its kin, of two registers
	{0x7f00_4000, 0x7500_0000, branch(CondBranch, 5, 9)},  // of one and a constant
	{0xffff_ffff, 0xd65f_03c0, goes(Return)},              // ret
	{0xffff_fc1f, 0xd65f_0000, goes(JumpReg)},             // ret of another register than x30
	{0xffff_fbe0, 0xd65f_0be0, goes(Return)},              // retaa, retab, retaasppcr, retabsppcr
	{0xffc0_001f, 0x5500_001f, goes(Return)},              // retaasppc, retabsppc
	{0xffff_ffff, 0xd69f_03e0, goes(Return)},              // eret
	{0xffff_fbff, 0xd69f_0bff, goes(Return)},              // eretaa, eretab
	{0xffff_fc1f, 0xd61f_0000, goes(JumpReg)},             // br
	{0xffff_f81f, 0xd61f_081f, goes(JumpReg)},             // braaz, brabz
	{0xffff_f800, 0xd71f_0800, goes(JumpReg)},             // braa, brab
	{0xffff_fc1f, 0xd63f_0000, goes(Call)},                // blr
	{0xffff_f81f, 0xd63f_081f, goes(Call)},                // blraaz, blrabz
	{0xffff_f800, 0xd73f_0800, goes(Call)},                // blraa, blrab
	{0xffe0_001f, 0xd420_0000, goes(Trap)},                // brk
	{0xffe0_001f, 0xd440_0000, goes(Trap)},                // hlt
	{0xffff_0000, 0x0000_0000, goes(Trap)},                // udf
}

func arm64(_ *Set, w uint32, addr uint64) Insn {
	// Branches have 101 in bits 26 to 28, and udf has zeros in all high ones.
	if w>>26&7 == 5 || w>>16 == 0 {
		for _, f := range arm64Flows {
			if w&f.mask == f.value {
				return f.read(w, addr)
			}
		}
	}
	if w&0xffff_f01f == 0xd503_201f { // hint: nop, bti, paciasp
		return Insn{Flow: Next, Hint: true, Auth: w&^0x40 == 0xd503_23bf}
	}
	return next(arm64Stack(w))
}

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
