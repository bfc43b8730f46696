package pe

import (
	"slices"
	"strconv"

	"crashglass/core/stack/unwind"
)

// armNames are the registers as symbol files of ARM64 write them.
var armNames = func() (names [31]string) {
	for i := range names {
		names[i] = "x" + strconv.Itoa(i)
	}
	return names
}()

const (
	armFP = 29
	armLR = 30
)

func armFrame() *frameState { return &frameState{sp: regOffset{"sp", 0}} }

// armRules appends the rules of a frame that was undone. The link register has no rule: the call
// has overwritten it in the caller, except in an interrupted frame.
func (f *frameState) armRules(out []unwind.Rule) []unwind.Rule {
	if at, ok := f.where(armNames[armLR]); ok && !f.machine {
		f.ra, f.hasRA = at, true
		f.saved = slices.DeleteFunc(f.saved, func(s saved) bool { return s.reg == armNames[armLR] })
	}
	return f.rules(armNames[armLR], nil, out)
}

func (f *File) armCallFrame(cf *unwind.CallFrame, e entry, rel uint64) error {
	r, err := f.armRecord(e)
	if err != nil {
		return err
	}
	fr, err := r.undo(e, rel)
	if err != nil {
		return err
	}
	cf.Signal = fr.exact
	cf.Rules = fr.armRules(nil)
	return nil
}

// undo follows the codes for an address.
func (r *armRecord) undo(e entry, rel uint64) (*frameState, error) {
	seq, err := r.remaining(uint32(rel-uint64(e.begin)) / 4)
	if err != nil {
		return nil, e.in(unwindRecord, err)
	}
	fr := armFrame()
	if err := fr.undoArm(seq); err != nil {
		return nil, e.in(unwindRecord, err)
	}
	return fr, nil
}
