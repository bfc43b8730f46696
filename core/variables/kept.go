package variables

import (
	"crashglass/core/cpu"
	"crashglass/core/types"
)

// A walk takes over registers that the ABI of C says a function leaves as they
// were. Functions of Go leave none, and their call frame rules do not say so:
// a caller's registers are proved only up to the innermost of them.

// Languages is a Source that knows what language code was written in.
type Languages interface {
	// Language returns the language of the function at an address.
	Language(rel uint64) types.Language
}

// A tri is a fact that may not be known yet.
type tri uint8

const (
	unknown tri = iota
	yes
	no
)

// keeps reports whether what a frame called kept its registers.
func (f *Frame) keeps() bool {
	var chain []*Frame
	state := yes
	for at := f; ; at = at.Callee {
		if at.kept != unknown {
			state = at.kept
			break
		}
		chain = append(chain, at)
		if at.Interrupted || at.Callee == nil {
			break
		}
	}
	for i := len(chain) - 1; i >= 0; i-- {
		at := chain[i]
		if state == yes && !at.Interrupted && at.Callee != nil && at.Callee.clobbers() {
			state = no
		}
		at.kept = state
	}
	return f.kept == yes
}

// clobbers reports whether a frame's function keeps no registers.
func (f *Frame) clobbers() bool {
	l, ok := f.Source.(Languages)
	return ok && l.Language(f.Rel) == types.Go
}

// get returns a register that is proved in a frame.
func (f *Frame) get(reg cpu.Reg) (uint64, bool) {
	if reg != f.Arch.PC && reg != f.Arch.SP && !f.keeps() {
		return 0, false
	}
	return f.Regs.Get(reg)
}
