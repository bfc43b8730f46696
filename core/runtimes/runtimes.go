// Package runtimes has what the runtimes of languages have in common: each one describes itself inside a
// process, and is one package below this one and one row of a program's table.
//
//	for _, r := range rows { // goroutines.Runtime(), python.Runtime()
//		if found := r.Find(process); found != nil {
//			fmt.Println(found.Version, len(found.Tasks))
//		}
//	}
//
// The packages below read a process and need no symbols. They walk no native stacks: a task states where its
// native stack continues, or its calls as the runtime has recorded them.
package runtimes

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// A Runtime is one row of a program's table.
type Runtime struct {
	Name   string // of its tasks, for notes: "goroutines"
	Task   string // the kind of its tasks in reports: "goroutine"
	Frame  string // the kind of its frames in reports: "go"
	Native string // the function whose native frames run Calls; "" if tasks have none

	// Find reads the tasks of a process, and returns nil if the runtime is not in it. It is nil for a runtime with Walked.
	Find func(*process.Process) *Found

	// Walked is Find for a runtime whose calls are found by the walked stacks, and by symbols.
	Walked func(*Target) *Found
}

// A Target is a process with its stacks.
type Target struct {
	*process.Process
	Stacks []Stack

	// Bytes reads memory, also what only the files of modules have, up to the next gap.
	Bytes func(addr uint64, n int) []byte

	// Data calls each for the variables whose linkage names begin with prefix, of the module that has an address.
	Data func(addr uint64, prefix string, each func(name string, addr uint64))
}

// A Stack is the walked stack of a thread.
type Stack struct {
	Thread uint32
	Frames []Native // innermost first
}

// A Native is a native frame.
type Native struct {
	Instruction uint64
	Pointer     uint64 // the frame pointer, 0 if it is not known
	Stack       uint64 // the stack pointer, 0 if it is not known
	Function    string // "" if that is not certain
	Module      bool   // the instruction is in a module
}

// Found is what is known of a runtime in a process.
type Found struct {
	Version string // "go1.26.8"
	Module  uint64 // the base of the module that has the runtime, 0 if that is not known
	Tasks   []Task
	Note    string // why tasks or frames are missing, "" if none are

	// Variables reads the variables of a call, its locals and the globals of its module, with this many elements of each container. bytes also
	// reads what only the files of modules have. It is nil for a runtime whose programs have debug information instead.
	Variables func(call *Call, elements int, bytes func(addr uint64, n int) []byte) (locals, globals []Value)
}

// A Task is a stack that a runtime runs on threads: a goroutine, or the calls of an interpreter on one thread.
type Task struct {
	ID      uint64
	Address uint64 // of its structure
	State   string // in the runtime's words: "chan receive", "running"
	Thread  uint32 // the thread that runs it, 0 for none
	Locked  bool   // it is locked to a thread
	Creator uint64 // a return address in the function that started it, 0 for none
	Parent  uint64 // the task that did, 0 if that is not known
	Wait    *Wait  // what it waits for, nil if that is not known

	Deferred []uint64 // the functions that run when its calls end, the next one first: places with the addresses of their code
	Labels   []Label  // that the program has set

	// Where its native stack continues.

	Running bool     // its registers are those of its thread
	Regs    cpu.Regs // behind a call: program counter, stack and frame pointer
	Low     uint64   // its stack
	High    uint64

	// The calls that the runtime has recorded.

	Runs      [][]Call // innermost first; each run stands for one native frame
	Frames    []int    // of the thread's stack, for which Runs stand; nil if those of Runtime.Native are meant
	Entries   []uint64 // for each of Runs, what its native frame has on the thread's stack, 0 if that is not known; nil for all
	Whole     bool     // Runs has all calls
	Exception *Exception
}

// A Call is one call that an interpreter runs. What is not known is "" or 0.
type Call struct {
	Function    string // qualified
	File        string
	Line        uint32
	Column      uint32
	Instruction uint64 // the address of the instruction in the function's code
	Frame       uint64 // the address of the call's structure
}

// A Value is a variable of a call, or a part of one.
type Value struct {
	Name     string // of a variable or an attribute; "[0]" or "['key']" of an element
	Type     string
	Text     string // in the language's words
	Unknown  string // why there is no text
	Unbound  bool   // the name has no value
	Argument bool
	Address  uint64 // of the object
	Children []Value
	More     uint64 // elements behind them
	Empty    bool   // it is a container without elements
}

// An Exception is raised in a task, or being handled.
type Exception struct {
	Type    uint64 // the address of the type's name, a text that ends with a zero; 0 if Name has it
	Name    string
	Message string // its first text, "" for none
	Handled bool   // a handler runs, and no other exception is raised
	Fatal   bool   // nothing catches it, and the runtime ends the program
}

// A Label is a name and a value.
type Label struct{ Name, Value Text }

// A Text is where a text is. That of a constant may be in its module's file only, which Find does not read.
type Text struct{ Address, Size uint64 }

// A Wait is what a task waits for, as far as its structures say.
type Wait struct {
	Channels []Channel // one, or those of a select
}

// A Channel is a channel that a goroutine waits for.
type Channel struct {
	Address  uint64
	Send     bool   // the goroutine waits to send
	Buffered uint64 // values in the buffer
	Size     uint64 // of the buffer, in values
}

// The bounds of a search in the data of modules.
const (
	block   = 64 << 10
	overlap = 1 << 10 // more than the size of a structure that is searched
)

// Data calls each for blocks of the captured data of a module, until it returns false or the budget is spent.
// What begins at the end of a block is in the next one again.
func Data(p *process.Process, module int, budget *int, each func(addr uint64, b []byte) bool) {
	m := &p.Modules[module]
	data(p, m.Base, m.Base+m.Span(), budget, each)
}

// Variables is Data with what follows a module: a program that starts with zeros in its variables has them in memory of no file (.bss), directly behind the
// file's mappings. A dump that lacks the program's headers does not say that this belongs to the module.
func Variables(p *process.Process, module int, budget *int, each func(addr uint64, b []byte) bool) {
	m := &p.Modules[module]
	end := m.Base + m.Span()
	if g := p.RegionAt(end); g != nil && g.Start == end && g.Name == "" && g.Allows('w') && !g.Allows('x') {
		end = g.Last + 1
	}
	data(p, m.Base, end, budget, each)
}

func data(p *process.Process, addr, end uint64, budget *int, each func(addr uint64, b []byte) bool) {
	buf := make([]byte, block)
	for addr < end && *budget > 0 {
		next, ok := p.Memory.Next(addr)
		if !ok || next >= end {
			return
		}
		addr = next
		if g := p.RegionAt(addr); g != nil && g.Allows('x') {
			addr = g.Last + 1
			continue
		}
		n := p.Memory.Read(addr, buf[:min(block, end-addr)])
		if n == 0 || !each(addr, buf[:n]) {
			return
		}
		*budget -= n
		if n == block {
			n -= overlap
		}
		addr += uint64(n)
	}
}
