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
	componentCET   = 1 << 11 // IA32_U_CET and IA32_PL3_SSP
	sizeCET        = 16
	compactedForm  = 1 << 63 // of XCOMP_BV; its other bits are the components that have space
	upperRegisters = 16
	upperSize      = upperRegisters * 16
)

// hasExtended lists the contexts that extended state may follow.
func hasExtended(l *cpu.Layout) bool { return l.Arch.IsX86() }

// componentSizes are the sizes of the components that can lie before the one of shadow stacks in the compacted form, which packs those
// that have space. None of them is aligned. (In the standard form it has no place.)
//
// Source: Intel SDM, volume 1, sections 13.4.3 and 13.5; Linux, arch/x86/kernel/fpu/xstate.c.
var componentSizes = [...]int{2: 256, 3: 64, 4: 64, 5: 64, 6: 512, 7: 1024, 8: 128, 9: 8, 10: 8}

// extended returns the XSAVE area without its legacy region, with the components in use and those that have space in the compacted
// form. It is nil without one.
func (c *Context) extended() (area []byte, inUse, room uint64) {
	if !hasExtended(c.layout) || c.Flags&flagExtended == 0 {
		return nil, 0, 0
	}
	data := c.bytes()
	if len(data) < c.layout.Size+extendedSize {
		return nil, 0, 0
	}
	ex := data[c.layout.Size:]
	legacy, from, size := int32(binary.LittleEndian.Uint32(ex[8:])), binary.LittleEndian.Uint32(ex[16:]), binary.LittleEndian.Uint32(ex[20:])
	if int(legacy) != -c.layout.Size || from < extendedSize || uint64(from)+uint64(size) > uint64(len(ex)) || size < xsaveHeader {
		return nil, 0, 0
	}
	area = ex[from : uint64(from)+uint64(size)]
	return area, binary.LittleEndian.Uint64(area), binary.LittleEndian.Uint64(area[8:])
}

// upper returns the upper half of a register of 256 bits, ymm. The half is unknown if the component
// was not in use, because the header does not say whether it was to be saved.
func (c *Context) upper(i int) ([]byte, bool) {
	area, inUse, room := c.extended()
	if i >= upperRegisters || len(area) < xsaveHeader+upperSize || inUse&componentYMM == 0 || room&compactedForm != 0 && room&componentYMM == 0 {
		return nil, false
	}
	at := xsaveHeader + 16*i
	return area[at : at+16], true
}

// shadow returns the shadow stack pointer of user mode, or 0.
func (c *Context) shadow() uint64 {
	area, inUse, room := c.extended()
	if room&compactedForm == 0 || inUse&room&componentCET == 0 {
		return 0
	}
	at := xsaveHeader
	for i, size := range componentSizes {
		if room&(1<<i) != 0 {
			at += size
		}
	}
	if len(area) < at+sizeCET {
		return 0
	}
	return binary.LittleEndian.Uint64(area[at+8:])
}

// WithExtended returns a context with the upper halves of its registers of 256 bits, 16 times 16 bytes as an XSAVE area has them or
// nothing, and with a shadow stack pointer, or 0.
func WithExtended(l *cpu.Layout, context, upper []byte, shadow uint64) []byte {
	var inUse uint64
	components := make([]byte, 0, upperSize+sizeCET)
	if len(upper) == upperSize {
		inUse |= componentYMM
		components = append(components, upper...)
	}
	if shadow != 0 {
		inUse |= componentCET
		components = binary.LittleEndian.AppendUint64(append(components, 1, 0, 0, 0, 0, 0, 0, 0), shadow) // SH_STK_EN
	}
	if !hasExtended(l) || len(context) != l.Size || inUse == 0 {
		return context
	}
	out := slices.Clone(context)
	flags := out[l.FlagsAt:]
	binary.LittleEndian.PutUint32(flags, binary.LittleEndian.Uint32(flags)|flagExtended)
	add := func(v int) { out = binary.LittleEndian.AppendUint32(out, uint32(v)) }
	for _, chunk := range [][2]int{
		{-l.Size, l.Size + extendedSize + xsaveHeader + len(components)}, {-l.Size, l.Size}, {extendedSize, xsaveHeader + len(components)},
	} {
		add(chunk[0])
		add(chunk[1])
	}
	room := uint64(0)
	if shadow != 0 {
		room = compactedForm | inUse
	}
	out = binary.LittleEndian.AppendUint64(out, inUse)
	out = binary.LittleEndian.AppendUint64(out, room)
	out = append(out, make([]byte, xsaveHeader-16)...)
	return append(out, components...)
}
