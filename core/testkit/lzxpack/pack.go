// Package lzxpack makes cabinets with LZX compression for tests, because no other packer exists
// outside of Windows. cabextract unpacks its cabinets.
//
// It finds matches with a table of three-byte sequences, and makes every kind of block. It does not
// compress well, and makes intact cabinets; tests damage them.
//
// Read this file first, then tokens.go, code.go and cabinet.go.
package lzxpack

import "encoding/binary"

// Kinds of blocks.
const (
	Verbatim = iota + 1
	Aligned
	Uncompressed
)

// Options say how to pack. Kinds and Sizes of blocks are used in turn.
type Options struct {
	Bits     int // of the window, 15 to 21
	Kinds    []int
	Sizes    []int
	CodeSize uint32 // the file size for the translation of x86 calls; 0 for none
}

// A Frame is 32 KiB of data, or the last bytes, and becomes one block of a cabinet.
type Frame struct {
	Packed []byte
	Size   int // before packing
}

// frameSize is the size of a frame before packing.
const frameSize = 32 << 10

// A packer is the state of one stream.
type packer struct {
	Options
	bits   bitWriter
	data   []byte         // with calls translated
	seen   map[uint32]int // the latest offset of three bytes, by key
	recent [3]uint32      // the latest three distances of matches
	main   []int          // lengths of the previous block's main tree
	length []int          // lengths of its tree of lengths
	frames []Frame        // complete ones
}

// Pack packs data as one stream. It begins with a bit that says whether calls are translated, and the
// file size that the translation uses.
func Pack(data []byte, opt Options) []Frame {
	p := &packer{Options: opt, data: translated(data, opt.CodeSize), seen: map[uint32]int{}, recent: [3]uint32{1, 1, 1}}
	p.main, p.length = make([]int, 256+8*slots(opt.Bits)), make([]int, 249)
	if opt.CodeSize == 0 {
		p.bits.write(0, 1)
	} else {
		p.bits.write(1, 1)
		p.bits.write(opt.CodeSize>>16, 16)
		p.bits.write(opt.CodeSize&0xffff, 16)
	}
	at, n := 0, 0
	for ; at < len(p.data); n++ {
		end := min(len(p.data), at+opt.Sizes[n%len(opt.Sizes)])
		p.block(opt.Kinds[n%len(opt.Kinds)], at, end)
		at = end
	}
	p.endFrame(len(p.data))
	return p.frames
}

// endFrame ends a full frame, or the last one.
func (p *packer) endFrame(at int) {
	if size := at - len(p.frames)*frameSize; size == frameSize || at == len(p.data) && size > 0 {
		p.bits.align()
		p.frames = append(p.frames, Frame{p.bits.out, size})
		p.bits.out = nil
	}
}

// block writes one block: its kind, its length, the trees of its symbols, and its tokens. The trees are made
// of the tokens, so that the rarest symbols have the longest codes.
func (p *packer) block(kind, at, end int) {
	if kind == Uncompressed {
		p.raw(at, end)
		return
	}
	tokens := p.tokens(at, end)
	p.bits.write(uint32(kind), 3)
	p.bits.write(uint32(end-at)>>8, 16)
	p.bits.write(uint32(end-at)&0xff, 8)
	main, length, low := make([]int, len(p.main)), make([]int, len(p.length)), make([]int, 8)
	for _, t := range tokens {
		main[t.main]++
		if t.length >= 0 {
			length[t.length]++
		}
		if t.extra >= 3 {
			low[t.low&7]++
		}
	}
	lowCode := code{}
	if kind == Aligned {
		lowCode = codeOf(low, 7, true)
		for _, n := range lowCode.lengths {
			p.bits.write(uint32(n), 3)
		}
	}
	mainCode, lengthCode := codeOf(main, 16, true), codeOf(length, 16, false)
	p.lengths(p.main[:256], mainCode.lengths[:256])
	p.lengths(p.main[256:], mainCode.lengths[256:])
	p.lengths(p.length, lengthCode.lengths)
	for _, t := range tokens {
		mainCode.write(&p.bits, t.main)
		if t.length >= 0 {
			lengthCode.write(&p.bits, t.length)
		}
		if kind == Aligned && t.extra >= 3 {
			p.bits.write(t.low>>3, t.extra-3)
			lowCode.write(&p.bits, int(t.low&7))
		} else {
			p.bits.write(t.low, t.extra)
		}
		p.endFrame(t.end)
	}
}

// raw writes an uncompressed block: the three latest distances, the bytes, and a zero after an odd
// number of them, because words are aligned.
func (p *packer) raw(at, end int) {
	p.bits.write(Uncompressed, 3)
	p.bits.write(uint32(end-at)>>8, 16)
	p.bits.write(uint32(end-at)&0xff, 8)
	p.bits.pad()
	for _, r := range p.recent {
		p.bits.out = binary.LittleEndian.AppendUint32(p.bits.out, r)
	}
	for i := at; i < end; i++ {
		p.see(i)
		p.bits.out = append(p.bits.out, p.data[i])
		if i+1 < end || (end-at)%2 == 0 {
			p.endFrame(i + 1)
		}
	}
	if (end-at)%2 == 1 {
		p.bits.out = append(p.bits.out, 0)
		p.endFrame(end)
	}
}

// translated replaces the distances of calls (0xe8, the call instruction of x86) by positions in the
// file, so that calls of one function become equal. The last ten bytes of a frame are left as they are.
func translated(data []byte, size uint32) []byte {
	out := append([]byte(nil), data...)
	for start := 0; size > 0 && start < len(out); start += frameSize {
		frame := out[start:min(len(out), start+frameSize)]
		for i := 0; i < len(frame)-10; i++ {
			if frame[i] != 0xe8 {
				continue
			}
			distance, here := int32(binary.LittleEndian.Uint32(frame[i+1:])), int32(start+i)
			if distance >= -here && distance < int32(size) {
				if position := distance + here; position < int32(size) {
					distance = position
				} else {
					distance -= int32(size)
				}
				binary.LittleEndian.PutUint32(frame[i+1:], uint32(distance))
			}
			i += 4
		}
	}
	return out
}
