package lzx

import (
	"encoding/binary"
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
