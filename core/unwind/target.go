package unwind

import (
	"crashglass/core/cpu"
	"crashglass/core/isa"
)

// A target is a CPU: everything that the walk needs to know of it.
type target struct {
	*cpu.Arch
	ladder []method // how callers are found, best first

	isa       *isa.Set                             // of the CPU's code
	thumb     *isa.Set                             // of code whose address has bit 0 set, or whose CPSR has T; nil on other CPUs
	delaySlot bool                                 // the instruction behind a call belongs to it
	setsLink  bool                                 // code may also call by a jump, with a link register that it has set itself
	signed    bool                                 // addresses may carry authentication codes in their upper bits
	records   []records                            // the conventions for frame pointers, by system
	fpAtScan  func(w *walk, fp, at uint64) savedFP // what became of the frame pointer at a scan; nil for the usual
	takesArgs bool                                 // a function may take its arguments off the stack
	argWords  uint64                               // words at the bottom of a caller's frame that belong to its callee

	// trustsLink names the systems on which every function can be expected to
	// leave a link register that is its caller, or a frame record: there the link
	// register is believed unless something speaks against it. Elsewhere it is
	// believed only where something speaks for it.
	trustsLink func(os string) bool

	vectors vectorSet // registers of floating point that calls leave alone

	trampolines []trampoline // what the system's signal handlers return to
}

// targets are all CPUs. Each is described in its own file, which adds it.
var targets []*target

// targetOf is the target of a CPU. One that is not among them has no methods.
func targetOf(arch *cpu.Arch) *target {
	for _, t := range targets {
		if t.Arch == arch {
			return t
		}
	}
	return &target{Arch: arch}
}

// words gives an instruction set in the order in which a walk reads code: it
// reads words, and hands them on as little-endian bytes.
func words(s *isa.Set) *isa.Set { return s.BigEndian(false) }

func everywhere(string) bool { return true }
