package lzxpack

import "encoding/binary"

// A bitWriter writes bits into little-endian 16-bit words, the highest bit first.
type bitWriter struct {
	out  []byte
	hold uint32 // bits of an incomplete word
	n    int    // their number
}

// write appends the lowest bits of a value.
func (w *bitWriter) write(v uint32, bits int) {
	for i := bits - 1; i >= 0; i-- {
		w.hold = w.hold<<1 | v>>i&1
		if w.n++; w.n == 16 {
			w.out = binary.LittleEndian.AppendUint16(w.out, uint16(w.hold))
			w.hold, w.n = 0, 0
		}
	}
}

// align fills the word with zeros, as a frame has to end with a whole one.
func (w *bitWriter) align() {
	for w.n > 0 {
		w.write(0, 1)
	}
}

// pad writes the padding before the data of an uncompressed block: 1 to 16 bits.
func (w *bitWriter) pad() {
	w.write(0, 1)
	w.align()
}

// Cabinet makes a cabinet of one file in one folder, without checksums. Source: [MS-CAB] 2.1 for the
// header, 2.2 for the folder, 2.3 for the file and 2.4 for the blocks of data.
func Cabinet(name string, data []byte, opt Options) []byte {
	var blocks []byte
	frames := Pack(data, opt)
	for _, f := range frames {
		blocks = binary.LittleEndian.AppendUint32(blocks, 0) // no checksum
		blocks = binary.LittleEndian.AppendUint16(blocks, uint16(len(f.Packed)))
		blocks = binary.LittleEndian.AppendUint16(blocks, uint16(f.Size))
		blocks = append(blocks, f.Packed...)
	}
	files := 36 + 8
	dataAt := files + 16 + len(name) + 1
	le := binary.LittleEndian
	out := append([]byte("MSCF"), make([]byte, 32)...)
	le.PutUint32(out[8:], uint32(dataAt+len(blocks)))
	le.PutUint32(out[16:], uint32(files))
	out[24], out[25], out[26], out[28] = 3, 1, 1, 1 // version 1.3, one folder, one file
	out = le.AppendUint32(out, uint32(dataAt))
	out = le.AppendUint16(out, uint16(len(frames)))
	out = le.AppendUint16(out, uint16(3|opt.Bits<<8)) // LZX, and its window
	out = le.AppendUint32(out, uint32(len(data)))
	out = append(out, make([]byte, 12)...) // offset 0 in folder 0, no date and no attributes
	out = append(append(out, name...), 0)
	return append(out, blocks...)
}
