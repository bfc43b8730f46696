package process

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
)

// A Frame is one physical frame of a stack. A file states its Instruction, or a walk finds all of it.
// Later steps complete it and do not copy it: a frame of package unwind begins with one, package
// variables reads values in one, and a frame of package report, which has its names, leads to one.
type Frame struct {
	Regs cpu.Regs // the proved registers, as they were when this frame made its call

	// Searched are registers whose values were found by a search of the stack, because the rules
	// gave impossible ones. They are likely, but not proved.
	Searched cpu.Set

	// ReturnAddress is where execution continues: the value of the CPU's program counter.
	// Instruction is an address inside the executing instruction. For a caller it is inside its
	// call, so that its line is the call's and a call that never returns belongs to the right
	// function.
	ReturnAddress uint64
	Instruction   uint64

	// Module is the module of Instruction, loaded or else unloaded, or nil.
	Module *module.Module

	// Interrupted says that the frame made no call: its program counter is exact, and all its
	// registers are the saved ones.
	Interrupted bool

	// Guess says that this frame, or one before it, was found by scanning. A frame behind a guess
	// is as uncertain as the guess.
	Guess bool

	Stated *Names // the names that a file states, nil for none
}

// Names are the names that a file states for a frame. Missing ones are "".
type Names struct {
	Place    Place
	Module   string
	Function string
	Offset   uint64 // from the start of the function
	File     string
	Line     uint32
	Inlines  []Names // the calls that were inlined into this function, innermost first
}

// A Place is what a file states of where a frame's instruction is.
type Place uint8

// The places.
const (
	Absolute Place = iota // its address
	Relative              // its offset in a module that is not known to be anywhere, see [module.Module.Floating]
	Unplaced              // nothing: there are only names
)

// Rel is the address of the instruction relative to its module.
func (f *Frame) Rel() uint64 { return f.Instruction - f.Base() }

// Return is the return address relative to the module.
func (f *Frame) Return() uint64 { return f.ReturnAddress - f.Base() }

// Base is the first address of the module, 0 for none.
func (f *Frame) Base() uint64 {
	if f.Module == nil {
		return 0
	}
	return f.Module.Base
}
