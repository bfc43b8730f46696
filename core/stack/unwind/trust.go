package unwind

// A Trust is how far a frame can be trusted, by how it was found. The values are rust-minidump's
// and Breakpad's, best last.
type Trust uint8

// The ways to find a frame.
const (
	None         Trust = iota // not found
	Scan                      // a word on the stack looked like a return address
	CFIScan                   // the same, after call frame information had failed
	FramePointer              // frame pointer or link register, by convention
	Leaf                      // the return of a leaf function, whose return address is on top of the stack
	CFI                       // call frame information, STACK WIN, a signal's saved context, a shadow stack
	Context                   // the registers in the dump
)

var trustNames = [...]string{"none", "scan", "cfi_scan", "frame_pointer", "leaf", "cfi", "context"}

// String returns the word of rust-minidump's schema.
func (t Trust) String() string { return trustNames[t] }

func (t Trust) guessed() bool { return t == Scan || t == CFIScan }

// A Way is the method that found a frame, in the words of Breakpad's reports.
type Way uint8

// The ways that frames are found by.
const (
	ByContext Way = iota
	ByCFI
	ByWin
	BySignal
	ByCode
	ByLeaf
	ByLink
	ByFramePointer
	ByBackChain
	ByScan
	ByShadow
)

var wayNames = [...]string{"context", "CFI", "STACK WIN", "signal frame", "code", "leaf return", "link reg", "frame ptr", "back chain", "scan", "shadow stack"}

// String is the code that reports have for it.
func (w Way) String() string { return wayNames[w] }

// A Method is a step of a CPU's ladder.
type Method uint8

// The methods. A CPU has some of them, best first.
const (
	SignalFrames Method = iota
	CallFrameInfo
	WinFrames
	FunctionCode
	Nowhere
	LeafReturn
	LinkRegister
	FramePointers
	FrameChains
	BackChain
	RegisterWindows
	StackScan
	ShadowStack
)

var methodNames = [...]string{"signal frame", "call frame information", "STACK WIN", "function entry", "jump to nowhere",
	"leaf return", "link register", "frame pointer", "frame chain", "back chain", "register windows", "stack scan", "shadow stack"}

// String is the code that reports have for it.
func (m Method) String() string { return methodNames[m] }

// A Result is the result of a method that was tried.
type Result uint8

// The results.
const (
	Nothing  Result = iota // it did not apply, or found nothing
	Refused                // its result was not plausible
	Accepted               // it found the caller, or the end of the stack
)

var resultNames = [...]string{"none", "refused", "accepted"}

// String is the code that reports have for it.
func (r Result) String() string { return resultNames[r] }
