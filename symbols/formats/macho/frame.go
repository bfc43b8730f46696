package macho

import (
	"slices"

	"crashglass/core/machine/cpu"
	"crashglass/core/stack/unwind"
)

// A frameState is the layout of a function's frame at an instruction.
type frameState struct {
	base   string // the register that the CFA is found from
	offset int64  // from base to the CFA
	saved  []saved
	inReg  string // where the return address is, when it is not on the stack
}

// A saved register is at an offset from the CFA, which is negative. The return
// address has the name .ra.
type saved struct {
	reg string
	at  int64
}

// rules are the frame's call frame rules.
func (fr *frameState) rules() []unwind.Rule {
	out := []unwind.Rule{{Reg: unwind.CFA, From: unwind.At(fr.base, fr.offset)}}
	if !fr.has(returnAddress) {
		out = append(out, unwind.Rule{Reg: returnAddress, From: unwind.At(fr.inReg, 0)})
	}
	for _, s := range fr.saved {
		out = append(out, unwind.Rule{Reg: s.reg, From: unwind.Word(unwind.CFA, s.at)})
	}
	return out
}

const returnAddress = unwind.RA

// has reports whether a register is saved.
func (fr *frameState) has(reg string) bool {
	return slices.ContainsFunc(fr.saved, func(s saved) bool { return s.reg == reg })
}

// A run is the needed part of the code around an address.
type run struct {
	start, end uint64 // of the function
	entry      uint32 // its encoding
}

// A cpuFrames has the frame rules of a CPU. The code that it is given begins at the address in
// question, or at the start of the function.
type cpuFrames interface {
	// body is the frame by an encoding, for which x86 may have to decode the function's first
	// instructions; false for none, DWARF, or damage.
	body(encoding uint32, code []byte) (*frameState, bool)

	// prolog runs the first instructions up to at. It reports false where
	// another instruction comes first.
	prolog(code []byte, at int) (*frameState, bool)

	// epilog runs the last instructions from rel on, with up to maxBefore bytes
	// in front of them. It reports false where they are not the last ones.
	epilog(f *File, before, code []byte, rel uint64, r run, body *frameState) (*frameState, bool)

	// leaf is the frame of code without saved registers.
	leaf() *frameState

	// steps are the offsets of the first instructions at which frames change.
	steps(code []byte) []int
}

// Bytes of code that are looked at: the first of a function, the last of one,
// and those in front of an address. The last are as many as arm64 needs to load
// all registers that functions keep.
const (
	maxProlog = 256
	maxEpilog = 128
	maxBefore = 64
)

// cpuFrames are the CPUs that Apple defines encodings for.
func (f *File) cpuFrames() cpuFrames {
	switch arch := cpu.ByName(f.arch()); {
	case arch.IsAMD64():
		return &intelAMD64
	case arch.Is386():
		return &intelX86
	case arch.IsARM64():
		return armFrames{}
	}
	return nil
}
