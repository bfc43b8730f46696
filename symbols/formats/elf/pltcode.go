package elf

import (
	"encoding/binary"
	"math/bits"
)

// A stub is an entry of a procedure linkage table: code that jumps to the address in a word of the
// global offset table.
type stub struct {
	addr, size uint64 // relative to the base
	slot       uint64 // the word's address, as the file has it
	name       symbolName
}

// stubsOf finds the stubs of a CPU in a table. decode gets the code from an address that is a
// multiple of step. It returns the word that the stub jumps by, the number of the stub's bytes
// before that code, and whether the code is a stub. No stub is longer than most bytes. The words
// are filled by relocations of two types, R_*_GLOB_DAT and R_*_JUMP_SLOT.
type stubsOf struct {
	step, most uint64
	fills      [2]uint32
	decode     func(code []byte, before []byte, addr, got uint64) (slot, in uint64, ok bool)
}

// stubsByMachine are the stubs that GNU ld and lld write, by the machine in ELF's header. Stubs against
// speculation (retpolines) are not recognized, because they jump elsewhere.
var stubsByMachine = map[uint16]stubsOf{
	machine386:   {8, 16, [2]uint32{6, 7}, stub386},
	machineAMD64: {8, 16, [2]uint32{6, 7}, stubAMD64},
	machineARM:   {4, 20, [2]uint32{21, 22}, stubARM},
	machineARM64: {4, 24, [2]uint32{1025, 1026}, stubARM64},
}

// intelJump steps over endbr and the prefix bnd, and returns the two bytes of a
// jump, its operand and how many bytes there are up to its end.
func intelJump(code []byte) (opcode uint16, operand uint32, size int) {
	if len(code) >= 4 && code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3]&0xfe == 0xfa {
		size = 4
	}
	if len(code) > size && code[size] == 0xf2 {
		size++
	}
	if len(code) < size+6 {
		return 0, 0, 0
	}
	code = code[size:]
	return uint16(code[0])<<8 | uint16(code[1]), binary.LittleEndian.Uint32(code[2:]), size + 6
}

// stubAMD64 is jmp *slot(%rip). System V ABI, AMD64, figure 5.2, and chapter 13
// for those of two parts: the first of them, in .plt, jump by no word.
func stubAMD64(code, _ []byte, addr, _ uint64) (slot, in uint64, ok bool) {
	opcode, operand, size := intelJump(code)
	return addr + uint64(size) + uint64(int32(operand)), 0, opcode == 0xff25
}

// stub386 is jmp *slot, or jmp *slot(%ebx) where ebx has the address of the
// global offset table. System V ABI, Intel386, figures 5-3 and 5-4.
func stub386(code, _ []byte, _, got uint64) (slot, in uint64, ok bool) {
	opcode, operand, _ := intelJump(code)
	if opcode == 0xffa3 {
		operand += uint32(got)
	}
	return uint64(operand), 0, opcode == 0xff25 || opcode == 0xffa3
}

// stubARM64 is adrp x16, page; ldr x17, [x16, #offset], with bti c in front
// where branches have targets. ELF for the Arm 64-bit Architecture, appendix.
func stubARM64(code, before []byte, addr, _ uint64) (slot, in uint64, ok bool) {
	if len(code) < 8 {
		return 0, 0, false
	}
	adrp, ldr := binary.LittleEndian.Uint32(code), binary.LittleEndian.Uint32(code[4:])
	if adrp&0x9f00001f != 0x90000010 || ldr&0xffc003ff != 0xf9400211 {
		return 0, 0, false
	}
	pages := int64(int32(adrp>>5&0x7ffff<<13)) >> 11 // immhi, signed, with room for immlo
	pages |= int64(adrp >> 29 & 3)
	const btiC = 0xd503245f
	if n := len(before); n >= 4 && binary.LittleEndian.Uint32(before[n-4:]) == btiC {
		in = 4
	}
	return addr&^0xfff + uint64(pages<<12) + uint64(ldr>>10&0xfff)*8, in, true
}

// stubARM is add ip, pc, #a; add ip, ip, #b, once or twice; ldr pc, [ip, #c]!,
// with bx pc; nop in front for callers in Thumb code. ELF for the Arm Architecture, appendix A.
func stubARM(code, before []byte, addr, _ uint64) (slot, in uint64, ok bool) {
	word := func(i int) uint32 {
		if len(code) < 4*i+4 {
			return 0
		}
		return binary.LittleEndian.Uint32(code[4*i:])
	}
	immediate := func(insn uint32) uint32 { return bits.RotateLeft32(insn&0xff, -int(insn>>8&15*2)) }
	if word(0)&0xfffff000 != 0xe28fc000 {
		return 0, 0, false
	}
	sum, i := uint32(addr)+8+immediate(word(0)), 1
	for ; i <= 2 && word(i)&0xfffff000 == 0xe28cc000; i++ {
		sum += immediate(word(i))
	}
	const bxPC = 0x46c04778
	if n := len(before); n >= 4 && binary.LittleEndian.Uint32(before[n-4:]) == bxPC {
		in = 4
	}
	return uint64(sum + word(i)&0xfff), in, word(i)&0xfffff000 == 0xe5bcf000
}
