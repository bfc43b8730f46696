package pe

import (
	"bytes"
	"slices"

	"crashglass/core/base/bin"
)

// sameRules reports whether two entries for the same code have the same unwind rules. A linker that
// folds functions or funclets leaves such entries: only the handler, or its data, differs.
func (f *File) sameRules(a, b entry) bool {
	if a.data == b.data {
		return true
	}
	if f.work.Over() {
		return false
	}
	if f.h.machine == machineARM64 {
		return f.sameArmRules(a, b)
	}
	x, errX := f.unwindInfo(a)
	y, errY := f.unwindInfo(b)
	if errX != nil || errY != nil {
		return false
	}
	return x.version == y.version && x.prolog == y.prolog && x.frameReg == y.frameReg && x.frameOff == y.frameOff &&
		x.chained() == y.chained() && x.parent == y.parent && slices.Equal(x.codes, y.codes) &&
		x.epilogSize == y.epilogSize && slices.Equal(x.epilogs, y.epilogs)
}

// sameArmRules compares records in .xdata. Two packed entries that differ say
// different things.
func (f *File) sameArmRules(a, b entry) bool {
	if (a.data|b.data)&3 != armFull {
		return false
	}
	x, codesX, errX := f.armParts(a)
	y, codesY, errY := f.armParts(b)
	if errX != nil || errY != nil {
		return false
	}
	// Records may overlap, so that each of thousands is as large as the section.
	f.work.Spend(compareWork * int64(len(codesY)))
	return x.words == y.words && slices.EqualFunc(x.epilogs, y.epilogs, func(e, g armEpilog) bool { return e.index == g.index }) && bytes.Equal(codesX, codesY)
}

// compareWork is what comparing a byte of codes costs, in units of work.
const compareWork = 8

// armParts is the header of a record in .xdata, and the epilogs and codes
// behind it as they are.
func (f *File) armParts(e entry) (r *armRecord, codes []byte, err error) {
	head, err := f.readUpTo(unwindRecord, uint64(e.data), 8)
	if err != nil {
		return nil, nil, err
	}
	c := bin.NewCursor(unwindRecord, 0, head)
	r, scopes, words, err := armHeader(c)
	if err != nil {
		return nil, nil, err
	}
	codes, err = f.read(unwindRecord, uint64(e.data)+uint64(c.Offset()), 4*uint64(scopes+words))
	return r, codes, err
}
