package unwind

import (
	"slices"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
	"crashglass/core/process"
)

func init() { targets = append(targets, &x86) }

var x86 = target{
	Arch:        &cpu.X86,
	ladder:      x86Ladder(nil, nil),
	kernel:      x86Ladder([]method{{FunctionCode, x86DPCStack}}, []method{{SignalFrames, x86TrapFrame}}),
	isa:         isa.X86,
	fpAtScan:    x86SavedEBP,
	takesArgs:   true, // ret n
	frameAlign:  x86FrameAlign,
	trampolines: x86Trampolines,
}

// x86Ladder returns the methods, with more of them before the rules of functions and before frame pointers.
func x86Ladder(beforeRules, beforePointers []method) []method {
	rules := []method{{WinFrames, byWin}, {CallFrameInfo, byCFI}, {FunctionCode, byEntry}, {Nowhere, byReturnOnTop}}
	guesses := []method{{FramePointers, x86FramePointer}, {StackScan, byScan}}
	return slices.Concat([]method{{SignalFrames, bySavedContext}}, beforeRules, rules, beforePointers, guesses)
}

// x86FrameAlign is that of the System V ABI, Intel386, 2.2.2. Windows does not have it, nor Android before 7.0
// (https://github.com/android/ndk/issues/635).
func x86FrameAlign(os process.OS) uint64 {
	if os.IsWindows() || os.IsAndroid() {
		return 0
	}
	return 16
}

// maxFrameGap is the largest plausible distance from a frame to its caller's.
// Breakpad's kMaxReasonableGapBetweenFrames: 128 KiB hold 99.5 % of all frames.
const maxFrameGap = 128 << 10

// x86FramePointer follows the ebp chain:
//
//	eip' = *(ebp+4)
//	esp' =   ebp+8
//	ebp' = *(ebp)
//
// Most x86 code has frame pointers, so only the end of the chain is checked: a value that is no
// frame pointer mostly points to no memory, or outside of the stack.
//
// The return address may be in no module, because a JIT's code has frames, too.
func x86FramePointer(w *walk, f *Frame) (decision, outcome) {
	ebp, ok := f.Regs.Get(cpu.EBP)
	if !ok {
		w.say("ebp is not known")
		return decision{}, none
	}
	if ebp > 0xffff_ffff-8 || !w.sameStack(f.spOf(cpu.ESP), ebp) {
		w.say("ebp = %#x is no frame pointer", ebp)
		return decision{}, none
	}
	ra, okIP := w.word(ebp + 4)
	saved, okBP := w.word(ebp)
	if !okIP || !okBP {
		w.say("no memory at ebp = %#x", ebp)
		return decision{}, none
	}
	if ra != 0 && w.leadsOutside(plainRecord, ebp, frameRecord{ra: ra, fp: saved}) {
		w.say("no code is known at the return address %#x", ra)
		return decision{}, none
	}
	return decision{trust: FramePointer, way: ByFramePointer,
		rules: w.frameRules("ebp", 8, Rule{"ebp", Word(CFA, -8)})}, found
}

// x86SavedEBP takes the word below a scanned return address as the saved ebp, if it points a
// plausible distance up the stack. Otherwise ebp stays unchanged.
func x86SavedEBP(w *walk, _, at uint64) savedFP {
	if saved, ok := w.word(at - 4); ok && saved > at-4 && saved-(at-4) <= maxFrameGap {
		return fpBelow
	}
	return fpUntouched
}
