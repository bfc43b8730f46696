package macho

import "strconv"

// Modes of encodings of arm64.
const (
	armFrameless = 0x0200_0000
	armDWARF     = 0x0300_0000
	armFrame     = 0x0400_0000
)

// armPairs are the pairs of registers that an encoding has a bit for, in the
// order in which they are saved. Those of floating point, which no walk needs,
// take up room all the same.
var armPairs = []struct {
	bit uint32
	reg int // 0 for floating point
}{{0x1, 19}, {0x2, 21}, {0x4, 23}, {0x8, 25}, {0x10, 27}, {0x100, 0}, {0x200, 0}, {0x400, 0}, {0x800, 0}}

// armReg is the name of a register that unwind rules have.
func armReg(n int) string { return "x" + strconv.Itoa(n) }

const (
	armSP = "sp"
	armFP = "x29"
	armLR = "x30"
)

// armFrames reads encodings and instructions of arm64. Source: <mach-o/compact_unwind_encoding.h>,
// UNWIND_ARM64_MODE_FRAMELESS and the others.
type armFrames struct{}

// leaf is the frame of a function that has not changed the stack: its return address is in lr.
func (armFrames) leaf() *frameState { return &frameState{base: armSP, inReg: armLR} }

// body is the frame between prologue and epilogue by an encoding. It reports false for one that refers to
// DWARF, or that saves more than its frame has room for.
func (a armFrames) body(encoding uint32, _ []byte) (*frameState, bool) {
	switch encoding & modeMask {
	case armFrameless:
		fr := a.leaf()
		fr.offset = 16 * int64(encoding>>12&0xfff)
		return fr, fr.savePairs(encoding, 0)
	case armFrame:
		fr := &frameState{base: armFP, offset: 16, saved: []saved{{returnAddress, -8}, {armFP, -16}}}
		return fr, fr.savePairs(encoding, -16)
	}
	return nil, false
}

// savePairs saves the registers of an encoding below an offset from the CFA.
func (fr *frameState) savePairs(encoding uint32, at int64) bool {
	for _, pair := range armPairs {
		if encoding&pair.bit == 0 {
			continue
		}
		at -= 16
		if pair.reg != 0 {
			fr.saved = append(fr.saved, saved{armReg(pair.reg), at + 8}, saved{armReg(pair.reg + 1), at})
		}
	}
	return fr.base == armFP || -at <= fr.offset
}
