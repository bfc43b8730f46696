package process

// A Problem is what a report itself says went wrong, beside an event of the system.
type Problem struct {
	Kind   ProblemKind
	Text   string // in the report's own words, without addresses where it repeats them elsewhere
	Access Access
	Size   uint64 // of the access, in bytes; 0 when unknown
}

// A ProblemKind is the kind of a problem.
type ProblemKind uint8

// The kinds of problems. The zero value is any other.
const (
	OtherProblem ProblemKind = iota
	UseAfterFree
	HeapOverflow // beyond or before a block of the heap
	StackBuffer  // beyond or before a variable on the stack
	GlobalBuffer // beyond or before a global variable
	UseAfterReturn
	UseAfterScope
	DoubleFree
	BadFree // of what was not allocated, or by another function than its kind of allocation asks for
	StackExhausted
	Overlap       // of source and target of a copy
	Uninitialized // a decision or an access depends on a value that was never set
	DataRace
	LockOrder  // locks that are taken in different orders
	LockMisuse // a mutex that is destroyed while locked, or unlocked by another thread
	Leak
	Undefined   // behaviour that the language does not define
	TagMismatch // of a pointer and its memory
	OutOfMemory
	FailedCheck // a condition that the program checks does not hold
	Panic       // the program's language runtime ended it with a message
	Uncaught    // an exception that nothing caught
	Deadlock    // all threads wait
	Hang        // it did not react in time
	Killed      // by the system, because memory ran out
	Printed     // nothing: the program printed a stack of its own
	Sample      // nothing: stacks were taken of a running program
)

// Ends reports whether a problem of the kind ended the program, or would have.
func (k ProblemKind) Ends() bool { return k != Printed && k != Sample }

// A Role says what a stack of a report is.
type Role uint8

// The roles. The zero value is a thread's stack.
const (
	OfThread  Role = iota
	Freed          // where the memory was freed
	Allocated      // where it was allocated
	Previous       // the earlier of two accesses
	Created        // where a thread was created, or a lock
	Stored         // where a value that was never set was copied
	Declared       // the function whose variable it is
	Exception      // where an exception was thrown
)
