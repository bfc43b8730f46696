// Package unwind finds the callers of a thread: from the registers of its
// innermost frame, a way to read memory and what symbols say, it walks the
// stack outwards until it ends.
//
// One walk serves every CPU. Each has a ladder of methods, best first: call
// frame information, the frame pointer or the return address register where
// that CPU has conventions for them, and at last a scan of the stack for
// something that could be a return address.
//
// A method decides, and does not act: it states typed rules (see [Rule]), how
// far they are to be trusted, and which registers they leave as they are. One
// executor applies the rules, reads memory through one recorder, and forgets
// every register that the rules do not prove. The first method whose caller
// holds wins, and the caller says which it was. A scanned frame is a guess, and
// so is every frame after it.
//
//	stack := unwind.Walk(unwind.Input{
//		Arch:    &cpu.AMD64,
//		OS:      "linux",
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
// Any registers and any memory give a stack, of one frame at least when the
// program counter is known. A walk that does not advance ends, as does one of
// more than [MaxFrames] frames; symbols, memory and registers may be missing or
// wrong in any way.
//
// The package does not know dumps, symbol files or names of source files, and
// it reads memory only through Input. It has no state between walks.
//
// Read this file first, then walk.go, which is the walk; target.go and a CPU
// such as amd64.go have its ladder of methods. decision.go says what a method
// states, rule.go what a rule is, execute.go applies it, plausible.go and
// end.go accept a caller or end the walk. The methods: signal.go, cfi.go,
// stackwin.go, functioncode.go, leaf.go, linkregister.go, framerecord.go,
// callercode.go, scan.go. symbols.go has what symbols may know, trust.go and
// evidence.go how a frame is explained.
package unwind

import (
	"crashglass/core/cpu"
	"crashglass/core/module"
)

// MaxFrames bounds a walk whatever the stack says. Breakpad's bound is 1<<20;
// ours is lower because a browser has to lay the frames out.
const MaxFrames = 1 << 16

// Memory reads the target's memory.
type Memory interface {
	// Word reads size bytes (4 or 8) at addr in the target's byte order. It
	// reports false when not all of them were captured.
	Word(addr uint64, size int) (uint64, bool)
}

// A Ranger is Memory that can tell which run of captured memory an address
// lies in. A walk uses it to keep frame pointers on the stack that they are of.
type Ranger interface {
	Range(addr uint64) (base, size uint64, ok bool)
}

// Input is what a walk starts from. Arch and Regs are needed; everything else
// may be missing.
type Input struct {
	Arch   *cpu.Arch
	OS     string // "windows", "mac", "ios", "linux", "android", ...; "" when unknown
	Regs   cpu.Regs
	Memory Memory

	Modules *module.Map

	// Unloaded returns the unloaded module that an address once belonged to,
	// or nil: its symbols are tried, too.
	Unloaded func(addr uint64) *module.Module

	// Executable reports whether the operating system let an address be
	// executed, and whether that is known at all; nil when it is never known.
	Executable func(addr uint64) (executable, known bool)

	// Rules returns what symbols know of a module, or nil. It is called again
	// and again and should answer at once.
	Rules func(*module.Module) Rules

	// Frames is the most frames wanted; 0 means MaxFrames, which it cannot exceed.
	Frames int

	// Explain asks for each frame's Evidence.
	Explain bool
}

// A Frame is one physical frame.
type Frame struct {
	Regs    cpu.Regs // as they were when this frame made its call, as far as that is proved
	Trust   Trust
	FoundBy Way

	// Guess says that this frame or one before it was scanned for: whatever
	// found it, it is as uncertain as that one.
	Guess bool

	// Searched are registers whose values were searched for on the stack, as
	// those that the rules gave could not be what a walk needs. They are likely,
	// and not proved.
	Searched cpu.Set

	// ReturnAddress is where execution goes on, and what the CPU's program
	// counter holds. Instruction is an address inside the instruction that is
	// executing: for a caller, inside its call, so that its line is the
	// call's and a call that never returns belongs to the right function.
	ReturnAddress uint64
	Instruction   uint64

	// Module is the loaded or else unloaded module that Instruction lies in, or nil.
	Module *module.Module

	// Evidence is what was tried to find this frame, in order; only when Input.Explain.
	Evidence []Step

	base        uint64      // the lowest address that the stack pointer can have; the stack pointer, where it is known
	trampoline  *trampoline // what its ReturnAddress is in, or nil
	interrupted bool        // not called from here: its pc is where it was interrupted
	again       bool        // its own return address may lie on the stack once more, above base
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
