package pe

import (
	"fmt"
	"slices"

	"crashglass/core/stack/unwind"
)

// A regOffset is an address: what a register holds now, plus an offset.
type regOffset struct {
	reg string // as it is written in rules
	off int64
}

func (p regOffset) plus(n int64) regOffset { return regOffset{p.reg, p.off + n} }

// address and word are the address, and what is there, as rules say it.
func (p regOffset) address() unwind.Value { return unwind.At(p.reg, p.off) }
func (p regOffset) word() unwind.Value    { return unwind.Word(p.reg, p.off) }

// from is the address as an offset from the CFA, if both have the same register.
func (p regOffset) from(cfa regOffset) regOffset {
	if p.reg == cfa.reg {
		return regOffset{unwind.CFA, p.off - cfa.off}
	}
	return p
}

// A saved register is one whose value in the caller is in memory.
type saved struct {
	reg string
	at  regOffset
}

// A frameState is undone step by step, from an instruction back to the call. Its rules refer to the
// registers at the instruction.
type frameState struct {
	sp    regOffset
	saved []saved

	// ra is where the return address is. On ARM64 it is in the link register
	// unless that was saved.
	ra    regOffset
	hasRA bool

	// machine says that the processor or the kernel saved sp and ra, and that
	// loaded is where sp is.
	machine bool
	loaded  regOffset

	exact bool // the caller was interrupted, and did not call
}

// restore says that a register's value is in memory. A later one counts: it is
// of a caller further out.
func (f *frameState) restore(reg string, at regOffset) {
	i := slices.IndexFunc(f.saved, func(s saved) bool { return s.reg == reg })
	if i >= 0 {
		f.saved[i].at = at
		return
	}
	f.saved = append(f.saved, saved{reg, at})
}

func (f *frameState) where(reg string) (regOffset, bool) {
	i := slices.IndexFunc(f.saved, func(s saved) bool { return s.reg == reg })
	if i < 0 {
		return regOffset{}, false
	}
	return f.saved[i].at, true
}

// useFrameRegister takes the stack pointer from another register. One that was
// restored already holds the caller's value, from which nothing follows.
func (f *frameState) useFrameRegister(reg string, off int64) error {
	if _, ok := f.where(reg); ok {
		return fmt.Errorf("frame register %s is restored before it is used", reg)
	}
	f.sp = regOffset{reg, off}
	return nil
}

// reset begins again, with nothing undone.
func (f *frameState) reset(sp string) { *f = frameState{sp: regOffset{sp, 0}, saved: f.saved[:0]} }

// rules appends the frame as call frame rules; keep are registers that a
// function leaves as they were, and that the unwinder does not know as such.
func (f *frameState) rules(link string, keep []string, out []unwind.Rule) []unwind.Rule {
	cfa, base := f.sp.address(), f.sp
	if f.machine {
		cfa = f.loaded.word()
		base = regOffset{} // equal to none
	}
	ra := unwind.At(link, 0)
	if f.hasRA {
		ra = f.ra.from(base).word()
	}
	out = append(out, unwind.Rule{Reg: unwind.CFA, From: cfa}, unwind.Rule{Reg: unwind.RA, From: ra})
	for _, s := range f.saved {
		out = append(out, unwind.Rule{Reg: s.reg, From: s.at.from(base).word()})
	}
	for _, reg := range keep {
		if _, ok := f.where(reg); !ok {
			out = append(out, unwind.Rule{Reg: reg, From: unwind.At(reg, 0)})
		}
	}
	return out
}
