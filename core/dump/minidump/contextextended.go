package minidump

import (
	"encoding/binary"
	"slices"

	"crashglass/core/machine/cpu"
)

// Extended state follows CONTEXT if the flags say so: a CONTEXT_EX with the location of both, and
// the part of an XSAVE area behind its legacy region. The header of that area has the mask of the
// components that were in use.
//
//	CONTEXT | CONTEXT_EX {All, Legacy, XState} | XSTATE_BV, XCOMP_BV, 48 bytes | 16 upper halves of ymm | ...
//
// Sources: winnt.h, CONTEXT_EX and XSAVE_AREA_HEADER; Intel SDM, volume 1,
// section 13.4: component 2 follows the header in the compacted form too.
const (
	flagExtended   = 0x40 // CONTEXT_XSTATE
	extendedSize   = 24   // sizeof(CONTEXT_EX)
	xsaveHeader    = 64
	componentYMM   = 1 << 2
	compactedForm  = 1 << 63 // of XCOMP_BV; its other bits are the components that have space
	upperRegisters = 16
	upperSize      = upperRegisters * 16
)

// hasExtended lists the contexts that extended state may follow.
func hasExtended(l *cpu.Layout) bool { return l.Arch.IsX86() }

// upper returns the upper half of a register of 256 bits, ymm. The half is unknown if the component
// was not in use, because the header does not say whether it was to be saved.
func (c *Context) upper(i int) ([]byte, bool) {
	if !hasExtended(c.layout) || c.Flags&flagExtended == 0 || i >= upperRegisters {
		return nil, false
	}
	data := c.bytes()
	if len(data) < c.layout.Size+extendedSize {
		return nil, false
	}
	ex := data[c.layout.Size:]
	legacy, from, size := int32(binary.LittleEndian.Uint32(ex[8:])), binary.LittleEndian.Uint32(ex[16:]), binary.LittleEndian.Uint32(ex[20:])
	if int(legacy) != -c.layout.Size || from < extendedSize || uint64(from)+uint64(size) > uint64(len(ex)) || size < xsaveHeader+upperSize {
		return nil, false
	}
	area := ex[from:]
	inUse, room := binary.LittleEndian.Uint64(area), binary.LittleEndian.Uint64(area[8:])
	if inUse&componentYMM == 0 || room&compactedForm != 0 && room&componentYMM == 0 {
		return nil, false
	}
	at := xsaveHeader + 16*i
	return area[at : at+16], true
}

// WithUpper returns a context with the upper halves of its registers of 256
// bits: 16 times 16 bytes, as an XSAVE area has them.
func WithUpper(l *cpu.Layout, context, upper []byte) []byte {
	if !hasExtended(l) || len(context) != l.Size || len(upper) != upperSize {
		return context
	}
	out := slices.Clone(context)
	flags := out[l.FlagsAt:]
	binary.LittleEndian.PutUint32(flags, binary.LittleEndian.Uint32(flags)|flagExtended)
	add := func(v int) { out = binary.LittleEndian.AppendUint32(out, uint32(v)) }
	for _, chunk := range [][2]int{
		{-l.Size, l.Size + extendedSize + xsaveHeader + upperSize}, {-l.Size, l.Size}, {extendedSize, xsaveHeader + upperSize},
	} {
		add(chunk[0])
		add(chunk[1])
	}
	out = binary.LittleEndian.AppendUint64(out, componentYMM)
	out = append(out, make([]byte, xsaveHeader-8)...)
	return append(out, upper...)
}
