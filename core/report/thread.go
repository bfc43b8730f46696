package report

// A Thread is one thread's stack.
type Thread struct {
	Name       *string `json:"thread_name"`
	ID         uint32  `json:"thread_id"`
	LastError  *string `json:"last_error_value"`
	FrameCount int     `json:"frame_count"`
	Frames     []Frame `json:"frames"` // innermost first
	End        End     `json:"end"`    // ours, and all that follows
	Stack      *Stack  `json:"stack"`
	Crashed    bool    `json:"crashed"`
	Writer     bool    `json:"dump_writer"` // wrote the dump: its stack is not walked
	State      *string `json:"state"`       // "Waiting", "Sleeping", "Polling", "Running", "Joining a thread": from the innermost functions
}

// Crashing is a copy of the crashing thread, as the schema has it.
type Crashing struct {
	Index int `json:"threads_index"`
	Thread
}

// An End says whether a stack was walked to its outermost frame.
type End struct {
	Complete bool   `json:"complete"`
	Reason   string `json:"reason"`             // one sentence: "the call frame info of __clone3 has no caller", "stack not captured at 0x7f…"
	Evidence []Step `json:"evidence,omitempty"` // what was tried last
}

// NotWalked is the Reason of a thread whose stack nobody asked for.
const NotWalked = "not walked: another thread was asked for"

// SymbolsAwaited is the Reason of a stack whose other frames depend on symbols
// that are still being read.
const SymbolsAwaited = "the rest waits for symbols that are being read"

// A Stack is the stack memory that was captured.
type Stack struct {
	Base Address `json:"base"`
	Size Address `json:"size"`
}

// A Frame is one physical frame with the calls inlined into it.
type Frame struct {
	Index          int              `json:"frame"`
	Trust          string           `json:"trust"` // "context", "cfi", "frame_pointer", "leaf", "cfi_scan", "scan"
	Registers      Registers        `json:"registers,omitempty"`
	Offset         Address          `json:"offset"` // address of the instruction: for a caller, inside the call
	Module         *string          `json:"module"` // without folders
	ModuleOffset   *Address         `json:"module_offset"`
	Unloaded       []UnloadedModule `json:"unloaded_modules"`
	Inlines        []Inline         `json:"inlines"` // innermost first; null when there are none
	Function       *string          `json:"function"`
	FunctionOffset *Address         `json:"function_offset"`
	File           *string          `json:"file"`
	Line           *uint32          `json:"line"`
	MissingSymbols bool             `json:"missing_symbols"`

	// Ours, and all that follows.

	ModuleIndex   *int     `json:"module_index"`   // into Modules
	ReturnAddress *Address `json:"return_address"` // where the frame goes on; null for the innermost
	FoundBy       string   `json:"found_by"`       // "context", "CFI", "STACK WIN", "frame ptr", "link reg", "signal frame", "leaf return", "scan"
	LineOffset    *Address `json:"line_offset"`    // from the first address of the line
	Public        bool     `json:"public_name"`    // the name is that of the nearest linker symbol below
	System        bool     `json:"is_system"`      // in a module of the operating system
	UsedAnyway    bool     `json:"symbols_forced"` // named by symbols of another build, because the user said so
	Evidence      []Step   `json:"evidence,omitempty"`

	Spelling
}

// A Spelling is how else a function's name is written, where it is.
type Spelling struct {
	Linkage  *string `json:"linkage_function"`  // as linkers have it; Function was made of it
	Readable *string `json:"readable_function"` // what Function means, where the symbol file has a linker's name
}

// An UnloadedModule is one whose former range contains a frame's address.
type UnloadedModule struct {
	Module  string    `json:"module"`
	Offsets []Address `json:"offsets"`
}

// An Inline is a call that the compiler inlined.
type Inline struct {
	Function *string `json:"function"`
	File     *string `json:"file"`
	Line     *uint32 `json:"line"`

	Spelling // ours
}

// A Step is one thing that the unwinder tried to find a frame.
type Step struct {
	Method string `json:"method"` // "call frame info", "frame pointer", "scan"
	Result string `json:"result"` // "accepted", "refused", "none"
	Text   string `json:"text"`   // lines: the rule, what it evaluated to, or why it was refused
	Reads  []Read `json:"reads,omitempty"`
}

// A Read is one word of memory that a step looked at.
type Read struct {
	Address Address `json:"address"`
	Value   Address `json:"value"`
}
