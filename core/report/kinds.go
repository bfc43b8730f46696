package report

// Programs may compare the codes below. The sentences of a report are for people, and may change
// with any version of package render.

// A Trust is how far a frame can be trusted, by how it was found. The words are those of
// rust-minidump's schema.
type Trust string

// The trusts, best first.
const (
	TrustContext      Trust = "context"
	TrustCFI          Trust = "cfi"
	TrustPrewalked    Trust = "prewalked" // stated by the file
	TrustLeaf         Trust = "leaf"
	TrustFramePointer Trust = "frame_pointer"
	TrustCFIScan      Trust = "cfi_scan"
	TrustScan         Trust = "scan"
	TrustNone         Trust = "none"
)

// Scanned reports whether the frame's return address was found by scanning the stack.
func (t Trust) Scanned() bool { return t == TrustScan || t == TrustCFIScan }

// A Certainty says how a function's name stands to a frame's address, as symbolize.Certainty does.
type Certainty string

// The certainties. The first two are proof.
const (
	NameInside  Certainty = "inside"  // within the function's extent
	NameCovered Certainty = "covered" // within the unwind rules that begin with the symbol, or at the symbol itself
	NameNearest Certainty = "nearest" // behind the nearest symbol, which has no end
	NameBeyond  Certainty = "beyond"  // behind the end of the nearest symbol: the frame has no name
	NameForced  Certainty = "forced"  // by mismatched symbols
	NameNone    Certainty = "unnamed" // no symbol
)

// Certain reports whether the name is proved.
func (c Certainty) Certain() bool { return c == NameInside || c == NameCovered }

// Doubtful reports whether there is a name, which may be that of another function.
func (c Certainty) Doubtful() bool { return c == NameNearest || c == NameForced }

// A Way is the method that found a frame, in the words of Breakpad's reports.
type Way string

// The ways.
const (
	ByContext      Way = "context"
	ByCFI          Way = "CFI"
	ByWin          Way = "STACK WIN"
	BySignal       Way = "signal frame"
	ByCode         Way = "code"
	ByLeaf         Way = "leaf return"
	ByLink         Way = "link reg"
	ByFramePointer Way = "frame ptr"
	ByBackChain    Way = "back chain"
	ByScan         Way = "scan"
	ByShadow       Way = "shadow stack"
	ByFile         Way = "stated by the file"
	ByRuntime      Way = "runtime" // the language's runtime lists the call
)

// A Method is a method of finding a frame.
type Method string

// The methods. A CPU has some of them, best first.
const (
	SignalFrames    Method = "signal frame"
	CallFrameInfo   Method = "call frame information"
	WinFrames       Method = "STACK WIN"
	FunctionCode    Method = "function entry"
	Nowhere         Method = "jump to nowhere"
	LeafReturn      Method = "leaf return"
	LinkRegister    Method = "link register"
	FramePointers   Method = "frame pointer"
	FrameChains     Method = "frame chain"
	BackChain       Method = "back chain"
	RegisterWindows Method = "register windows"
	StackScan       Method = "stack scan"
	ShadowStack     Method = "shadow stack"
)

// A StepResult is the result of a method that was tried.
type StepResult string

// The results.
const (
	Accepted StepResult = "accepted" // it found the caller, or the end of the stack
	Refused  StepResult = "refused"  // its result was not plausible
	Nothing  StepResult = "none"     // it did not apply, or found nothing
)

// An EndKind is the reason why a stack ends.
type EndKind string

// The kinds of stacks that were walked. Only the first four prove that the
// outermost frame was reached.
const (
	Undefined        EndKind = "undefined"         // the call frame information has no caller
	ThreadStart      EndKind = "thread_start"      // Function is where threads begin
	ZeroReturn       EndKind = "zero_return"       // a proved rule found the return address 0
	ShadowEnd        EndKind = "shadow_end"        // the shadow stack, which has each call that has not returned, ends
	GuessedStart     EndKind = "guessed_start"     // Function is where threads begin, but a guess led there
	GuessedUndefined EndKind = "guessed_undefined" // the call frame information has no caller, but a guess led there
	GuessedZero      EndKind = "guessed_zero"      // the call frame information leads to the return address 0, but a guess led there
	ChainEnd         EndKind = "chain_end"         // the chain of frames ends, and nothing was found behind it
	NoReturn         EndKind = "no_return"         // no plausible return address in the words above Address
	MemoryEnds       EndKind = "memory_ends"       // no plausible return address up to Address, where the captured memory ends
	NotCaptured      EndKind = "not_captured"      // the stack at Address was not captured
	NoStack          EndKind = "no_stack"          // the stack pointer is not known
	NoProgress       EndKind = "no_progress"       // the caller's stack pointer To does not lie above Address
	NoCode           EndKind = "no_code"           // no code can be at the return address Address
	FrameLimit       EndKind = "frame_limit"       // Limit frames were found
	NoPC             EndKind = "no_pc"             // the file does not have the program counter
	NoCPU            EndKind = "no_cpu"            // the CPU is not known
)

// The kinds of stacks that were not walked, or not to their end.
const (
	NotWalked      EndKind = "not_walked"      // another thread was requested
	SymbolsAwaited EndKind = "symbols_awaited" // its other frames depend on symbols that are still being read
	WroteDump      EndKind = "wrote_dump"      // its stack is that of the crash handler
	NoRegisters    EndKind = "no_registers"    // none were saved for this thread
	FileStates     EndKind = "file_states"     // the file states the frames, and no further ones
	RuntimeStart   EndKind = "runtime_start"   // the first call in the list of a language's runtime
	RuntimeCut     EndKind = "runtime_cut"     // the next call in that list is damaged, or not captured
)

// A NoteKind is the kind of a defect of the dump.
type NoteKind string

// The kinds.
const (
	NoteDamage    NoteKind = "damage"    // a value is impossible
	NoteTruncated NoteKind = "truncated" // the file ends before the part does
	NoteOdd       NoteKind = "odd"       // parts disagree, or something is missing
)

// InMemory is where a note is about captured memory, as package minidump names it.
const InMemory = "memory"

// A BadgeKind is the weight of a claim.
type BadgeKind string

// The weights.
const (
	BadgeCause BadgeKind = "cause" // explains the crash; at most one, and first
	BadgePlain BadgeKind = "plain"
	BadgeDoubt BadgeKind = "doubt" // casts doubt on other claims, or is doubtful itself
)

// A CodeChangeKind is how captured code differs from its file.
type CodeChangeKind string

// The kinds.
const (
	CodeFlipped    CodeChangeKind = "flipped_bit" // one bit
	CodeHook       CodeChangeKind = "hook"        // a jump at the beginning of a function
	CodeBreakpoint CodeChangeKind = "breakpoint"  // of a debugger or a tracer
	CodeOther      CodeChangeKind = "other"       // at the instruction that failed
)

// A FindingKind is the subject of a claim. Package crash has all kinds.
type FindingKind string

// The kinds that other packages use.
const (
	FindingNullPointer   FindingKind = "null_pointer"
	FindingNonCanonical  FindingKind = "non_canonical"
	FindingUnmapped      FindingKind = "unmapped"
	FindingInaccessible  FindingKind = "inaccessible"
	FindingText          FindingKind = "text_as_pointer"
	FindingBitFlip       FindingKind = "bit_flip"
	FindingBrokenMemory  FindingKind = "broken_memory"
	FindingFlippedCode   FindingKind = "flipped_code"
	FindingPoison        FindingKind = "poison"
	FindingGuardPage     FindingKind = "guard_page"
	FindingReadOnly      FindingKind = "read_only"
	FindingMisaligned    FindingKind = "misaligned"
	FindingHeapCorrupt   FindingKind = "heap_corruption"
	FindingException     FindingKind = "exception"
	FindingBugCheck      FindingKind = "bug_check"
	FindingStackOverflow FindingKind = "stack_overflow"
	FindingForeignModule FindingKind = "foreign_module"
	FindingFirstOwn      FindingKind = "first_own_frame"
	FindingFromOutside   FindingKind = "signal_from_outside"
)
