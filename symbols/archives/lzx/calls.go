package lzx

import "encoding/binary"

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
