// Package process is the layer between the readers of crash files and the analysis: one captured
// process, whatever the format of its file.
//
// A reader of crash files fills a [Process], and no later package depends on the kind of file. What a
// file does not have is absent, never a guess: a nil pointer, an empty text, or a bit of [Lack].
// Defects of the file are notes.
//
// The package reads nothing but captured memory and the digest of a file. Read this file first, then
// frame.go, os.go, problem.go and facts.go, which are the rest of a Process;
// modules.go and regions.go, which make lists usable, memory.go with overlay.go and pager.go, which
// read captured memory, also of a stack, splice.go, which puts it into new files, and digest.go.
//
// The model is Crashpad's snapshot layer, between every reader and every
// writer: https://chromium.googlesource.com/crashpad/crashpad/+/HEAD/snapshot/.
package process

import (
	"cmp"
	"errors"
	"fmt"

	"crashglass/core/base/bug"
	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
)

// A Process is one captured process.
type Process struct {
	Origin    Origin
	Lacks     Lack
	System    *System
	Arch      *cpu.Arch // nil when unknown
	BigEndian bool

	Modules  []module.Module // the program first
	Unloaded []module.Module
	Threads  []Thread
	Subject  int // index of the thread that crashed or, failing that, requested the file; -1 when unknown
	Memory   *Memory
	Regions  []Region // sorted and disjoint

	Event     *Event   // nil when there was none
	EventLost bool     // there was one, but it cannot be read
	Requested bool     // the file was written on request, without an event
	Message   string   // the text of the check that ended the program, "" when there is none
	Check     Check    // its kind
	Problem   *Problem // what a report says went wrong, nil for nothing

	Facts
	Notes []Note
}

// A System is the machine and its operating system. Missing texts are "".
type System struct {
	OS      OS
	Name    string // "Windows NT", or a number
	Version string
	Raw     string // the version as Breakpad writes it
	CPU     string // the model of the processor
	CPUs    *uint32
}

// A Thread is one thread of the process.
type Thread struct {
	ID        uint32
	Name      string // "" when unknown
	TEB       uint64 // of Windows
	Stack     uint64 // an address on its stack, for a stack pointer that is not captured or not known; 0 when unknown
	Registers *Registers
	Fault     *Registers // those of an instruction that failed further up this stack; Registers are then of the code that reports it
	Writer    bool       // it wrote the file, and did not crash
	Call      *uint64    // the number of its system call, if the file has it
	Frames    []Frame    // that the file states
	Role      Role       // of a stack that a report states
}

// Registers are the registers of one thread at one time.
type Registers struct {
	Arch   *cpu.Arch
	Regs   cpu.Regs
	Shadow uint64 // the shadow stack pointer; 0 if there is none

	// Removed are the registers whose values were removed from the file, and Texts those of them that
	// were filled with characters of ASCII.
	Removed, Texts cpu.Set

	// Float returns a floating point or vector register by its name, which may begin with "$".
	Float func(name string) ([]byte, bool)

	// Context returns all registers in the layout of a minidump's context. It is nil if Regs has all.
	Context func() []byte
}

// An Event is the exception or signal that ended the process.
type Event struct {
	Kind       EventKind
	Code       uint32 // NTSTATUS, signal number, Mach exception or bug check
	Flags      uint32 // si_code on Linux, Mach code on macOS
	Address    uint64
	NoAddress  bool   // the file does not say the address
	Removed    bool   // because the address was removed from it
	Access     Access // that was refused, if the file states it
	Parameters []uint64
	Record     *Event   // the exception that caused a bug check, if its record is in memory
	Driver     uint64   // the start of the driver that holds a blocked request, 0 when unknown
	Hardware   []string // what an error record of the hardware names

	// Deferred are the stacks of the processors' deferred calls, on 32-bit Windows.
	Deferred []DPCStack

	// About says what the dump has about the driver at an address: "version 3.1.0.0". It is nil for a process.
	About func(base uint64) []string
}

// A DPCStack is the stack on which a processor runs deferred calls (DPCs), and the bounds of the stack of its thread, of which such a call interrupts
// the code.
type DPCStack struct {
	Top       uint64 // where the stack begins
	Low, High uint64 // of the thread's stack
}

// IsBugCheck reports whether Windows itself stopped: the process is then its kernel. The event may be nil.
func (e *Event) IsBugCheck() bool { return e != nil && e.Kind == BugCheck }

// An EventKind is what an event ended. The zero value is a process.
type EventKind uint8

// The kinds of events.
const (
	OfProcess EventKind = iota
	BugCheck            // Windows itself stopped: Code and Parameters are those of KeBugCheckEx
)

// An Access is what an instruction did with memory.
type Access uint8

// The kinds of access. The zero value is unknown.
const (
	UnknownAccess Access = iota
	Read
	Write
	Execute
)

// A Check is the kind of a check that ended the program.
type Check uint8

// The kinds of checks. The zero value is any other.
const (
	OtherCheck Check = iota
	InvalidArgument
	PureVirtualCall
)

// A Note is a defect of the file.
type Note struct {
	Err   error  // a *bin.Error if it has a place in the file
	More  int    // further defects of the same part
	Where string // the part, if Err has no place
}

// Odd records a defect without a place in the file.
func (p *Process) Odd(where, text string) {
	p.Notes = append(p.Notes, Note{Err: errors.New(text), Where: where})
}

// Note records a defect. Nil is none.
func (p *Process) Note(err error) {
	if err != nil {
		p.Notes = append(p.Notes, Note{Err: err})
	}
}

// Stage reads a part of the file. A panic in it costs that part alone and becomes a note.
func (p *Process) Stage(what string, read func()) {
	var err error
	func() {
		defer bug.Catch(&err)
		read()
	}()
	if err != nil {
		p.Odd(what, err.Error())
	}
}

// NoteNoSystem records that the file does not name its operating system.
func (p *Process) NoteNoSystem() {
	p.Odd("system info", "is missing: the operating system is not known, the CPU only by the saved registers")
}

// NoteNoThreads records that a process has no threads, if it has none.
func (p *Process) NoteNoThreads() {
	if len(p.Threads) == 0 {
		p.Odd("thread list", "no threads and no registers were saved, so that there are no stacks")
	}
}

// NoteTruncated records how much of the file is missing.
func (p *Process) NoteTruncated() {
	if o := &p.Origin; o.Need > o.Size {
		p.Odd("dump", fmt.Sprintf("is truncated, or an entry of its %s is damaged: %d of at least %d bytes", cmp.Or(o.Table, "directory"), o.Size, o.Need))
	}
}

// ThreadIndex finds a thread, or returns -1. Of two with one ID the later one counts, as in
// rust-minidump.
func (p *Process) ThreadIndex(id uint32) int {
	for i := len(p.Threads) - 1; i >= 0; i-- {
		if p.Threads[i].ID == id {
			return i
		}
	}
	return -1
}
