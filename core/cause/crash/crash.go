// Package crash finds the cause of a crash. It names the reason of an exception as its operating
// system does, examines the failed instruction with the registers and memory that it used, and
// summarizes the result in one sentence with its evidence.
//
// Three steps, each usable alone:
//
//	reason := crash.Reason(e, os, arch)    // "SIGSEGV / SEGV_MAPERR": crash_info.type
//	addr := crash.Address(e, os, arch)     // crash_info.address
//	text := crash.LastError(value)         // threads[].last_error_value
//
//	in := &crash.Input{OS: os, Arch: arch, Exception: e, Regs: &regs, ...}
//	a := crash.Analyze(in)                 // crash_info's other fields, and findings
//	v := crash.Verdict(in, a)              // the sentence, when frames have their names
//
// Both work without symbols, and find more with them: call them again when Input.Frames have names.
// The caller maps the results field by field to package report: [Analysis] to report.CrashInfo,
// [Result] to report.Verdict.
//
// Every field of [Input] may be missing or wrong, because dumps are written by dying processes.
// Unknown facts are left out of the answer, and a guess has a confidence. No input causes a panic.
// The package reads only through Input, and takes a few passes over the regions and registers.
//
// Systems that package process does not name get generic answers.
//
// Read this file first, then reasonname.go and event.go, which determine the kind of
// event, by the tables of codes.txt, which names.go describes, and windows.go, linux.go, mac.go and fuchsia.go. analyze.go runs the rest in
// order: instruction.go and fault.go find the refused access, faultaddress.go and bitflip.go
// compare it with the registers, and the latter searches for a flipped bit. The files called find*.go and
// those of single mechanisms (abortmessage.go, rustpanic.go, gopanic.go, itanium.go, trap.go and others; problem.go for
// reports that are text) make candidates for
// findings from these facts, and reconcile.go ranks the candidates and decides which are true.
// blame.go and own.go choose the frame to name, and verdict.go makes the sentence.
package crash

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

// An Exception is the exception record of a dump.
type Exception struct {
	Code, Flags uint32
	Address     uint64
	Params      []uint64 // exception_information; at most 15

	Access    process.Access // that was refused, if the file states it
	NoAddress bool           // the file does not state the address
	Removed   bool           // because it was removed from the file

	// Unknown says that there was a crash of unknown kind: the other fields have no meaning.
	// Microdumps of old clients do not name their signal.
	Unknown bool
}

// param is one parameter, or 0: old writers leave the count at 0.
func (e *Exception) param(i int) uint64 {
	if i < len(e.Params) {
		return e.Params[i]
	}
	return 0
}

// Input is everything that an analysis can use. The zero value is a dump without any facts.
type Input struct {
	OS   process.OS
	Arch *cpu.Arch

	// Exception is nil in a dump that has none.
	Exception *Exception

	// Stop is the bug check of a dump of the kernel, nil for a process. Exception is what caused it, if it had such a cause.
	Stop *Stop

	// Regs are the registers of the exception's context or, if that is missing, of the crashing
	// thread.
	Regs *cpu.Regs

	// Decode decodes the instruction at addr; package disasm has it. code
	// holds what was captured from there on, at most 16 bytes. It may be nil.
	Decode func(arch *cpu.Arch, code []byte, addr uint64) (cpu.Inst, bool)

	// Memory may be nil.
	Memory process.WordReader

	// Regions are sorted by Start and do not overlap.
	Regions []process.Region

	// StackLow and StackHigh are the range of the crashing thread's stack that
	// was captured; both 0 when it is missing.
	StackLow, StackHigh uint64
	Reduced             bool // memory was removed from the file, also the ends of stacks

	Removed, Texts cpu.Set // registers that were removed from the file, and those of them that were text

	TEB uint64 // of the crashing thread, on Windows

	Modules  *module.Map
	Unloaded []module.Module
	System   func(*module.Module) bool // reports whether a module belongs to the operating system; may be nil
	Main     int                       // index of the program itself in Modules, usually 0

	ThreadIndex int // of the crashing thread, or -1
	ThreadName  string
	Frames      []Row // of the crashing thread, or of the first thread if there is no exception

	// Assertion is the failed assertion, abort message or crash message that
	// the program or its libraries left, "" when there is none.
	Assertion string

	// Argument returns what the function of a frame was called with in a register, by the index of the frame, if that is a constant. It may be nil.
	Argument func(frame int, reg cpu.Reg) (uint64, bool)

	// Enumerator returns the name of the value of an enumeration in memory, by the type's name in a module, "" for other types. It may be nil.
	Enumerator func(module int, typ string, addr uint64) string
	// Datum returns the name of the variable or other data that begins at an address, "" for none. It may be nil.
	Datum func(addr uint64) string

	// Problem is what a report itself says went wrong, nil for nothing. Stacks are its other stacks.
	Problem *process.Problem
	Stacks  []Stack

	// Check is the kind of check behind Assertion, if the dump has it.
	Check Check

	// Lost is set when the dump has an exception that cannot be read. Exception is nil then.
	Lost bool

	// Requested is set when the dump says that it was written on request.
	Requested bool

	// Debugger is the debugger that stopped the process and wrote the dump, "" if there was none.
	Debugger string

	PID       uint32 // of the process; 0 when it is not known
	BigEndian bool   // the process has the most significant byte of a word first
	Waiting   bool   // the crashing thread's innermost function waits in the kernel
	Crashpad  bool   // Crashpad wrote the dump

	// KernelSignal says that the kernel set a signal's code, so that 0 is SI_USER. Writers that do
	// not know si_code leave 0.
	KernelSignal bool

	// Skipped is the number of rows of a signal handler before Frames, and Handler how the handler ended the program; see Handled.
	Skipped int
	Handler string

	// Annotations are the program's annotations; the verdict uses those with known names.
	Annotations []Annotation

	// File is the state of the dump itself.
	File File

	// Code finds what it means that captured code is not as it was shipped, nil where that is not known.
	Code CodeFinder

	// Script is the exception of an interpreter that ends the program, nil if it is not known.
	Script *ScriptException

	// Goroutine returns a goroutine, nil if there is none. It may be nil.
	Goroutine func(WhichGoroutine) *Goroutine

	// Waits is the summary of the threads' waits.
	Waits Waits

	// Origin is where PointerRegister, or the address that was called, came from. The verdict uses it.
	Origin report.Trail
}

// Waits summarizes what the threads of a process without a crash wait for.
type Waits struct {
	Waiting, Threads int        // how many wait, of how many
	Rings            [][]uint32 // IDs of threads that wait for each other
}

// A Check is a kind of C library check that Breakpad's handlers catch.
type Check uint8

// The kinds.
const (
	AnyCheck Check = iota
	InvalidArgument
	PureVirtualCall
)

// An Annotation is a name and a value that the program or its crash reporter attached.
type Annotation struct{ Name, Value string }

// A File is the state of a dump as a file. It matters for a dump without a cause.
type File struct {
	Size, Need int64  // the size of the file, and the end of the last part of the dump
	Defect     string // the first defect, as one line; "" when there is none
	Threads    int    // how many are listed
	System     bool   // the operating system is known
	Writer     string // the program that wrote it, "" when that is unknown
}

// An Analysis is the result about the crash itself, without symbols. Its first fields are those of
// report.CrashInfo, with the same names.
type Analysis struct {
	Reason          string
	ReasonName      string // Reason if that is right, else the name that its source uses; package report has both
	Address         uint64
	HasAddress      bool
	Adjusted        *Adjusted
	Instruction     string   // "" when unknown
	Accesses        []Access // nil when unknown; empty when there are none
	IPUpdate        *IPUpdate
	BitFlips        []BitFlip
	Inconsistencies []string // rust-minidump's names: "access_violation_when_access_allowed"
	Parameters      []Parameter
	Note            string // the reason's meaning in words

	// Inst is the instruction that failed; its Len is 0 when it is unknown.
	Inst cpu.Inst

	// Event is how the run ended, by all evidence.
	Event Event

	// NoAddress says why Address is not an accessed address: "sent by process 24248". It is "" for
	// an accessed one.
	NoAddress string
	// Accessed is the address whose access failed, if HasAccessed says that it is known.
	Accessed    uint64
	HasAccessed bool
	// PointerRegister is the register that holds the wrong pointer, or "".
	PointerRegister string

	// Called says that execution went to a wrong address.
	Called bool

	// Findings are sorted: the cause first, then by confidence.
	Findings []Finding
}

// Adjusted is an address that explains more than the reported one.
type Adjusted struct {
	Null  bool   // Value is an offset from a null pointer; otherwise it is a non-canonical address
	Value uint64 // the address either way
}

// An Access is an access of the instruction to memory.
type Access struct {
	Address     uint64
	Size        int // bytes; 0 when unknown
	Kind        cpu.Access
	LikelyGuard bool
	null        bool // its base register is 0
}

// An IPUpdate is the address that the instruction jumps to.
type IPUpdate struct {
	Address     uint64
	LikelyGuard bool
}

// A BitFlip is an address that is one flipped bit away from a bad one.
type BitFlip struct {
	Address  uint64
	Register string // the register that held the flipped address, or ""

	NonCanonical    bool
	Null            bool
	Low             bool
	NearbyRegisters uint32
	Poison          bool
	Confidence      float32

	nearPC bool // the program counter is one of NearbyRegisters
}

// A Parameter is one word of the exception record with its meaning.
type Parameter struct {
	Value   uint64
	Meaning string // "" when unknown
}

// A Kind is a kind of finding. The page knows them by these words.
type Kind string

// The kinds of finding.
const (
	NullPointer     Kind = "null_pointer"
	NonCanonical    Kind = "non_canonical"
	StackOverflow   Kind = "stack_overflow"
	GuardPage       Kind = "guard_page"
	Poison          Kind = "poison"
	BitFlipped      Kind = "bit_flip"
	BadJump         Kind = "bad_jump"
	PointerAuth     Kind = "pointer_authentication"
	Tag             Kind = "memory_tag"
	ReadOnly        Kind = "read_only"
	Unmapped        Kind = "unmapped"
	Inaccessible    Kind = "inaccessible"
	FileGone        Kind = "file_gone"
	BrokenMemory    Kind = "broken_memory"
	FlippedCode     Kind = "flipped_code"
	HookedCode      Kind = "hooked_code"
	Breakpoint      Kind = "breakpoint"
	ChangedCode     Kind = "changed_code"
	Misaligned      Kind = "misaligned"
	TextAsPointer   Kind = "text_as_pointer"
	Inconsistent    Kind = "inconsistent"
	Asserted        Kind = "assertion"
	FailFast        Kind = "fail_fast"
	StackSmashed    Kind = "stack_buffer_overrun"
	HeapCorrupt     Kind = "heap_corruption"
	OutOfMemory     Kind = "out_of_memory"
	Panic           Kind = "panic"
	Thrown          Kind = "exception"
	Aborted         Kind = "abort"
	Arithmetic      Kind = "arithmetic_error"
	OutOfBounds     Kind = "out_of_bounds"
	BadArgument     Kind = "invalid_argument"
	SystemCall      Kind = "system_call"
	Locking         Kind = "locking_error"
	BugChecked      Kind = "bug_check"
	Hang            Kind = "hang"
	RaisedException Kind = "raised_exception"
	RaisedSignal    Kind = "raised_signal"
	Sanitizer       Kind = "sanitizer"
	Deliberate      Kind = "deliberate_crash"
	Trapped         Kind = "trap"
	DivideByZero    Kind = "divide_by_zero"
	Illegal         Kind = "illegal_instruction"
	PureVirtual     Kind = "pure_virtual_call"
	FromOutside     Kind = "signal_from_outside"
	OnRequest       Kind = "on_request"
	Resource        Kind = "resource_limit"
	ForeignModule   Kind = "foreign_module"
	Managed         Kind = "managed_code"
	FirstOwn        Kind = "first_own_frame"
	UnloadedCode    Kind = "unloaded_module"
	UntrustedStack  Kind = "untrusted_stack"
	BadStackPointer Kind = "bad_stack_pointer"
)

// A Finding is one claim about the crash.
type Finding struct {
	Kind       Kind
	Text       string   // a few words: "Null pointer + 0x8"
	Evidence   []string // sentences
	Confidence float32  // 0 to 1; 1 is a fact of the dump
	Cause      bool     // it explains the crash by itself
}

// A Result is the answer in one sentence: report.Verdict, field by field.
type Result struct {
	What    string // "Null pointer read"
	Where   string // function, or module + offset; "" when unknown
	At      string // "threads.cpp:12", or ""
	Detail  string
	Crashed bool
	Badges  []Badge
	Frame   int // index in Input.Frames of the frame that Where names, or -1

	Goroutine uint64 // that has the function that Where names, 0 if it is on the crashing thread's stack
	Guess     bool   // that frame, or one before it, was found by scanning the stack
}

// A Badge is one claim about the crash: report.Badge, field by field.
type Badge struct {
	Kind          string // "cause", "plain" or "doubt"
	Finding       Kind
	Text          string
	Evidence      []string
	Confidence    float32
	HasConfidence bool // false for a fact of the dump
}
