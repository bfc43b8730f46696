package pe

import (
	"crashglass/core/machine/isa"
	"crashglass/core/stack/unwind"
)

// CallFrame returns the rules at an exact instruction. In an image with unwind records, code
// without a record belongs to a leaf: a function that changes neither rsp nor a nonvolatile
// register. Code that calls is no leaf, even without a record. Images for x86 may have .eh_frame
// instead. Rules of Go's functions are those of Go's table only, see package elf.
func (f *File) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	if frame, ok := f.golang().CallFrame(rel); frame.Size > 0 {
		return frame, ok
	}
	if t := f.frames(); t != nil {
		return t.CallFrame(rel)
	}
	if len(f.functions().entries) == 0 {
		return unwind.CallFrame{}, false
	}
	e, run, covered := f.find(rel)
	cf := unwind.CallFrame{Start: run.start, Size: run.end - run.start, From: "unwind codes"}
	var err error
	switch {
	case covered == inGap:
		if !f.functions().gaps || f.calls(rel) {
			return unwind.CallFrame{}, false
		}
		cf.From = "the lack of unwind codes"
		cf.Rules = f.leafRules(rel)
	case covered == nowhere:
		return unwind.CallFrame{}, false
	case f.isARM(rel):
		err = f.armCallFrame(&cf, e, rel)
	default:
		err = f.amd64CallFrame(&cf, e, rel)
	}
	if err != nil {
		f.notes.add(err)
		return unwind.CallFrame{}, false
	}
	if f.isEC(rel) {
		cf.Rules, cf.Foreign = asX64(cf.Rules), true
	}
	return cf, true
}

func (f *File) amd64CallFrame(cf *unwind.CallFrame, e entry, rel uint64) error {
	p, err := f.procedure(e)
	if err != nil {
		return err
	}
	fr := amd64Frame()
	if err := f.amd64Frame(fr, p, rel); err != nil {
		return err
	}
	cf.Signal = fr.exact
	cf.Rules = fr.amd64Rules(nil)
	return nil
}

// amd64Frame undoes the frame at an address of a procedure. It overwrites fr.
func (f *File) amd64Frame(fr *frameState, p *procedure, rel uint64) error {
	fr.reset(amd64Regs[regRSP])
	u := p.chain[0]
	if u.version == 2 {
		if done, ok := p.inEpilog(rel); ok {
			return p.finish(fr, done)
		}
	} else if uint32(rel)-u.of.begin >= uint32(u.prolog) {
		if f.runEpilog(fr, p, rel) {
			return nil
		}
		fr.reset(amd64Regs[regRSP])
	}
	return p.undo(fr, rel)
}

// leafRules are the rules of a function without saved registers.
func (f *File) leafRules(rel uint64) []unwind.Rule {
	if f.isARM(rel) {
		return armFrame().armRules(nil)
	}
	return amd64Frame().amd64Rules(nil)
}

// calls reports whether the instruction that an address lies in, or ends, is a call.
func (f *File) calls(rel uint64) bool {
	if f.isARM(rel) {
		code, err := f.read("code", rel&^3, 4)
		return err == nil && isa.ARM64.Decode(code, rel&^3).Flow == isa.Call
	}
	low := rel - min(rel, 6)
	if s := f.sectionAt(rel); s != nil {
		low = max(low, uint64(s.rva))
	}
	code, err := f.read("code", low, rel+1-low)
	if err != nil {
		return false
	}
	return f.endsInCall(code, rel+1)
}

// endsInCall reports whether code up to an address ends in a call, of whatever
// a register or memory says, or of an address (e8) where there is code.
func (f *File) endsInCall(code []byte, end uint64) bool {
	off, direct, indirect := isa.AMD64.CallBefore(code)
	return indirect || direct && f.isCode(end+uint64(off))
}
