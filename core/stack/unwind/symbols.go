package unwind

import "strings"

// Rules is the unwind information of one module's symbols. Addresses are relative to the module's
// base. Implementations answer for any address and do not panic; they treat a record that cannot be
// parsed as missing.
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

	// HasNames reports whether all code has names, so that an address without one is no code. For a
	// file with only call frame information, or an empty one, it must be false: otherwise no
	// address of that module would be a return address.
	HasNames() bool

	// HasCode reports whether the module's file is available, so that all its code can be read. An
	// address that cannot be read is then no code: memory that the program writes to is in no file
	// that can answer.
	HasCode() bool
}

// EntryRules are Rules of entries that are about parts of the code.
type EntryRules interface {
	Rules

	// Covers reports whether an entry is about the address rel.
	Covers(rel uint64) bool
}

// NoWinFrames is embedded by files that have no STACK WIN records: only PDB and Breakpad files have.
type NoWinFrames struct{}

// WinFrame implements Rules.
func (NoWinFrames) WinFrame(uint64) (WinFrame, bool) { return WinFrame{}, false }

// EachWinFrame implements Lister.
func (NoWinFrames) EachWinFrame(func(WinFrame) error) error { return nil }

// A CallFrame is the call frame rules that are in force at an address.
type CallFrame struct {
	Start, Size uint64 // the range of the INIT record
	Rules       []Rule // one for each register, in the order of first mention

	// Signal says that the system entered this code without a call. The caller was interrupted, and
	// its pc is exact. DWARF's augmentation 'S', a machine frame of Windows.
	Signal bool

	// Handlers says that exceptions may continue in the function, or in a part of it elsewhere: it has a
	// language-specific data area. Only DWARF's entries say so.
	Handlers bool

	// AtCalls says that the rules hold at the function's calls, but not everywhere in its prologue
	// and epilogue, as in exception tables of 32-bit ARM.
	AtCalls bool

	// Foreign says that the code is of another CPU than the program: ARM64 code of Windows in a program of x64.
	Foreign bool

	// From names the source of the rules, if it is not a symbol file: "unwind codes", ".eh_frame",
	// "compact unwind".
	From string
}

// A WinFrame is one STACK WIN record.
type WinFrame struct {
	Start, Size  uint64
	FrameData    bool   // type 4; otherwise type 0, FPO
	Prolog       uint32 // size of the prologue; the walk does not use it
	ParamSize    uint32 // bytes of arguments that this function pops
	SavedRegs    uint32 // bytes of callee-saved registers
	Locals       uint32 // bytes of locals
	Program      string // postfix program; "" when there is none
	AllocatesEBP bool   // the function uses ebp as an ordinary register; only without a program
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

// isPart reports whether a name is that of a part that the compiler has split off. The function
// jumps to it, nothing calls it, and it uses the function's frame. GCC names it f.cold, older
// versions f.cold.12, and demanglers f() [clone .cold].
func (fn *Function) isPart() bool {
	_, end, ok := strings.Cut(fn.Name, ".cold")
	return ok && strings.Trim(end, ".0123456789]") == ""
}

// A Lister is a source of Rules that can list all of them, so that they can be written as a symbol
// file. Damaged records are left out. An error of add ends the listing and is returned. A table and its
// rules are valid until add returns.
type Lister interface {
	EachCallFrame(add func(*CallFrameTable) error) error
	EachWinFrame(add func(WinFrame) error) error
}

// A CallFrameTable is the call frame rules of a run of code: those at its first address, and the
// changes after it.
type CallFrameTable struct {
	Start, Size uint64
	Signal      bool // see CallFrame
	Rules       []Rule
	Rows        []CallFrameRow // in the order of addresses
}

// A CallFrameRow changes some rules from an address on. A register that is
// no longer saved anywhere has itself as its rule.
type CallFrameRow struct {
	Addr  uint64
	Rules []Rule
}
