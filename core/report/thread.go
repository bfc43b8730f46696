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
	State      *string `json:"state"`       // "Waiting", "Sleeping", "Polling", "Running", "Joining a thread": by what it waits for, or from the innermost functions
	Waits      *Wait   `json:"waits"`       // what it waits for; null where that is not proved, and for the thread that crashed
}

// Crashing is a copy of the crashing thread, as the schema has it.
type Crashing struct {
	Index int `json:"threads_index"`
	Thread
}

// An End says whether a stack was walked to its outermost frame.
type End struct {
	Complete bool     `json:"complete"`           // the outermost frame was reached, by proof
	Kind     EndKind  `json:"kind"`               // why it ends
	Address  *Address `json:"address,omitempty"`  // what Kind speaks of
	To       *Address `json:"to,omitempty"`       // of "no_progress": the caller's stack pointer
	Limit    int      `json:"limit,omitempty"`    // of "frame_limit": how many frames were found
	Function *string  `json:"function,omitempty"` // of "thread_start" and "guessed_start"
	Reason   string   `json:"reason"`             // the same as one sentence, which package render writes: "stack not captured at 0x7f…"
	Evidence []Step   `json:"evidence,omitempty"` // what was tried last
}

// A Stack is the stack memory that was captured.
type Stack struct {
	Base Address `json:"base"`
	Size Address `json:"size"`
}

// A Frame is one physical frame with the calls inlined into it.
type Frame struct {
	Index          int              `json:"frame"`
	Trust          Trust            `json:"trust"`
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
	FoundBy       Way      `json:"found_by"`
	Guess         bool     `json:"guess"`                 // this frame or one before it was scanned for
	LineOffset    *Address `json:"line_offset"`           // from the first address of the line
	Public        bool     `json:"public_name"`           // the name is that of the nearest linker symbol below
	Far           bool     `json:"far_name"`              // the name is that of a linker symbol more than 64 KiB below, or of a section: module and offset say more
	Folded        bool     `json:"folded_name,omitempty"` // identical code folding: the name is that of one of several functions with this code
	Clone         string   `json:"clone,omitempty"`       // what the compiler appended to the name of a part or a copy of the function: ".isra.0", ".cold"
	System        bool     `json:"is_system"`             // in a module of the operating system
	UsedAnyway    bool     `json:"symbols_forced"`        // named by symbols of another build, because the user said so
	Evidence      []Step   `json:"evidence,omitempty"`

	Variables []Variable `json:"variables,omitempty"` // arguments and locals, where they were asked for

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

	Spelling // ours, and what follows

	Variables []Variable `json:"variables,omitempty"` // of this call, where they were asked for
}

// A Step is one thing that the unwinder tried to find a frame.
type Step struct {
	Method Method     `json:"method"` // what was tried
	Result StepResult `json:"result"`
	Text   string     `json:"text"` // lines: the rule, what it evaluated to, or why it was refused
	Reads  []Read     `json:"reads,omitempty"`
}

// A Read is memory that a step looked at: a word, or four bytes of code.
type Read struct {
	Address Address `json:"address"`
	Value   Address `json:"value"`
	Size    int     `json:"size,omitempty"` // in bytes, where that is not a word
	Use     ReadUse `json:"use,omitempty"`  // what it was read for; "" when its value decided
}

// A ReadUse is what memory was read for.
type ReadUse string

// The other uses.
const (
	ReadScanned ReadUse = "scanned" // it was looked at, as a possible return address
	ReadCode    ReadUse = "code"    // it is an instruction
)
