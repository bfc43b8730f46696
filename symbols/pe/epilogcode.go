package pe

import "encoding/binary"

// Records of version 1 say nothing of epilogs. They are known by their code,
// which the calling convention restricts: rsp is set once, by add from a
// constant or by lea from the frame register, registers are popped, and then
// comes ret, or jmp to another function.
//
// Source: x64 prolog and epilog, "Epilog code"; what exactly counts is what
// RtlVirtualUnwind takes for one.

// maxEpilog is as long as an epilog can be: one add or lea, a pop of each
// register, and a jump.
const maxEpilog = 7 + 16*2 + 7

// A decoder reads instructions of an epilog.
type decoder struct {
	code []byte // from the address in question on
	pos  int
}

// has reports whether the next bytes are these.
func (d *decoder) has(want ...byte) bool {
	if len(d.code)-d.pos < len(want) {
		return false
	}
	for i, b := range want {
		if d.code[d.pos+i] != b {
			return false
		}
	}
	return true
}

// byteAt is a byte behind the current one, or int3, which no epilog has.
func (d *decoder) byteAt(i int) byte {
	if d.pos+i < len(d.code) {
		return d.code[d.pos+i]
	}
	return 0xcc
}

// disp reads a signed displacement of one or four bytes that ends an instruction.
func (d *decoder) disp(at, size int) (v int64, ok bool) {
	if d.pos+at+size > len(d.code) {
		return 0, false
	}
	if size == 1 {
		v = int64(int8(d.code[d.pos+at]))
	} else {
		v = int64(int32(binary.LittleEndian.Uint32(d.code[d.pos+at:])))
	}
	d.pos += at + size
	return v, true
}

// release reads the instruction that sets rsp, if there is one.
//
//	48 83 c4 ib        add rsp, imm8
//	48 81 c4 id        add rsp, imm32
//	48/49 8d 60+r ib   lea rsp, [fp+disp8]
//	48/49 8d a0+r id   lea rsp, [fp+disp32]
func (d *decoder) release(fr *frame, frameReg uint8) bool {
	rex, modrm := d.byteAt(0), d.byteAt(2)
	var at place
	size := 4
	switch {
	case d.has(0x48, 0x83, 0xc4):
		at, size = fr.sp, 1
	case d.has(0x48, 0x81, 0xc4):
		at = fr.sp
	case rex&0xfe == 0x48 && d.byteAt(1) == 0x8d && (modrm&0xf8 == 0x60 || modrm&0xf8 == 0xa0):
		reg := rex&1<<3 | modrm&7
		if frameReg == 0 || reg != frameReg || modrm&7 == 4 {
			return false
		}
		if modrm&0xc0 == 0x40 {
			size = 1
		}
		at = place{amd64Regs[reg], 0}
	default:
		return false
	}
	v, ok := d.disp(3, size)
	fr.sp = at.plus(v)
	return ok
}

// pop reads a pop, with or without a REX prefix.
func (d *decoder) pop() (reg uint8, ok bool) {
	rex := byte(0)
	at := 0
	if b := d.byteAt(0); b&0xf0 == 0x40 {
		rex, at = b, 1
	}
	b := d.byteAt(at)
	if b&0xf8 != 0x58 {
		return 0, false
	}
	d.pos += at + 1
	return rex&1<<3 | b&7, true
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

// exit reads the last instruction: how it leaves, and how many bytes of
// arguments it pops or how far from behind itself it jumps.
//
//	c3, f3 c3, f2 c3   ret
//	c2 iw              ret imm16
//	eb cb, e9 cd       jmp rel8, jmp rel32
//	ff 25 cd           jmp [rip+disp32]
//	48..4f ff /4       jmp r/m64
func (d *decoder) exit() (how exit, arg int64) {
	if d.has(0xf2) || d.has(0xf3, 0xc3) {
		d.pos++
	}
	ok := true
	switch b := d.byteAt(0); {
	case b == 0xc3:
		d.pos++
		return byReturn, 0
	case b == 0xc2:
		arg = int64(d.byteAt(1)) | int64(d.byteAt(2))<<8
		d.pos += 3
		return byReturn, arg
	case b == 0xeb:
		how = byJump
		arg, ok = d.disp(1, 1)
	case b == 0xe9:
		how = byJump
		arg, ok = d.disp(1, 4)
	case b == 0xff && d.byteAt(1) == 0x25:
		d.pos += 6
		how = byImport
	case b&0xf8 == 0x48 && d.byteAt(1) == 0xff && d.byteAt(2)>>3&7 == 4:
		d.pos += 2 + operandSize(d.byteAt(2), d.byteAt(3))
		how = byTail
	}
	if !ok || d.pos > len(d.code) {
		return noExit, 0
	}
	return how, arg
}

// operandSize is the size of an operand: its ModRM byte, the SIB byte that may
// follow, and a displacement. Source: AMD64 Architecture Programmer's Manual,
// volume 3, "ModRM and SIB Bytes".
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

// endsInIndirectCall reports whether code ends in a call through a register or memory (ff /2).
func endsInIndirectCall(code []byte) bool {
	n := len(code)
	for size := 2; size <= 7 && size <= n; size++ {
		insn := code[n-size:]
		if insn[0] == 0xff && insn[1]>>3&7 == 2 && 1+operandSize(insn[1], insn[min(2, size-1)]) == size {
			return true
		}
	}
	return false
}
