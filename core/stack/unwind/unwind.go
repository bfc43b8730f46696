// Package unwind walks the stack of a thread. It starts from the registers of the innermost frame,
// reads memory and symbols through interfaces, and finds callers until the stack ends.
//
// A shadow stack, where there is one, has the return addresses (see [Shadow]).
//
// One walk serves every CPU. Each has a ladder of methods, best first: the registers that a signal
// saved, call frame information, the function's own code, the link register or the frame pointer
// where that CPU has conventions for them, and at last a scan of the stack for a word that could be
// a return address.
//
// A method decides, and does not act: it states typed rules (see [Rule]), how far they can be
// trusted, and which registers they preserve. One executor applies the rules, reads memory through
// one recorder, and forgets every register that the rules do not prove. The first method with a
// plausible caller wins, and the caller's Way names it. A scanned frame is a guess, and so is every
// frame after it.
//
//	stack := unwind.Walk(unwind.Input{
//		Arch:    &cpu.AMD64,
//		OS:      process.Linux,
//		Regs:    regs,    // of the innermost frame
//		Memory:  memory,  // Word(addr, size) (uint64, bool)
//		Modules: modules, // module.NewMap(...)
//		Rules:   rules,   // what symbols know of a module; nil for nothing
//	})
//	for _, f := range stack.Frames {
//		fmt.Println(f.Instruction, f.Trust)
//	}
//	fmt.Println(stack.End.Kind.Complete(), stack.End.Kind)
//
// Any registers and any memory give a stack, with at least one frame if the program counter is
// known. A walk that does not advance ends, and so does one of more than [MaxFrames] frames.
// Symbols, memory and registers may be missing or wrong in any way.
//
// The package does not know dumps, symbol files or names of source files, and
// it reads memory only through Input. It has no state between walks.
//
// Read this file first, then walk.go, which is the walk; target.go and a CPU such as amd64.go have
// its ladder of methods. decision.go has the result of a method, rule.go the rules, execute.go
// applies them, plausible.go and end.go accept a caller or end the walk. The methods: signal.go,
// cfi.go, stackwin.go, functioncode.go, codepath.go, leaf.go, linkregister.go, framerecord.go,
// scan.go, whose words weigh.go judges; shadow.go comes before all. symbols.go declares the interface to symbols, trust.go and evidence.go explain how a
// frame was found.
package unwind

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// MaxFrames bounds every walk. Breakpad's bound is 1<<20; this one is lower because a browser has
// to lay the frames out.
const MaxFrames = 1 << 16

// A Ranger is memory that knows the runs of captured memory. A walk uses it to reject frame
// pointers that lead to another stack.
type Ranger interface {
	Range(addr uint64) (base, size uint64, ok bool)
}

// Input is the input of a walk. Arch and Regs are required; everything else may be missing.
type Input struct {
	Arch   *cpu.Arch
	Called bool       // the registers are those of a frame that made a call: its program counter is a return address
	OS     process.OS // "" when unknown
	Regs   cpu.Regs
	Memory process.WordReader

	Shadow  Shadow
	Modules *module.Map

	// Unloaded returns the unloaded module that had an address, or nil. Its symbols are tried, too.
	Unloaded func(addr uint64) *module.Module

	// Executable reports whether an address was executable, and whether that is known. It is nil
	// when it is never known.
	Executable func(addr uint64) (executable, known bool)

	// Rules returns the unwind rules of a module, or nil. It is called for each frame and should
	// answer at once.
	Rules func(*module.Module) Rules

	// Generated returns the rules of an address outside of every loaded module, for code that the program made at
	// run time and registered with Windows, and the address that they are relative to. They are nil if no entry is
	// about the address. It may be nil.
	Generated func(addr uint64) (rules Rules, base uint64)

	// Decode decodes the instruction whose bytes are the first of code; package disasm has it. Without
	// it, a scan does not check where the calls before return addresses lead.
	Decode func(arch *cpu.Arch, code []byte, addr uint64) (cpu.Inst, bool)

	// Float returns a floating point register of the context, or is nil.
	Float func(name string) ([]byte, bool)

	// Kernel says that the stacks are those of a kernel, on which a call may have come from another stack.
	Kernel bool

	// Deferred are the stacks of the kernel's deferred calls.
	Deferred []process.DPCStack

	// NoLeaf says that the function of Regs is not taken for a leaf function without proof.
	NoLeaf bool

	// Stale are addresses that are on the stack for another reason than a call, such as the parameters of a bug check.
	Stale []uint64

	// Top is the end of the stack, where a scan ends; 0 if it is unknown. Stacks of tasks lie beside each other in one region.
	Top uint64

	// Room is where the frames are put, if it is large enough, or nil for a new place.
	Room []Frame

	// Frames is the maximum number of frames; 0 means MaxFrames, which it cannot exceed.
	Frames int

	// Explain requests each frame's Evidence.
	Explain bool

	// Read, if any, is called for every read of memory, once for each use of it. Evidence is bounded and
	// may lack some.
	Read func(Read)
}

// A Frame is one physical frame, with how it was found.
type Frame struct {
	process.Frame
	Trust   Trust
	FoundBy Way

	// Overwritten is what the stack has in place of ReturnAddress, which is the shadow stack's; nil if they are equal.
	Overwritten *Overwrite

	// Evidence has the methods that were tried to find this frame, in order; only with
	// Input.Explain.
	Evidence []Step

	base       uint64      // the stack pointer or, if that is unknown, its lowest possible value
	trampoline *trampoline // the module of ReturnAddress, or nil
	again      bool        // the stack may have its return address a second time, above base
}

// A Stack is the result of a walk.
type Stack struct {
	Frames []Frame // innermost first
	End    End
	Reads  int // words of memory read
	Steps  int // methods tried
}

// Walk walks the stack. Without a known program counter it has no frames.
func Walk(in Input) Stack {
	if in.Arch == nil {
		return Stack{End: End{Kind: NoCPU}}
	}
	w := newWalk(in)
	w.run()
	return Stack{Frames: w.frames, End: w.end, Reads: w.reads, Steps: w.steps}
}
