package variables

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/values/types"
)

// A walk assumes that functions preserve the callee-saved registers of the C ABI. Functions of Go
// preserve none, and their call frame rules do not say so. A caller's registers are therefore
// proved only up to the innermost Go function.

// Languages is a Source that knows the language of code.
type Languages interface {
	// Language returns the language of the function at an address.
	Language(rel uint64) types.Language
}

// A tri is a fact that may not be known yet.
type tri uint8

const (
	unknown tri = iota // not determined yet
	yes                // every callee is code that preserves registers
	no                 // a callee is a function of Go
)

// preserves reports whether the callees of a frame preserved its registers.
func (f *Context) preserves() bool {
	// The answer of a frame is that of its callee, unless its callee clobbers. It is stored in each frame
	// on the way, so that a deep stack is walked once and not once a frame.
	var chain []*Context
	state := yes
	for at := f; ; at = at.Callee {
		if at.preserved != unknown {
			state = at.preserved
			break
		}
		chain = append(chain, at)
		if at.Interrupted || at.Callee == nil { // a signal saved all registers
			break
		}
	}
	for i := len(chain) - 1; i >= 0; i-- {
		at := chain[i]
		if state == yes && !at.Interrupted && at.Callee != nil && at.Callee.clobbers() {
			state = no
		}
		at.preserved = state
	}
	return f.preserved == yes
}

// clobbers reports whether a frame's function preserves no registers.
func (f *Context) clobbers() bool {
	l := f.Symbols.Languages
	return l != nil && l.Language(f.Rel()) == types.Go
}

// get returns a proved register of a frame.
func (f *Context) get(reg cpu.Reg) (uint64, bool) {
	if reg != f.Arch.PC && reg != f.Arch.SP && !f.preserves() {
		return 0, false
	}
	if f.Searched.Has(reg) {
		return 0, false
	}
	return f.Regs.Get(reg)
}
