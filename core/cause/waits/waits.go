// Package waits finds what the threads of a process wait for, which thread can end each wait, and
// which threads wait for each other.
//
//	list := waits.Find(&waits.Input{OS: "linux", Memory: memory, Threads: threads})
//	rings := waits.Cycles(list)
//
// A wait is stated only with proof from registers, names of proved frames and memory, and each
// statement has its [Evidence]. Without proof there is no statement: a thread without a wait may
// run, or wait in an unknown way.
//
// Layouts of locks belong to the libraries that define them. They are tables
// here, each with its source (calls.txt, functions.txt, holders.go, windows.go).
//
// Nothing here panics for any input. The work for a thread is bounded, and the total is linear in
// the number of threads.
//
// Read this file first, then call.go and calls.go, which find the system call
// that blocks; named.go and names.go refine it by the functions on the stack;
// futex.go, glibc.go, libcs.go and windows.go read locks, holders.go
// their holders, and cycles.go finds rings. kinds.go has the codes.
package waits

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/report"
)

// Input describes a process. Everything but Threads may be missing.
type Input struct {
	OS      process.OS
	Memory  process.WordReader
	Threads []Thread

	// Decode decodes an instruction: disasm.Decode. Without it the numbers of
	// system calls of x86 and amd64 are known only where a thread has its Call.
	Decode func(arch *cpu.Arch, code []byte, addr uint64) (cpu.Inst, bool)
}

// A Thread is one thread with its innermost frames.
type Thread struct {
	ID      uint32
	Arch    *cpu.Arch      // of Regs
	Regs    *cpu.Regs      // nil when none were saved
	Stopped bool           // by an exception: names alone do not prove a wait
	Call    *uint64        // the number of its system call, if the kernel recorded it
	Frames  []report.Frame // innermost first, proved ones only
}

// A Wait is what one thread waits for.
type Wait struct {
	Kind     Kind
	Call     string  // the system call by which it waits: "futex"; "" when unknown
	Function string  // of the C library or the system, which names the purpose of the wait
	Library  Library // the library of the lock

	Object     *uint64 // the address of the lock, or of the futex
	Word       uint64  // the address of the futex, 0 when unknown
	Descriptor *int64  // the file descriptor

	Holder   Holder
	Thread   int    // the index of the thread that can end the wait, -1 when it is not known
	ThreadID uint32 // its ID, if Holder is Held, Joined or Gone

	Evidence []Evidence
}

// Evidence is one observation.
type Evidence struct {
	Kind    EvidenceKind
	Name    string // of the register or the function
	Frame   int    // of the function or the register
	Address uint64 // of the word, or of the code
	Size    int    // of the word in bytes
	Value   uint64
	Meaning Meaning
}

// Find returns the wait of every thread; nil means that none is proved.
func Find(in *Input) []*Wait {
	f := &finder{Input: in, index: make(map[uint32]int, len(in.Threads))}
	for i := range in.Threads {
		f.index[in.Threads[i].ID] = i
	}
	out := make([]*Wait, len(in.Threads))
	for i := range in.Threads {
		out[i] = f.thread(i)
	}
	return out
}

// A finder examines the threads one after another.
type finder struct {
	*Input
	index map[uint32]int // of threads by ID
}

func (f *finder) word(addr uint64, size int) (uint64, bool) {
	if f.Memory == nil {
		return 0, false
	}
	return f.Memory.Word(addr, size)
}

// An examination finds the wait of one thread.
type examination struct {
	*finder
	*Thread
	self  int
	wait  Wait
	word0 futexWord // the futex of the system call
}

func (f *finder) thread(i int) *Wait {
	if f.Threads[i].Arch == nil {
		return nil
	}
	x := &examination{finder: f, Thread: &f.Threads[i], self: i}
	x.wait.Thread = -1
	x.call()
	x.named()
	if x.wait.Kind == "" {
		return nil
	}
	x.findHolder()
	if x.wait.Holder == "" {
		x.wait.Holder = NoHolder
		if h, ok := defaultHolders[x.wait.Kind]; ok {
			x.wait.Holder = h
		}
	}
	return &x.wait
}

func (x *examination) prove(e Evidence) { x.wait.Evidence = append(x.wait.Evidence, e) }

// read reads a word and records it as evidence.
func (x *examination) read(addr uint64, size int, m Meaning) (uint64, bool) {
	v, ok := x.word(addr&x.Arch.Mask(), size)
	if ok {
		x.prove(Evidence{Kind: Word, Address: addr & x.Arch.Mask(), Size: size, Value: v, Meaning: m})
	}
	return v, ok
}
