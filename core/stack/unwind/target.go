package unwind

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
	"crashglass/core/process"
)

// A target describes a CPU for the walk.
type target struct {
	*cpu.Arch
	ladder []method // the methods, best first
	kernel []method // those on stacks of a kernel; nil for the same ones

	isa          *isa.Set                             // of the CPU's code
	thumb        *isa.Set                             // of code whose address has bit 0 set, or whose CPSR has T; nil on other CPUs
	second       *isa.Set                             // of code of another CPU that Windows runs in such programs; nil on most CPUs
	delaySlot    bool                                 // a call has a delay slot
	setsLink     bool                                 // code may also call with a jump, after it has set the link register itself
	signed       bool                                 // addresses may carry authentication codes in their upper bits
	records      []records                            // the conventions for frame pointers, by system
	fpAtScan     func(w *walk, fp, at uint64) savedFP // guesses the frame pointer at a scan; nil for the usual method
	callsThrough bool                                 // code may call through a word at a distance from itself
	takesArgs    bool                                 // a function may pop its arguments
	argWords     uint64                               // words at the bottom of a caller's frame that belong to its callee

	// trustsLink names the systems on which every function has its return address in the link
	// register or in a frame record. There the link register is believed unless there is evidence
	// against it. Elsewhere it is believed only with evidence for it.
	trustsLink func(os process.OS) bool

	// frameAlign is the number at whose multiples frames end on a system, with the return address in their last word; 0, or nil, where they may
	// end anywhere.
	frameAlign func(os process.OS) uint64

	vectors vectorSet // floating point registers that calls preserve

	trampolines []trampoline // the code that signal handlers return to

	syscallSize uint64  // of the instruction of a system call; 0 where no register shows that it was the last one
	syscallLink cpu.Reg // the register in which it leaves the address behind it
}

// linkLadder has the methods of CPUs with a link register whose C libraries may lack unwind rules, so
// that a caller's code is followed before the scan: ARM and RISC-V.
var linkLadder = []method{
	{SignalFrames, bySavedContext},
	{CallFrameInfo, byCFI},
	{FunctionCode, byEntry},
	{Nowhere, byReturnOnTop},
	{LinkRegister, byLinkRegister},
	{FramePointers, byFrameRecord},
	{FunctionCode, byCallerCode},
	{StackScan, byScan},
}

// targets are all CPUs. The file of each CPU adds its target.
var targets []*target

// targetOf returns the target of a CPU. An unknown CPU has no methods.
func targetOf(arch *cpu.Arch) *target {
	for _, t := range targets {
		if t.Arch == arch {
			return t
		}
	}
	return &target{Arch: arch}
}

// words converts an instruction set to the byte order of a walk's code: a walk reads words, and
// passes them on as little-endian bytes.
func words(s *isa.Set) *isa.Set { return s.BigEndian(false) }

func everywhere(process.OS) bool { return true }
