package unwind

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
)

func init() { targets = append(targets, &ppc, &ppc64) }

// The PowerPC and SPARC ABIs require every function to link its frame to its caller's. The walk
// follows this chain, because symbol files have no call frame information for these CPUs.
var (
	ppc = target{
		Arch: &cpu.PPC, isa: words(isa.PPC), trampolines: ppcTrampolines,
		ladder: []method{{SignalFrames, bySavedContext}, {FunctionCode, byEntry}, {Nowhere, byReturnOnTop}, {LinkRegister, byLinkRegister}, {BackChain, ppcBackChain}},
	}
	ppc64 = target{
		Arch: &cpu.PPC64, isa: words(isa.PPC64), trampolines: ppc64Trampolines,
		ladder: []method{{SignalFrames, bySavedContext}, {FunctionCode, byEntry}, {Nowhere, byReturnOnTop}, {LinkRegister, byLinkRegister}, {BackChain, ppc64BackChain}},
	}
)

// ppcBackChain follows the back chain:
//
//	sp' = *(sp)
//	ra  = *(sp'+8)   where macOS saves the link register, and Breakpad looks
//	ra  = *(sp'+4)   where the System V ABI saves it
//
// The System V place is used if there is more evidence for it, and on Linux also if code gives
// equal evidence for both. There the other place belongs to the callee, and may have return
// addresses of earlier calls.
func ppcBackChain(w *walk, f *Frame) (decision, outcome) { return backChain(w, f, 8, 4) }

// ppc64BackChain is the same with the link register saved 16 bytes up, in every ABI.
func ppc64BackChain(w *walk, f *Frame) (decision, outcome) { return backChain(w, f, 16, 16) }

func backChain(w *walk, f *Frame, first, second int64) (decision, outcome) {
	sp, ok := f.Regs.Get(cpu.PPCR1)
	if !ok {
		w.say("r1 is not known")
		return decision{}, none
	}
	up, ok := w.word(sp)
	if !ok {
		w.say("no memory at sp = %#x", sp)
		return decision{}, none
	}
	if up <= sp {
		w.say("the back chain goes from %#x to %#x, which does not lie above", sp, up)
		return decision{}, w.chainEnds(up)
	}
	saved := first
	ra, ok := w.word(up + uint64(first))
	if other, ok := w.word(up + uint64(second)); ok && w.likelier(other, ra) {
		saved, ra = second, other
	}
	if !ok {
		w.say("no memory at %#x", up+uint64(first))
		return decision{}, none
	}
	if ra <= 1 {
		return decision{}, w.chainEnds(0)
	}
	return decision{trust: FramePointer, way: ByBackChain, rules: w.rules(Rule{CFA, Word("r1", 0)}, Rule{RA, Word(CFA, saved)})}, found
}

// likelier reports whether the System V place has the return address.
func (w *walk) likelier(systemV, other uint64) bool {
	a, b := w.likelihood(systemV), w.likelihood(other)
	return a > b || a == b && a != uncaptured && w.in.OS.IsLinux()
}

// Likelihoods of a return address.
const (
	impossible = iota
	noCall     // before it in the code
	uncaptured // code before it, which could prove it, which was not captured
	proved
)

// likelihood grades the evidence for a return address: it can be one, no call is missing before it,
// and there is a call.
func (w *walk) likelihood(ra uint64) int {
	if w.trampolineAt(ra) != nil {
		return proved
	}
	if !w.plausible(ra) {
		return impossible
	}
	switch _, call := w.callBefore(ra); call {
	case yes:
		return proved
	case no:
		return noCall
	}
	return uncaptured
}

// chainEnds distinguishes the end of a chain from a broken link. A link of 0 ends the chain, and
// the stack if the ABI requires the chain.
func (w *walk) chainEnds(link uint64) outcome {
	if link != 0 {
		return none
	}
	w.end = End{Kind: ZeroReturn}
	return ended
}
