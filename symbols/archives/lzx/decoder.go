// Package lzx decompresses LZX as cabinets have it: symbol servers keep PDBs and
// images as .pd_ and .dl_ files, which are cabinets.
//
//	var d lzx.Decoder
//	err := d.Reset(21)           // bits of the window, which the folder names
//	err = d.Frame(out[:n], data) // one block of the folder after another
//
// A folder is one stream, cut into frames of up to 32 KiB of output. Frames have to be decompressed
// in order. Damage ends the stream: Frame fails, and later calls fail, too. Memory is the window,
// of at most 2 MiB, and the time is linear in a frame's bytes.
//
// The variants of WIM files (other headers of blocks) and of patches (LZX DELTA,
// larger windows and longer matches) are not read.
//
// Read decoder.go first, then block.go and match.go; bits.go has the bits and Huffman codes.
//
// Sources: Microsoft's "LZX Data Compression Format" of the Cabinet SDK and
// [MS-PATCH] 2, and where these are wrong or silent the remarks of libmspack's
// lzxd.c: sizes of uncompressed blocks, the order of trees, the number of slots.
package lzx

import (
	"errors"
	"fmt"
)

const (
	// MaxFrame is the output of a frame in bytes. Only the last frame may have less.
	MaxFrame = 32 << 10

	// maxUnread is how much input may be left for the next frame, which copies it:
	// as much as a frame can have, MaxFrame and 6144 bytes (CAB_INPUTMAX of libmspack's cab.h).
	maxUnread = MaxFrame + 6<<10

	minWindow = 15 // bits
	maxWindow = 21
)

// A Decoder is the state of a stream.
type Decoder struct {
	in     bitReader
	window []byte // a ring
	done   int64  // bytes of output so far
	recent [3]uint32
	slots  int // of matches' positions

	started  bool   // the header was read
	codeSize uint32 // of the file whose calls were translated; 0 for none

	block   block
	main    lengths
	length  lengths
	trees   trees
	failure error
}

// Reset starts a stream with a window of 15 to 21 bits, also in a zero Decoder. It keeps the memory
// of the window, which is up to 2 MiB. Bytes of the stream before stay in it, but no match reaches
// them: repeat checks how much the stream has written.
func (d *Decoder) Reset(bits int) error {
	if bits < minWindow || bits > maxWindow {
		return fmt.Errorf("lzx: a window of %d bits, known are %d to %d", bits, minWindow, maxWindow)
	}
	window := d.window
	if cap(window) < 1<<bits {
		window = make([]byte, 1<<bits)
	}
	slots := slotsOf(bits)
	*d = Decoder{
		window: window[:1<<bits], slots: slots, recent: [3]uint32{1, 1, 1},
		main: make(lengths, literals+8*slots), length: make(lengths, lengthSymbols),
	}
	return nil
}

// Frame fills out with the next frame, whose compressed bytes are data.
func (d *Decoder) Frame(out, data []byte) error {
	if d.failure == nil {
		d.failure = d.frame(out, data)
	}
	return d.failure
}

func (d *Decoder) frame(out, data []byte) error {
	if len(out) > MaxFrame {
		return fmt.Errorf("lzx: a frame of %d bytes, at most %d are known", len(out), MaxFrame)
	}
	d.in.more(data)
	d.header()
	start := d.done
	for end := start + int64(len(out)); d.done < end; {
		if err := d.some(end); err != nil {
			return fmt.Errorf("lzx: output at %#x: %w", d.done, err)
		}
	}
	d.copyOut(out, start)
	d.restoreCalls(out, start)
	if d.in.align(); d.in.missing > 0 {
		return fmt.Errorf("lzx: output at %#x: %w", start, errShort)
	}
	if left := d.in.left(); left > maxUnread {
		return fmt.Errorf("lzx: output at %#x: the frame leaves %d bytes unread, at most %d are known", d.done, left, maxUnread)
	}
	return nil
}

var errShort = errors.New("the compressed data end before the frame does")

// header reads the beginning of the stream: one bit and, if it is 1, the size of the file whose
// calls were translated.
func (d *Decoder) header() {
	if d.started {
		return
	}
	d.started = true
	if d.in.read(1) == 1 {
		d.codeSize = d.in.read(16)<<16 | d.in.read(16)
	}
}

func (d *Decoder) put(b byte) {
	d.window[d.done&int64(len(d.window)-1)] = b
	d.done++
}

func (d *Decoder) copyOut(out []byte, start int64) {
	at := int(start & int64(len(d.window)-1))
	n := copy(out, d.window[at:])
	copy(out[n:], d.window)
}
