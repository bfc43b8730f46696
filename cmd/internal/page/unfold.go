package page

import (
	"encoding/binary"
	"errors"
)

// Opcodes of the folded form of the program (web/src/offline/folded.ts, which says what it is).
const (
	foldedCall         = 0xe0
	foldedIndirectCall = 0xe2
	foldedAddress      = 0xe5
	foldedJump         = 0xe6
)

// Flags of the head of a function.
const (
	headReload = 1 << iota
	headLoop
	headUnwind
)

// Opcodes of WebAssembly.
const (
	opEnd     = 0x0b
	opBr      = 0x0c
	opBrIf    = 0x0d
	opBrTable = 0x0e
	opBulk    = 0xfc
)

const (
	codeSection      = 10
	functionsOfBlock = 64
	moduleHeader     = "\x00asm\x01\x00\x00\x00"
	foldedHeader     = "\x00asmf\x00\x00\x00"
)

// foldedTexts are texts of code around an operand.
var foldedTexts = map[byte][2]string{
	0xf0: {"\x20\x01\x29\x03", ""},
	0xf1: {"\x20\x01\xad\x42", "\x7c"},
	0xf2: {"\x20\x01\xad\x42", "\x7c\xa7"},
	0xf8: {"\x41", "\x6a\x22\x01\x24\x00\x20\x01\x41\x08\x6a\x22\x01\x24\x00\x41\x00\x0f\x0b"},
}

var errFolded = errors.New("the folded program is damaged")

// unfold returns a program from its folded form. What is in another form stays as it is.
func unfold(folded []byte) ([]byte, error) {
	if len(folded) < len(foldedHeader) || string(folded[:len(foldedHeader)]) != foldedHeader {
		return folded, nil
	}
	u := &unfolder{in: folded[len(foldedHeader):], out: []byte(moduleHeader)}
	for len(u.in) > 0 && !u.failed {
		u.section()
	}
	if u.failed {
		return nil, errFolded
	}
	return u.out, nil
}

type unfolder struct {
	in, out []byte
	failed  bool
}

func (u *unfolder) section() {
	kind := u.copyByte()
	size := u.copyNumber()
	if kind != codeSection {
		u.copy(size)
		return
	}
	count := u.copyNumber()
	number := u.number()
	for i := uint64(0); i < count && !u.failed; i++ {
		if i%functionsOfBlock == 0 {
			u.number() // the size of a block
		}
		u.function(number + i)
	}
}

// function writes a function, to which Go gives a number.
func (u *unfolder) function(number uint64) {
	whole := u.out
	u.out = nil
	for locals := u.copyNumber(); locals > 0 && !u.failed; locals-- {
		u.copyNumber()
		u.copyByte()
	}
	b := &blocks{open: 1, level: 1}
	u.head(b)
	for b.open > 0 && !u.failed {
		u.instruction(b, number)
	}
	u.out = append(binary.AppendUvarint(whole, uint64(len(u.out))), u.out...)
}

func (u *unfolder) head(b *blocks) {
	flags := u.byte()
	if flags == 0 {
		return
	}
	count := u.number()
	if count == 0 || count > uint64(len(u.in)) {
		u.failed = true
		return
	}
	places := make([]uint64, count)
	for i := range places[:count-1] {
		places[i] = u.number()
	}
	places[count-1] = 1
	outer := 0
	if flags&headReload != 0 {
		u.write("\x23\x00\x21\x01")
	}
	if flags&headUnwind != 0 {
		u.write("\x02\x40")
		outer++
	}
	if flags&headLoop != 0 {
		u.write("\x03\x40")
		outer++
	}
	total := uint64(0)
	for _, n := range places {
		u.write("\x02\x40")
		total += n
		b.ends = append(b.ends, total)
	}
	u.write("\x20\x00\x0e")
	u.unsigned(total - 1)
	for piece, n := range places {
		for ; n > 0 && n < 1<<16; n-- {
			u.unsigned(uint64(piece))
		}
	}
	u.write("\x0b")
	b.open = outer + len(places)
	b.level = b.open
}

func (u *unfolder) instruction(b *blocks, number uint64) {
	op := u.byte()
	text, isText := foldedTexts[op]
	switch {
	case isText:
		u.write(text[0])
		u.copyNumber()
		u.write(text[1])
		if op == 0xf8 {
			b.close()
		}
	case op >= foldedCall && op <= foldedAddress:
		u.call(b, op, number)
	case op == foldedJump || op == foldedJump+1:
		u.jump(b, op)
	default:
		u.plain(b, op)
	}
}

// plain writes an instruction as it is, but for labels, which the folded form counts from the outside.
func (u *unfolder) plain(b *blocks, op byte) {
	u.out = append(u.out, op)
	switch {
	case op == opBr || op == opBrIf:
		u.unsigned(uint64(b.open) - u.number())
	case op == opBrTable:
		u.copyNumbers(u.copyNumber() + 1)
	case op == opBulk:
		switch u.copyNumber() {
		case 8, 10:
			u.copyNumbers(2)
		case 11:
			u.copyNumbers(1)
		}
	case op == 0x11 || op >= 0x28 && op <= 0x3e:
		u.copyNumbers(2)
	case op >= 0x02 && op <= 0x04 || op == 0x10 || op >= 0x20 && op <= 0x24 || op >= 0x3f && op <= 0x42:
		u.copyNumbers(1)
	case op == 0x43:
		u.copy(4)
	case op == 0x44:
		u.copy(8)
	}
	if op >= 0x02 && op <= 0x04 {
		b.open++
	} else if op == opEnd {
		b.close()
	}
}

func (u *unfolder) call(b *blocks, op byte, number uint64) {
	place := b.expected()
	if op%2 == 1 {
		place += u.signed()
	}
	u.write("\x20\x01\x41\x08\x6b\x22\x01\x24\x00\x20\x01\x42")
	u.positive(number<<16 + place)
	if op == foldedAddress {
		return
	}
	b.last = place
	if op < foldedIndirectCall {
		u.write("\x37\x03\x00\x41\x00\x10")
		u.copyNumber()
		u.write("\x23\x00\x21\x01")
	} else {
		u.write("\x37\x03\x00\x42\x10\x88\xa7\x21\x00\x41\x00\x20\x00\x11\x00\x00\x23\x00\x21\x01")
	}
	u.out = append(u.out, opBrIf)
	u.unsigned(uint64(b.open - 2))
	u.out = append(u.out, opEnd)
	b.close()
}

func (u *unfolder) jump(b *blocks, op byte) {
	var place uint64
	if piece := u.number(); piece == 0 {
		place = u.number()
	} else {
		place = b.start(b.piece + int(fromSign(piece-1)))
	}
	u.out = append(u.out, 0x41)
	u.positive(place)
	u.write("\x21\x00\x0c")
	u.unsigned(uint64(b.open - 2 - int(op-foldedJump)))
}

func (u *unfolder) write(text string)     { u.out = append(u.out, text...) }
func (u *unfolder) unsigned(value uint64) { u.out = binary.AppendUvarint(u.out, value) }

// positive writes a number as one with a sign, whose last byte has it in bit 6.
func (u *unfolder) positive(value uint64) {
	for ; value >= 0x40; value >>= 7 {
		u.out = append(u.out, byte(value)|0x80)
	}
	u.out = append(u.out, byte(value))
}

func (u *unfolder) byte() byte {
	if len(u.in) == 0 {
		u.failed = true
		return 0
	}
	value := u.in[0]
	u.in = u.in[1:]
	return value
}

func (u *unfolder) number() uint64 {
	value, n := binary.Uvarint(u.in)
	if n <= 0 {
		u.failed = true
		return 0
	}
	u.in = u.in[n:]
	return value
}

func (u *unfolder) signed() uint64 { return fromSign(u.number()) }

// fromSign returns a number whose sign is in its lowest bit, as the complement of two if it is negative.
func fromSign(value uint64) uint64 { return value>>1 ^ -(value & 1) }

func (u *unfolder) copy(size uint64) {
	if size > uint64(len(u.in)) {
		u.failed = true
		return
	}
	u.out = append(u.out, u.in[:size]...)
	u.in = u.in[size:]
}

func (u *unfolder) copyByte() byte {
	value := u.byte()
	u.out = append(u.out, value)
	return value
}

// copyNumber copies a number in its bytes, which may be more than it needs. One with a sign, of 64 bits, is none for the caller.
func (u *unfolder) copyNumber() uint64 {
	value, _ := binary.Uvarint(u.in)
	for u.copyByte() >= 0x80 {
	}
	return value
}

func (u *unfolder) copyNumbers(count uint64) {
	for ; count > 0 && !u.failed; count-- {
		u.copyNumber()
	}
}

// blocks is what the numbers in a function depend on: which of its blocks are open, and which places calls return to.
type blocks struct {
	open, level int // blocks that are open, and those of them that are outside of conditions
	piece       int // of those that the table at the head jumps to
	ends        []uint64
	last        uint64
}

func (b *blocks) close() {
	b.open--
	if b.open < b.level {
		b.level = b.open
		b.piece++
		b.last = b.start(b.piece)
	}
}

// start returns the place where a piece begins.
func (b *blocks) start(piece int) uint64 {
	if piece < 1 || piece > len(b.ends) {
		return 0
	}
	return b.ends[piece-1]
}

// expected returns the place that a call returns to: the next piece, or, if it panics or wants more stack, one within this piece.
func (b *blocks) expected() uint64 {
	if b.open == b.level {
		return b.start(b.piece + 1)
	}
	if b.last == 0 && b.piece == 0 {
		return 0
	}
	return b.last + 1
}
