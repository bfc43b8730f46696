// Package unwind finds the callers of a thread: from the registers of its
// innermost frame, a way to read memory and what symbols say, it walks the
// stack outwards until it ends.
//
// One walk serves every CPU. Each has a ladder of methods, best first: call
// frame information, the frame pointer or the return address register where
// that CPU has conventions for them, and at last a scan of the stack for
// something that could be a return address. The first method that finds a
// caller wins, and the caller says which it was: a scanned frame is a guess.
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
//	fmt.Println(stack.End.Complete, stack.End.Reason)
//
// Any registers and any memory give a stack, of one frame at least when the
// program counter is known. A walk that does not advance ends, as does one of
// more than [MaxFrames] frames; symbols, memory and registers may be missing or
// wrong in any way.
//
// The package does not know dumps, symbol files or names of source files, and
// it reads memory only through Input. It has no state between walks.
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

	// Rules returns what symbols know of a module, or nil. It is called again
	// and again and should answer at once.
	Rules func(*module.Module) Rules

	// Frames is the most frames wanted; 0 means MaxFrames, which it cannot exceed.
	Frames int

	// Explain asks for each frame's Evidence.
	Explain bool
}

// Trust says how a frame was found. The values are rust-minidump's and
// Breakpad's, best last.
type Trust uint8

// The ways to find a frame.
const (
	None         Trust = iota // not found
	Scan                      // a word on the stack looked like a return address
	CFIScan                   // the same, where call frame information had led nowhere
	FramePointer              // frame pointer or link register, by convention
	Leaf                      // the return of a leaf function, whose return address is on top of the stack
	CFI                       // call frame information, STACK WIN, a signal's saved context
	Context                   // the registers in the dump
)

var trustNames = [...]string{"none", "scan", "cfi_scan", "frame_pointer", "leaf", "cfi", "context"}

// String is the word that rust-minidump's schema uses.
func (t Trust) String() string { return trustNames[t] }

// A Frame is one physical frame.
type Frame struct {
	Regs    cpu.Regs // as they were when this frame made its call, as far as known
	Trust   Trust
	FoundBy string // a person's word for the method: "CFI", "frame ptr", "link reg", "scan"

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

	trampoline  *trampoline // what its ReturnAddress is in, or nil
	interrupted bool        // not called from here: its pc is where it was interrupted
	linked      bool        // its link register holds the next return address, see link.go
	leaf        bool        // it called a leaf, whose frame, if it has one, is still below
}

// An End says how a walk ended.
type End struct {
	Complete bool   // the outermost frame was reached
	Reason   string // one sentence
	Evidence []Step // what was tried last; only when Input.Explain
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
		return Stack{End: cut("the CPU is not known")}
	}
	w := newWalk(in)
	w.run()
	return Stack{Frames: w.frames, End: w.end, Reads: w.reads, Steps: w.steps}
}

func complete(reason string) End { return End{Complete: true, Reason: reason} }

func cut(reason string) End { return End{Reason: reason} }
