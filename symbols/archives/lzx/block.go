package lzx

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Types of blocks ([MS-PATCH] 2.6).
const (
	verbatim     = 1
	aligned      = 2
	uncompressed = 3
)

// A block is a part of the stream with trees of its own, of any length.
type block struct {
	kind uint32
	left int64 // bytes of output that are still to come
	odd  bool  // a byte follows that pads an uncompressed block
}

// trees are those of the block.
type trees struct{ delta, main, length, offset tree }

// some decodes output until the end of the block or of the frame, at least a
// byte or the header of a block.
func (d *Decoder) some(end int64) error {
	if d.block.left == 0 {
		return d.nextBlock()
	}
	from := d.done
	end = min(end, from+d.block.left)
	err := d.fillTo(end)
	d.block.left -= d.done - from
	return err
}

func (d *Decoder) fillTo(end int64) error {
	if d.block.kind == uncompressed {
		for d.done < end && d.in.missing == 0 {
			if b := d.in.rawByte(); d.in.missing == 0 {
				d.put(b)
			}
		}
	}
	for d.done < end && d.in.missing == 0 {
		if err := d.literalOrMatch(end); err != nil {
			return err
		}
	}
	if d.in.missing > 0 {
		return errShort
	}
	return nil
}

// nextBlock reads the header of a block: its type, its size and its trees.
func (d *Decoder) nextBlock() error {
	if d.block.odd {
		d.in.rawByte()
	}
	kind := d.in.read(3)
	size := d.in.read(16)<<8 | d.in.read(8)
	d.block = block{kind: kind, left: int64(size), odd: kind == uncompressed && size%2 == 1}
	if d.in.missing > 0 {
		return errShort
	}
	switch kind {
	case verbatim:
		return d.readTrees()
	case aligned:
		offsets := make(lengths, 1<<alignedBits)
		for i := range offsets {
			offsets[i] = uint8(d.in.read(3))
		}
		if err := d.trees.offset.build(offsets); err != nil {
			return err
		}
		return d.readTrees()
	case uncompressed:
		d.readRecent()
		return nil
	}
	return fmt.Errorf("a block of type %d, known are %d to %d", kind, verbatim, uncompressed)
}

// readTrees reads the main tree in two parts, and that of long lengths.
func (d *Decoder) readTrees() error {
	for _, part := range []lengths{d.main[:literals], d.main[literals:], d.length} {
		if err := part.read(d); err != nil {
			return err
		}
	}
	if err := d.trees.main.build(d.main); err != nil {
		return err
	}
	return d.trees.length.build(d.length)
}

// readRecent reads the recent offsets that an uncompressed block begins with.
func (d *Decoder) readRecent() {
	d.in.alignRaw()
	for i := range d.recent {
		var word [4]byte
		for j := range word {
			word[j] = d.in.rawByte()
		}
		d.recent[i] = binary.LittleEndian.Uint32(word[:])
	}
}

// lengths are how many bits the codes of a tree have, by symbol; 0 for none.
// They are written as differences from those of the tree before.
type lengths []uint8

// Symbols of the tree that lengths are written in ([MS-PATCH] 2.7).
const (
	deltaSymbols = 20
	deltaModulo  = 17
	zeros        = 17 // 4 to 19 codes without a length
	manyZeros    = 18 // 20 to 51
	alike        = 19 // 4 or 5 with the same difference
)

var errLengths = errors.New("lengths of codes reach beyond their tree")

func (l lengths) read(d *Decoder) error {
	first := make(lengths, deltaSymbols)
	for i := range first {
		first[i] = uint8(d.in.read(4))
	}
	t := &d.trees.delta
	if err := t.build(first); err != nil {
		return err
	}
	for i := 0; i < len(l); {
		n, length, err := l.next(d, i)
		if err != nil {
			return err
		}
		if n > len(l)-i {
			return errLengths
		}
		for range n {
			l[i] = length
			i++
		}
	}
	return nil
}

// next reads one symbol, which gives the lengths of one or more codes from i on.
func (l lengths) next(d *Decoder, i int) (n int, length uint8, err error) {
	symbol, err := d.trees.delta.read(&d.in)
	if err != nil {
		return 0, 0, err
	}
	switch symbol {
	case zeros:
		return int(d.in.read(4)) + 4, 0, nil
	case manyZeros:
		return int(d.in.read(5)) + 20, 0, nil
	case alike:
		n = int(d.in.read(1)) + 4
		if symbol, err = d.trees.delta.read(&d.in); err != nil {
			return 0, 0, err
		}
		if symbol >= deltaModulo {
			return 0, 0, errLengths
		}
		return n, l.less(i, symbol), nil
	}
	return 1, l.less(i, symbol), nil
}

// less is a length from which a difference was taken.
func (l lengths) less(i, difference int) uint8 {
	return uint8((int(l[i]) + deltaModulo - difference) % deltaModulo)
}

const (
	callCode   = 0xe8 // of x86's call
	notCalls   = 10   // bytes at the end of a frame that are no calls
	callFrames = 1 << 15
)

// restoreCalls undoes the E8 translation: the compressor turned the operand of each x86 call from a
// distance into a position, so that calls of one function are alike. It searches each of the first
// 32768 frames separately. The window keeps the translated bytes.
func (d *Decoder) restoreCalls(out []byte, start int64) {
	if d.codeSize == 0 || start >= callFrames*MaxFrame {
		return
	}
	for i := 0; i < len(out)-notCalls; i++ {
		if out[i] != callCode {
			continue
		}
		operand := out[i+1 : i+5]
		position, here := int32(binary.LittleEndian.Uint32(operand)), int32(start)+int32(i)
		switch size := int32(d.codeSize); {
		case position >= 0 && position < size:
			binary.LittleEndian.PutUint32(operand, uint32(position-here))
		case position < 0 && position >= -here:
			binary.LittleEndian.PutUint32(operand, uint32(position+size))
		}
		i += 4
	}
}
