package lzx

import "fmt"

const (
	literals      = 256
	shortLengths  = 7 // lengths of a match that the main tree has; more are in another one
	leastMatch    = 2
	lengthSymbols = 249
	alignedBits   = 3
)

// extraBits is how many bits follow a slot of positions ([MS-PATCH] 2.4).
func extraBits(slot int) int { return max(0, min(slot/2-1, 17)) }

// positions are the first positions of the slots, up to the largest window.
var positions = func() (out [51]uint32) {
	for slot := 1; slot < len(out); slot++ {
		out[slot] = out[slot-1] + 1<<extraBits(slot-1)
	}
	return out
}()

func slotsOf(bits int) (n int) {
	for positions[n] < 1<<bits {
		n++
	}
	return n
}

// literalOrMatch decodes one symbol, which must not lead beyond end.
func (d *Decoder) literalOrMatch(end int64) error {
	symbol, err := d.trees.main.read(&d.in)
	if err != nil {
		return err
	}
	if symbol < literals {
		d.put(byte(symbol))
		return nil
	}
	symbol -= literals
	length := symbol % (shortLengths + 1)
	if length == shortLengths {
		more, err := d.trees.length.read(&d.in)
		if err != nil {
			return err
		}
		length += more
	}
	offset, err := d.offset(symbol / (shortLengths + 1))
	if err != nil {
		return err
	}
	return d.repeat(offset, length+leastMatch, end)
}

// offset is the distance of a match by its slot. The first three slots are the recent offsets.
func (d *Decoder) offset(slot int) (uint32, error) {
	r := &d.recent
	if slot < len(r) {
		r[0], r[slot] = r[slot], r[0]
		return r[0], nil
	}
	extra := extraBits(slot)
	low := uint32(0)
	if d.block.kind == aligned && extra >= alignedBits {
		low = d.in.read(extra-alignedBits) << alignedBits
		symbol, err := d.trees.offset.read(&d.in)
		if err != nil {
			return 0, err
		}
		low |= uint32(symbol)
	} else {
		low = d.in.read(extra)
	}
	r[0], r[1], r[2] = positions[slot]-2+low, r[0], r[1]
	return r[0], nil
}

// repeat copies earlier output.
func (d *Decoder) repeat(offset uint32, length int, end int64) error {
	back := int64(offset)
	if back == 0 || back > d.done || back > int64(len(d.window)) {
		return fmt.Errorf("a match is %d bytes back, of %d", back, min(d.done, int64(len(d.window))))
	}
	if length > int(end-d.done) {
		return fmt.Errorf("a match of %d bytes leads beyond its block or frame, which has %d more", length, end-d.done)
	}
	mask := int64(len(d.window) - 1)
	for range length {
		d.put(d.window[(d.done-back)&mask])
	}
	return nil
}
