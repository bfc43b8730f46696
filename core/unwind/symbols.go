package unwind

import "strings"

// Rules is what the symbols of one module know about unwinding. Addresses are
// relative to the module's base. Implementations answer for any address and do
// not panic; a record that cannot be parsed is a record that is not there.
type Rules interface {
	// CallFrame returns the call frame rules in force at rel: those of the
	// covering STACK CFI INIT record with every STACK CFI row up to and
	// including rel applied.
	CallFrame(rel uint64) (CallFrame, bool)

	// WinFrame returns the STACK WIN record that covers rel; a record of type
	// 4 (frame data) is preferred to one of type 0 (FPO).
	WinFrame(rel uint64) (WinFrame, bool)

	// Function returns the function or, failing that, the public symbol at rel.
	Function(rel uint64) (Function, bool)

	// HasNames reports whether code without a name is none. A file with call
	// frame information alone, or an empty one, says nothing about which
	// addresses are code: if its silence counted, no address of that module
	// would be a return address.
	HasNames() bool

	// HasCode reports whether the module's own code is at hand, so that all of
	// it can be read. What cannot be read is then none: what the program writes
	// to is in no file that can answer.
	HasCode() bool
}

// A CallFrame is the call frame rules that are in force at an address.
type CallFrame struct {
	Start, Size uint64 // what the INIT record covers
	Rules       []Rule // one for each register, in the order of first mention

	// Signal says that this code was not called but entered by the system:
	// what the rules find was interrupted, and its pc is exact. DWARF's
	// augmentation 'S', a machine frame of Windows.
	Signal bool

	// AtCalls says that the rules hold at the function's calls, but not
	// everywhere in its prologue and epilogue: exception tables of 32-bit ARM
	// know no more.
	AtCalls bool

	// From says in a few words what the rules were made of, where that is not
	// a symbol file: "unwind codes", ".eh_frame", "compact unwind".
	From string
}

// A WinFrame is one STACK WIN record.
type WinFrame struct {
	Start, Size  uint64
	FrameData    bool   // type 4; otherwise type 0, FPO
	Prolog       uint32 // bytes of code that make the frame; the walk does not need it
	ParamSize    uint32 // bytes of arguments that this function pops
	SavedRegs    uint32 // bytes of callee-saved registers
	Locals       uint32 // bytes of locals
	Program      string // postfix program; "" when there is none
	AllocatesEBP bool   // ebp is used for something else; only without a program
}

// A Function is the extent and name of the code around an address.
type Function struct {
	Name      string
	Start     uint64 // relative to the module
	Size      uint64 // 0 for public symbols, whose end is unknown
	ParamSize uint32
	Public    bool
	Stated    uint64 // the size that a public symbol states
}

// isPart reports a part that the compiler has split off, to which the function
// jumps: nothing calls it, and its frame is the function's. GCC calls it
// f.cold, older versions f.cold.12, and demanglers f() [clone .cold].
func (fn *Function) isPart() bool {
	_, end, ok := strings.Cut(fn.Name, ".cold")
	return ok && strings.Trim(end, ".0123456789]") == ""
}
