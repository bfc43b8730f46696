package disasm

import (
	"cmp"
	"fmt"
	"strings"

	"crashglass/core/machine/cpu"

	"golang.org/x/arch/x86/x86asm"
)

// text writes an instruction as yaxpeax-x86 does in its Intel style, because
// that is what rust-minidump reports: sizes without "ptr", spaces around "+"
// and "*", "* 1" kept, signed immediates, and branches as the distance from
// the end of the instruction.
func (x *x86Inst) text(ops []cpu.Operand) string {
	var b strings.Builder
	b.WriteString(x.prefix())
	b.WriteString(x.name)
	sep := " "
	for i := range ops {
		if i == 1 && x.isMask(ops[i].Name) {
			x.writeMask(&b, ops[i].Name)
			continue
		}
		b.WriteString(sep)
		sep = ", "
		x.writeOperand(&b, i, &ops[i])
	}
	return b.String()
}

// isMask: the decoder gives the mask of an EVEX instruction as its second operand.
func (x *x86Inst) isMask(name string) bool {
	return strings.HasPrefix(x.name, "v") && len(name) == 2 && name[0] == 'k'
}

// writeMask writes "{k1}{z}" behind the destination. k0 means no mask (SDM, volume 2, "Opmask Register Encoding").
func (x *x86Inst) writeMask(b *strings.Builder, name string) {
	if name != "k0" {
		b.WriteString("{" + name + "}")
	}
	if x.Zeroing {
		b.WriteString("{z}")
	}
}

// prefix is "lock " or one of its like.
func (x *x86Inst) prefix() string {
	text := ""
	for _, p := range x.Prefix {
		if p.IsVEX() || p.IsEVEX() {
			break // the following bytes are in the list with another meaning
		}
		if p&(x86asm.PrefixImplicit|x86asm.PrefixIgnored) != 0 {
			continue
		}
		switch {
		case p == x86asm.PrefixLOCK:
			text += "lock "
		case p == x86asm.PrefixXACQUIRE:
			text += "xacquire "
		case p == x86asm.PrefixXRELEASE:
			text += "xrelease "
		case p == x86asm.PrefixREP && x86String[x.name]:
			text += "rep "
		case p == x86asm.PrefixREPN && x86String[x.name]:
			text += "repnz "
		}
	}
	return text
}

func (x *x86Inst) writeOperand(b *strings.Builder, i int, op *cpu.Operand) {
	switch op.Kind {
	case cpu.Register:
		b.WriteString(op.Name)
	case cpu.Immediate:
		b.WriteString(x.imm(op.Imm))
	case cpu.Branch:
		b.WriteString("$" + signedHex(op.Imm-int64(x.addr)-int64(x.Len), x.arch.Word, "+"))
	case cpu.Memory:
		if mem, ok := x.shown[i].(x86asm.Mem); ok {
			x.writeMem(b, mem)
		}
	}
}

// signedHex writes a number with its sign; plus is the sign of a positive one. Numbers wrap at the
// width of word bytes.
func signedHex(v int64, word int, plus string) string {
	if word == 4 {
		v = int64(int32(v))
	}
	if v < 0 {
		return fmt.Sprintf("-%#x", -uint64(v))
	}
	return fmt.Sprintf("%s%#x", plus, uint64(v))
}

// imm writes an immediate. The decoder does not sign-extend some immediates of one byte. An
// immediate of two or four bytes with the same value ends in a zero byte, which tells the two
// apart.
func (x *x86Inst) imm(v int64) string {
	if v >= 0x80 && v <= 0xff && x.code[x.Len-1] == byte(v) && !x.unsignedByte() {
		v = int64(int8(v))
	}
	return signedHex(v, 8, "")
}

// unsignedByte: an immediate byte has no sign if it is a mask, the number of an interrupt, or moved
// into a register of one byte.
func (x *x86Inst) unsignedByte() bool {
	switch x.Op {
	case x86asm.INT, x86asm.ENTER, x86asm.IN, x86asm.OUT, x86asm.AESKEYGENASSIST:
		return true
	case x86asm.MOV:
		return x.Opcode>>27 == 0xb0>>3
	}
	return x.vex() > 0 || x86Unsigned[x.name]
}

// x86Unsigned are the instructions on vectors whose last byte is a number of an element, a rotation
// or a count of bits.
var x86Unsigned = set(`pextrw pextrb pextrd pextrq pinsrb pinsrd pinsrq insertps extractps sha1rnds4
	psllw pslld psllq pslldq psrlw psrld psrlq psrldq psraw psrad`)

var x86Sizes = map[int]string{
	1: "byte", 2: "word", 4: "dword", 6: "far", 8: "qword", 10: "mword",
	16: "xmmword", 32: "ymmword", 48: "m384b", 64: "zmmword",
}

// writeMem writes an operand in memory: "dword fs:[rax + 0x8]".
func (x *x86Inst) writeMem(b *strings.Builder, m x86asm.Mem) {
	size := x86Sizes[x.memSize()]
	size = cmp.Or(size, "ptr")
	b.WriteString(size + " ")
	if x.showsSegment(m) {
		b.WriteString(x86RegName(m.Segment) + ":")
	}
	b.WriteByte('[')
	x.writeAddress(b, m)
	b.WriteByte(']')
	if x.Broadcast {
		b.WriteString(x.broadcast())
	}
}

// broadcast writes how often one element of memory is used: as often as it fits into the vector,
// whose size is in L'L of the EVEX prefix (Intel SDM, volume 2, 2.7).
func (x *x86Inst) broadcast() string {
	element := x.MemBytes
	if x86Widens[x.name] {
		element *= 2
	}
	opcode := x.vex()
	if element <= 0 || opcode == 0 {
		return ""
	}
	vector := 16 << (x.code[opcode-1] >> 5 & 3)
	return fmt.Sprintf("{1to%d}", vector/element)
}

// x86Widens are the conversions whose result has twice the size of an element in memory.
var x86Widens = set("vcvtps2pd vcvtdq2pd vcvtudq2pd vcvtps2qq vcvtps2uqq vcvttps2qq vcvttps2uqq")

// showsSegment: a segment is written if it is not the default one, and always for movs and cmps.
func (x *x86Inst) showsSegment(m x86asm.Mem) bool {
	switch {
	case x.name == "ins":
		return false
	case m.Segment == x86asm.DS:
		return x.name == "movs" || x.name == "cmps"
	}
	return m.Segment != 0
}

// writeAddress writes what is between the brackets. An address without registers has 32 bits, except
// in the four forms of mov that hold all 64.
func (x *x86Inst) writeAddress(b *strings.Builder, m x86asm.Mem) {
	if m.Base == 0 && m.Index == 0 {
		disp := uint64(m.Disp)
		if !x.fullAddress() {
			disp = uint64(uint32(disp))
		}
		fmt.Fprintf(b, "%#x", disp)
		return
	}
	if m.Base != 0 {
		b.WriteString(x86RegName(m.Base))
	}
	if m.Index != 0 {
		if m.Base != 0 {
			b.WriteString(" + ")
		}
		fmt.Fprintf(b, "%s * %d", x86RegName(m.Index), max(m.Scale, 1))
	}
	switch {
	case m.Disp < 0:
		fmt.Fprintf(b, " - %#x", -uint64(m.Disp))
	case m.Disp > 0:
		fmt.Fprintf(b, " + %#x", m.Disp)
	}
}
