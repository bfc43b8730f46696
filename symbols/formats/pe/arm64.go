package pe

import (
	"errors"
	"fmt"
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

// The link register has no rule: the call has overwritten it in the caller, except in an interrupted frame.
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

func (f *frameState) undoArm(seq []armCode) error {
	next := 0 // pairs that follow the next save
	for i, c := range seq {
		if next > 0 && c.kind != armSaveNext && (c.kind != armSave || c.count != 2) {
			return errors.New("save_next without a pair before it")
		}
		switch c.kind {
		case armAlloc:
			f.sp = f.sp.plus(c.off)
		case armSave:
			f.restoreArm(c, next)
			next = 0
		case armSetFP:
			if err := f.useFrameRegister(armNames[armFP], -c.off); err != nil {
				return err
			}
		case armSaveNext:
			next++
		case armTrapFrame, armMachineFrame, armContext, armECContext, armClearCall:
			if i+1 >= len(seq) || seq[i+1].kind != armEnd {
				return fmt.Errorf("codes behind a saved context")
			}
			f.savedContext(c.kind)
		}
	}
	return nil
}

// restoreArm takes registers from memory, with pairs that follow them. Pairs
// follow x28 with d8, which is not x29.
func (f *frameState) restoreArm(c armCode, next int) {
	at := f.sp.plus(c.off)
	f.sp = f.sp.plus(c.bump)
	if c.vector {
		return
	}
	for i := range c.count {
		f.restore(armNames[c.regs[i]], at.plus(8*int64(i)))
	}
	for i := range 2 * next {
		if r := int(c.regs[1]) + 1 + i; r < armFP {
			f.restore(armNames[r], at.plus(8*int64(2+i)))
		}
	}
}

// An armLayout is where saved registers are, from the stack pointer on.
type armLayout struct {
	x0     int64 // of the first general register
	count  int   // general registers that follow each other
	fp, lr int64
	sp, pc int64
}

// armLayouts are what the kernel and its dispatchers save: KTRAP_FRAME, what a
// machine pushes, and CONTEXT. Source: ntarm64.h and winnt.h; the first as
// dotnet/runtime repeats it in src/coreclr/unwinder/arm64/unwinder.cpp.
var armLayouts = map[armKind]armLayout{
	armTrapFrame:    {x0: 0xa0, count: 19, lr: 0x138, fp: 0x140, sp: 0x98, pc: 0x148},
	armMachineFrame: {sp: 0, pc: 8},
	armContext:      {x0: 8, count: 29, fp: 0xf0, lr: 0xf8, sp: 0x100, pc: 0x108},
}

// savedContext takes registers that were interrupted. MSFT_OP_CLEAR_UNWOUND_TO_CALL
// has none: it says that the link register is the exact pc.
func (f *frameState) savedContext(kind armKind) {
	f.exact = true
	if kind == armECContext {
		f.ecContext()
		return
	}
	l, ok := armLayouts[kind]
	if !ok {
		return
	}
	for i := range l.count {
		f.restore(armNames[i], f.sp.plus(l.x0+8*int64(i)))
	}
	if l.lr != 0 {
		f.restore(armNames[armFP], f.sp.plus(l.fp))
		f.restore(armNames[armLR], f.sp.plus(l.lr))
	}
	f.ra, f.hasRA = f.sp.plus(l.pc), true
	f.loaded, f.machine = f.sp.plus(l.sp), true
}
