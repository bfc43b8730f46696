package lzx

import "encoding/binary"

const (
	callCode   = 0xe8 // of x86's call
	notCalls   = 10   // bytes at the end of a frame that are no calls
	callFrames = 1 << 15
)

// restoreCalls undoes what made calls of one function alike: in a file of
// codeSize bytes, the operand was turned from a distance into a position. Calls
// are looked for in each frame by itself, and in the first 32768 frames. The
// window keeps them as they were written.
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
