package pe

import (
	"fmt"
	"slices"
	"strconv"

	"crashglass/core/unwind"
)

// A place is an address: what a register holds now, plus a distance.
type place struct {
	reg string // as it is written in rules
	off int64
}

func (p place) plus(n int64) place { return place{p.reg, p.off + n} }

// String is the place as a postfix expression.
func (p place) String() string { return p.text("") }

// text is the place as a postfix expression, and what follows it.
func (p place) text(then string) string {
	if p.off == 0 && then == "" {
		return p.reg
	}
	var room [48]byte
	b := append(room[:0], p.reg...)
	if p.off != 0 {
		b = append(b, ' ')
		b = strconv.AppendUint(b, uint64(max(p.off, -p.off)), 10)
	}
	switch {
	case p.off < 0:
		b = append(b, " -"...)
	case p.off > 0:
		b = append(b, " +"...)
	}
	return string(append(b, then...))
}

// from is the place as a distance from another one with a name, if they have
// the same register.
func (p place) from(base place, name string) place {
	if p.reg == base.reg {
		return place{name, p.off - base.off}
	}
	return p
}

// A saved register is one whose value in the caller is in memory.
type saved struct {
	reg string
	at  place
}

// A frame is undone step by step, from an instruction back to the call. What
// it says of registers is in terms of those at the instruction.
type frame struct {
	sp    place
	saved []saved

	// ra is where the return address is. On ARM64 it is in the link register
	// unless that was saved.
	ra    place
	hasRA bool

	// machine says that the processor or the kernel saved sp and ra, and that
	// loaded is where sp is.
	machine bool
	loaded  place

	exact bool // the caller was interrupted, and did not call
}

// restore says that a register's value is in memory. A later one counts: it is
// of a caller further out.
func (f *frame) restore(reg string, at place) {
	i := slices.IndexFunc(f.saved, func(s saved) bool { return s.reg == reg })
	if i >= 0 {
		f.saved[i].at = at
		return
	}
	f.saved = append(f.saved, saved{reg, at})
}

// where is the place of a saved register.
func (f *frame) where(reg string) (place, bool) {
	i := slices.IndexFunc(f.saved, func(s saved) bool { return s.reg == reg })
	if i < 0 {
		return place{}, false
	}
	return f.saved[i].at, true
}

// useFrameRegister takes the stack pointer from another register. One that was
// restored already holds the caller's value, from which nothing follows.
func (f *frame) useFrameRegister(reg string, off int64) error {
	if _, ok := f.where(reg); ok {
		return fmt.Errorf("frame register %s is restored before it is used", reg)
	}
	f.sp = place{reg, off}
	return nil
}

// reset begins with a frame again of which nothing is undone.
func (f *frame) reset(sp string) { *f = frame{sp: place{sp, 0}, saved: f.saved[:0]} }

// A rule is an unwind.Rule that is not written out: a register's value is an
// address, or the word that is there.
type rule struct {
	reg  string
	at   place
	word bool
}

func (r rule) written() unwind.Rule {
	if r.word {
		return unwind.Rule{Reg: r.reg, Expr: r.at.text(" ^")}
	}
	return unwind.Rule{Reg: r.reg, Expr: r.at.text("")}
}

// writeRules writes rules out.
func writeRules(rules []rule) []unwind.Rule {
	out := make([]unwind.Rule, len(rules))
	for i, r := range rules {
		out[i] = r.written()
	}
	return out
}

// rules appends the frame as call frame rules; keep are registers that a
// function leaves as they were, and that the unwinder does not know as such.
func (f *frame) rules(link string, keep []string, out []rule) []rule {
	cfa := rule{reg: ".cfa", at: f.sp}
	base := f.sp
	if f.machine {
		cfa.at, cfa.word = f.loaded, true
		base = place{} // equal to none
	}
	ra := rule{reg: ".ra", at: place{reg: link}}
	if f.hasRA {
		ra.at, ra.word = f.ra.from(base, ".cfa"), true
	}
	out = append(out, cfa, ra)
	for _, s := range f.saved {
		out = append(out, rule{s.reg, s.at.from(base, ".cfa"), true})
	}
	for _, reg := range keep {
		if _, ok := f.where(reg); !ok {
			out = append(out, rule{reg: reg, at: place{reg: reg}})
		}
	}
	return out
}
