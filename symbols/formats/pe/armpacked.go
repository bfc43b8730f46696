package pe

import (
	"fmt"
	"slices"
)

// How a packed entry keeps fp and lr: its CR field.
const (
	crUnchained  = 0
	crSavesLR    = 1
	crChainedPAC = 2
	crChained    = 3
)

// A packedEntry is an ARM64 .pdata entry without an .xdata record. Sizes are bytes.
type packedEntry struct {
	ints, floats int // registers saved, x19 and d8 the first
	homes        bool
	cr           int64
	frame        int64
}

// unpack makes a record of the second word of a packed entry: its prolog is
// canonical, and its epilog, at the end of the code, undoes it.
//
// Source: ARM64 exception handling, "Packed unwind data". Where it leaves
// something open (x19 with lr, arguments that are homed while no register is
// saved) this does what Windows does.
func unpack(word uint32) (*armRecord, error) {
	p := packedEntry{
		floats: int(field(word, 13, 3)), ints: int(field(word, 16, 4)), homes: field(word, 20, 1) != 0,
		cr: field(word, 21, 2), frame: 16 * field(word, 23, 9),
	}
	if p.floats > 0 {
		p.floats++
	}
	if p.ints > 10 {
		return nil, fmt.Errorf("%d registers from x19 on", p.ints)
	}
	r := &armRecord{words: uint32(field(word, 2, 11))}
	prolog, err := p.prolog()
	if err != nil {
		return nil, err
	}
	prolog = append([]armCode{{kind: armEnd}}, prolog...)
	if word&3 == armFragment { // neither prolog nor epilog: all is done elsewhere
		r.prolog = append(prolog, armCode{kind: armEndChained})
		slices.Reverse(r.prolog)
		return r, nil
	}
	slices.Reverse(prolog)
	r.prolog = prolog
	epilog := slices.DeleteFunc(slices.Clone(prolog), func(c armCode) bool { return c.kind == armSetFP || c.kind == armNop && !c.signs })
	size := instructions(epilog) + 1
	if size > r.words {
		return nil, fmt.Errorf("an epilog of %d instructions in %d", size, r.words)
	}
	r.epilogs = []armEpilog{{start: r.words - size, seq: epilog}}
	return r, nil
}

// prolog is what the canonical prolog does, first instruction first.
func (p *packedEntry) prolog() (out []armCode, err error) {
	saves := p.saves()
	size := int64(0)
	for _, c := range saves {
		size += 8 * int64(c.count)
	}
	homes := p.homes && size > 0
	if homes {
		size += 64
	}
	size = (size + 15) &^ 15
	local := p.frame - size
	if local < 0 {
		return nil, fmt.Errorf("%d bytes of registers in a frame of %d", size, p.frame)
	}
	if p.cr == crChainedPAC {
		out = append(out, armCode{kind: armNop, signs: true})
	}
	off := int64(0)
	for i, c := range saves {
		switch {
		case i > 0:
			c.off = off
		case c.count == 2 && c.regs[1] == armLR: // there is no push of x19 with lr
			out = append(out, armCode{kind: armAlloc, off: size})
		default:
			c.bump = size
		}
		off += 8 * int64(c.count)
		out = append(out, c)
	}
	if homes { // else what is homed is in the local area, behind the prolog
		out = append(out, slices.Repeat([]armCode{{kind: armNop}}, 4)...)
	}
	return p.locals(out, local)
}

// saves are the saves of registers, without their places.
func (p *packedEntry) saves() (out []armCode) {
	odd := p.ints%2 == 1
	for r := range p.ints / 2 {
		first := int64(19 + 2*r)
		out = append(out, save(first, first+1, 2, 0))
	}
	last := int64(19 + p.ints - 1)
	switch {
	case odd && p.cr == crSavesLR:
		out = append(out, save(last, armLR, 2, 0))
	case odd:
		out = append(out, save(last, 0, 1, 0))
	case p.cr == crSavesLR:
		out = append(out, save(armLR, 0, 1, 0))
	}
	for r := 0; r < p.floats; r += 2 {
		out = append(out, vectors(save(int64(8+r), 0, min(2, p.floats-r), 0)))
	}
	return out
}

// locals makes room for the rest of the frame, at its bottom fp and lr. An
// instruction can take 4080 bytes, or push a pair over 512.
func (p *packedEntry) locals(out []armCode, size int64) ([]armCode, error) {
	const most, mostPushed = 4080, 512
	chained := p.cr == crChained || p.cr == crChainedPAC
	switch {
	case chained && size == 0:
		return nil, fmt.Errorf("no room for fp and lr in a frame of %d", p.frame)
	case chained && size <= mostPushed:
		out = append(out, push(armFP, armLR, 2, size))
	case size > most:
		out = append(out, armCode{kind: armAlloc, off: most}, armCode{kind: armAlloc, off: size - most})
	case size > 0:
		out = append(out, armCode{kind: armAlloc, off: size})
	}
	if !chained {
		return out, nil
	}
	if size > mostPushed {
		out = append(out, save(armFP, armLR, 2, 0))
	}
	return append(out, armCode{kind: armSetFP}), nil
}
