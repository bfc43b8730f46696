package report

import (
	"crashglass/core/process"
	"crashglass/core/stack/symbolize"
)

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
	Writer     bool    `json:"dump_writer"` // it wrote the dump: its stack is not walked
	State      *string `json:"state"`       // "Waiting", "Sleeping", "Polling", "Running", "Joining a thread": by its wait, or by the innermost functions
	Waits      *Wait   `json:"waits"`       // what it waits for; null if that is not proved

	// Returned are calls that have returned, the newest first, as far as a shadow stack still has them. They are no frames.
	Returned []Frame `json:"returned,omitempty"`
}

// Crashing is a copy of the crashing thread, as the schema has it.
type Crashing struct {
	Index int `json:"threads_index"`
	Thread
}

// An End says whether a stack was walked to its outermost frame.
type End struct {
	Complete bool     `json:"complete"`           // the outermost frame was reached, with proof
	Kind     EndKind  `json:"kind"`               // the reason
	Address  *Address `json:"address,omitempty"`  // the address that Kind is about
	To       *Address `json:"to,omitempty"`       // of "no_progress": the caller's stack pointer
	Limit    int      `json:"limit,omitempty"`    // of "frame_limit": the number of frames
	Function *string  `json:"function,omitempty"` // of "thread_start" and "guessed_start"
	Reason   string   `json:"reason"`             // the same as one sentence, which package render writes: "stack not captured at 0x7f…"
	Evidence []Step   `json:"evidence,omitempty"` // the methods that were tried last
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
	Offset         Address          `json:"offset"` // address of the instruction: for a caller, inside the call; "" if a report has none
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

	ModuleIndex   *int        `json:"module_index"`   // into Modules
	ReturnAddress *Address    `json:"return_address"` // the return address; null for the innermost frame
	FoundBy       Way         `json:"found_by"`
	Guess         bool        `json:"guess"`                 // this frame, or one before it, was found by scanning
	LineOffset    *Address    `json:"line_offset"`           // from the first address of the line
	Public        bool        `json:"public_name"`           // the name is that of the nearest linker symbol below
	Certainty     Certainty   `json:"name_certainty"`        // how the name stands to the address
	After         *NearSymbol `json:"after,omitempty"`       // the nearest symbol, if the address is behind its end: not the function's name
	Folded        bool        `json:"folded_name,omitempty"` // identical code folding: the name is that of one of several functions with this code
	Clone         string      `json:"clone,omitempty"`       // the compiler's suffix for a part or a copy of the function: ".isra.0", ".cold"
	System        bool        `json:"is_system"`             // in a module of the operating system
	Library       bool        `json:"library,omitempty"`     // a function of a library, a runtime or start-up code in a module of the program
	UsedAnyway    bool        `json:"symbols_forced"`        // named by mismatched symbols, which the user forced
	Evidence      []Step      `json:"evidence,omitempty"`

	// CodeStart is the start of the function, relative to the module, if unwind rules show it and no name is
	// certain.
	CodeStart *Address `json:"code_start,omitempty"`

	// Overwritten is the word that the stack has in place of the return address. Only a shadow stack shows it.
	Overwritten *Overwritten `json:"overwritten,omitempty"`

	// NeverReturns says that the function is proved never to return: it ends the program or throws. Only
	// frames of the crashing thread have it.
	NeverReturns bool `json:"never_returns,omitempty"`

	Variables []Variable `json:"variables,omitempty"` // arguments and locals, if they were requested

	Spelling

	Kind   FrameKind `json:"kind,omitempty"`   // the language whose runtime made the frame; "" for native ones
	Column *uint32   `json:"column,omitempty"` // of a frame that a runtime made, counted from 1

	// Inlined says that a frame of a task is a call that was inlined into the next one.
	Inlined bool `json:"inlined,omitempty"`

	walked *process.Frame // no output has it, and a masked copy neither
}

// Overwritten is a word of the stack that is not the return address that a call has put there.
type Overwritten struct {
	Address Address `json:"address"`
	Value   Address `json:"value"`
}

// FrameOf returns a report's frame of a stack that was walked or stated, without names.
func FrameOf(walked *process.Frame) Frame {
	return Frame{Guess: walked.Guess, Certainty: NameNone, walked: walked}
}

// Walked returns the frame that the walk found, or an empty one if the frame is of no walk.
func (f *Frame) Walked() *process.Frame {
	if f.walked == nil {
		return &process.Frame{}
	}
	return f.walked
}

// At returns the physical frame and the scope of a row of a stack, in which inlined calls are rows, too. The
// scope 0 is the function itself; inlined calls follow, outermost first.
func (t *Thread) At(row int) (frame, scope int, ok bool) {
	for i := range t.Frames {
		rows := len(t.Frames[i].Inlines) + 1
		if row >= 0 && row < rows {
			return i, rows - 1 - row, true
		}
		row -= rows
	}
	return 0, 0, false
}

// CertainNames returns the names of a frame's functions, innermost first, without those that may belong
// to another function.
func (f *Frame) CertainNames() []string {
	var names []string
	for i := range f.Inlines {
		if n := f.Inlines[i].Function; n != nil && !f.Uncertain(true) {
			names = append(names, *n)
		}
	}
	if f.Function != nil && !f.Uncertain(false) {
		names = append(names, *f.Function)
	}
	return names
}

// Uncertain reports whether the name of a frame's function, or of its inlined calls, may be that of another
// function. It is marked where it is shown, and proves nothing. Inlined calls are named by debug information.
func (f *Frame) Uncertain(inlined bool) bool {
	return f.UsedAnyway || !inlined && f.Certainty.Doubtful()
}

// Mark is put before the name of a frame's function, or of its inlined calls: [symbolize.Mark] if it is
// uncertain.
func (f *Frame) Mark(inlined bool) string {
	if f.Uncertain(inlined) {
		return symbolize.Mark
	}
	return ""
}

// RowMark is put before a frame, or one of its inlined calls, where a stack is shown: [symbolize.Mark] if its name is
// uncertain, one of several functions with this code, or if the frame itself is a guess.
func (f *Frame) RowMark(inlined bool) string {
	if f.Guess || f.Trust.Scanned() || f.Folded && !inlined {
		return symbolize.Mark
	}
	return f.Mark(inlined)
}

// A NearSymbol is a name behind which an address lies.
type NearSymbol struct {
	Name   string  `json:"name"`
	Offset Address `json:"offset"`
}

// A Spelling has other forms of a function's name, if there are any.
type Spelling struct {
	Linkage  *string `json:"linkage_function"`  // the linkage name, from which Function was made
	Readable *string `json:"readable_function"` // the demangled name, if the symbol file has a linkage name as Function
}

// An UnloadedModule is one whose former range contains a frame's address.
type UnloadedModule struct {
	Module  string    `json:"module"`
	Offsets []Address `json:"offsets"`
}

// An Inline is a call that the compiler inlined or, with a Kind, one that the frame's function runs for a language's runtime.
type Inline struct {
	Function *string `json:"function"`
	File     *string `json:"file"`
	Line     *uint32 `json:"line"`

	Spelling // ours, and what follows

	Library bool `json:"library,omitempty"` // as Frame.Library

	Variables []Variable `json:"variables,omitempty"` // of this call, if they were requested

	Kind   FrameKind `json:"kind,omitempty"`   // the language of an interpreted call; "" for inlined ones
	Column *uint32   `json:"column,omitempty"` // of an interpreted call, counted from 1
}

// Generated reports whether a frame is of code that the program made and registered with debuggers: it is in no module, and has a source file.
func (f *Frame) Generated() bool {
	return f.Module == nil && len(f.Unloaded) == 0 && f.FoundBy != ByFile && f.File != nil && f.Function != nil && f.Certainty.Certain()
}

// Interpreted reports whether a language's runtime runs the call.
func (in *Inline) Interpreted() bool { return in != nil && in.Kind != "" }

// A Step is one method that the unwinder tried to find a frame.
type Step struct {
	Method Method     `json:"method"` // the method
	Result StepResult `json:"result"`
	Text   string     `json:"text"` // lines: the rule, its value, or why it was refused
	Reads  []Read     `json:"reads,omitempty"`
}

// A Read is memory that a step read: a word, or four bytes of code.
type Read struct {
	Address Address `json:"address"`
	Value   Address `json:"value"`
	Size    int     `json:"size,omitempty"` // in bytes, if it is not a word
	Use     ReadUse `json:"use,omitempty"`  // the purpose of the read; "" when its value decided
}

// A ReadUse is the purpose of a read.
type ReadUse string

// The other uses.
const (
	ReadScanned ReadUse = "scanned" // it was examined as a possible return address
	ReadCode    ReadUse = "code"    // it is an instruction
)
