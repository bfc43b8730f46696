package unwind

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// A frameRecord is the caller's registers from the record at a frame pointer.
type frameRecord struct{ ra, fp, sp uint64 }

// records is a system's convention for frame pointers.
type records struct {
	os      process.OS // "" for every other one
	reg     cpu.Reg
	layouts []recordLayout // tried in order
	loose   bool           // code without frame records may use the register for anything
}

// A recordLayout has the offsets in a frame record, in words from the frame pointer.
type recordLayout struct {
	fp, ra, sp int64
	spSaved    bool // sp is the place of the saved stack pointer, not its value
	check      recordCheck
}

// plainRecord is the layout of x86 and amd64: a saved frame pointer, and the return address above it.
var plainRecord = recordLayout{fp: 0, ra: 1, sp: 2}

// A recordCheck is a condition on the contents of a frame record.
type recordCheck uint8

const (
	anything  recordCheck = iota
	anAddress             // a return address
	aLink                 // and a frame pointer further up the stack, or 0 at the end of the chain
	anUpLink              // and a frame pointer further up the stack
)

// recordsOf returns the conventions of the walk's system.
func (w *walk) recordsOf() (records, bool) {
	for _, r := range w.records {
		if r.os == "" || r.os == w.in.OS {
			return r, true
		}
	}
	return records{}, false
}

// framePointer returns the register of frame records on the walk's system, which may differ from
// the CPU's usual one.
func (w *walk) framePointer() cpu.Reg {
	if r, ok := w.recordsOf(); ok {
		return r.reg
	}
	return w.FP
}

// byFrameRecord follows the chain of frame records. A frame pointer of 0 ends the chain, but does
// not prove the end of the stack: code without frame records uses the register for anything.
func byFrameRecord(w *walk, f *Frame) (decision, outcome) {
	r, ok := w.recordsOf()
	if !ok {
		return decision{}, none
	}
	switch fp, ok := f.Regs.Get(r.reg); {
	case !ok:
		w.sayText("%s is not known", w.RegName(r.reg))
	case fp == 0:
		w.sayText("%s is 0: the chain of frame records ends here", w.RegName(r.reg))
		w.fail(End{Kind: ChainEnd})
	default:
		if l, rec, ok := w.recordAt(f, r, fp); ok && !(f.Interrupted && rec.sp <= f.base) && w.possible(rec.ra) && (!r.loose || w.runs(rec.ra)) {
			return decision{rules: w.recordRules(r.reg, l), trust: FramePointer, way: ByFramePointer, loose: r.loose, again: true}, found
		}
		w.say("no frame record at %#x", fp)
	}
	return decision{}, none
}

// runs reports whether an address can be code: a return address in a module, or an address in other
// executable memory, such as a JIT's.
func (w *walk) runs(addr uint64) bool {
	if w.plausible(addr) {
		return true
	}
	return addr >= lowest && w.in.Modules.At(addr) == nil && w.executable(addr) == yes
}

// leadsOutside reports whether a record's return address lies outside of every module, unloaded ones too, and of all executable memory. If the
// dump does not know what is executable, a JIT's code may be there, and the chain has to lead back to a module.
func (w *walk) leadsOutside(l recordLayout, fp uint64, rec frameRecord) bool {
	if !w.misaligned(rec.ra) && (w.moduleAt(rec.ra-1) != nil || w.isGenerated(rec.ra-1)) {
		return false
	}
	executable := w.executable(rec.ra)
	if executable != unknown || rec.ra < lowest {
		return executable != yes
	}
	return !w.leadsBack(l, fp, rec)
}

// isStray reports whether the words at a frame pointer lead neither to code nor to another record: the register holds something else. A record
// without a return address ends the chain. One without a next record does if no guess led to it: a file need not list all modules.
func (w *walk) isStray(f *Frame, l recordLayout, fp uint64, rec frameRecord) bool {
	switch {
	case rec.ra == 0 || !w.leadsOutside(l, fp, rec):
		return false
	case f.Guess || rec.ra < lowest || w.executable(rec.ra) == no:
		return true
	}
	return rec.fp != 0 && !w.hasNext(fp, rec)
}

// maxGenerated bounds the records of a JIT's functions that are followed to one of a module.
const maxGenerated = 32

// leadsBack reports whether a record leads to one with a return address in code that is known.
func (w *walk) leadsBack(l recordLayout, fp uint64, rec frameRecord) bool {
	for range maxGenerated {
		if !w.pointsUp(fp, rec) {
			return false
		}
		next, ok := w.readRecord(l, rec.fp)
		if !ok || w.plausible(next.ra) {
			return ok
		}
		fp, rec = rec.fp, next
	}
	return false
}

// pointsUp reports whether a record has a frame pointer further up the stack than its own.
func (w *walk) pointsUp(fp uint64, rec frameRecord) bool {
	return rec.fp > fp && rec.fp%uint64(w.Word) == 0
}

// hasNext reports whether a record has such a frame pointer, to memory that was captured.
func (w *walk) hasNext(fp uint64, rec frameRecord) bool {
	if !w.pointsUp(fp, rec) {
		return false
	}
	_, captured := w.word(rec.fp)
	return captured
}

func (w *walk) recordRules(reg cpu.Reg, l recordLayout) []Rule {
	name, word := w.RegName(reg), int64(w.Word)
	cfa := At(name, l.sp*word)
	cfa.Load = l.spSaved
	return w.rules(Rule{CFA, cfa}, Rule{RA, Word(name, l.ra*word)}, Rule{name, Word(name, l.fp*word)})
}

// recordAt reads the record at a frame pointer, in the first layout that fits.
func (w *walk) recordAt(f *Frame, r records, fp uint64) (recordLayout, frameRecord, bool) {
	if fp%uint64(w.Word) != 0 || !w.sameStack(f.spOf(w.SP), fp) {
		return recordLayout{}, frameRecord{}, false
	}
	for _, l := range r.layouts {
		if rec, ok := w.readRecord(l, fp); ok && w.recordHolds(f, l, fp, rec) {
			return l, rec, true
		}
	}
	return recordLayout{}, frameRecord{}, false
}

func (w *walk) readRecord(l recordLayout, fp uint64) (frameRecord, bool) {
	place := func(words int64) uint64 { return (fp + uint64(words*int64(w.Word))) & w.Mask() }
	if place(2) < fp { // at the top of the address space
		return frameRecord{}, false
	}
	saved, okFP := w.word(place(l.fp))
	ra, okRA := w.word(place(l.ra))
	rec := frameRecord{ra: w.strip(ra), fp: w.strip(saved), sp: place(l.sp)}
	if l.spSaved {
		var ok bool
		if rec.sp, ok = w.word(rec.sp); !ok {
			return rec, false
		}
	}
	return rec, okFP && okRA
}

// recordHolds checks one link of a chain: the return address is plausible, the caller's stack is
// above this frame's, and the saved frame pointer is above this one, in the stack.
func (w *walk) recordHolds(f *Frame, l recordLayout, fp uint64, rec frameRecord) bool {
	switch {
	case l.check == anything:
		return !w.isStray(f, l, fp, rec)
	case !w.plausible(rec.ra) || rec.sp <= f.base:
		return false
	case l.check == anAddress || l.check == aLink && rec.fp == 0:
		return true
	}
	return w.hasNext(fp, rec)
}

// recordOf reads the frame record at the frame's frame pointer.
func (w *walk) recordOf(f *Frame) (recordLayout, frameRecord, cpu.Reg, bool) {
	r, ok := w.recordsOf()
	if !ok {
		return recordLayout{}, frameRecord{}, cpu.None, false
	}
	fp, ok := f.Regs.Get(r.reg)
	if !ok || fp == 0 {
		return recordLayout{}, frameRecord{}, r.reg, false
	}
	l, rec, ok := w.recordAt(f, r, fp)
	return l, rec, r.reg, ok
}
