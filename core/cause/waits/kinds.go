package waits

import "crashglass/core/report"

// A Kind is what a thread waits for.
type Kind string

// The kinds.
const (
	Mutex           Kind = "mutex"
	ReadLock        Kind = "read_lock"        // a reader-writer lock, to read
	WriteLock       Kind = "write_lock"       // a reader-writer lock, to write
	Condition       Kind = "condition"        // a condition variable to be signalled
	Semaphore       Kind = "semaphore"        //
	Barrier         Kind = "barrier"          // the other threads to arrive
	Once            Kind = "once"             // an initialization by another thread
	Join            Kind = "join"             // a thread to end
	Futex           Kind = "futex"            // a word to change; the object around it is unknown
	CriticalSection Kind = "critical_section" // of Windows
	SRWLock         Kind = "srw_lock"         // of Windows
	Address         Kind = "address"          // a word to change, by WaitOnAddress of Windows
	Object          Kind = "object"           // a kernel object of Windows, by its handle
	Objects         Kind = "objects"          // one or all of several kernel objects
	Completion      Kind = "completion_port"  // an I/O completion of Windows
	Worker          Kind = "worker"           // work: a thread of a pool
	UIMessage       Kind = "ui_message"       // a message of the user interface
	Message         Kind = "message"          // a message of a port or a queue
	Poll            Kind = "poll"             // one of several files to be ready
	Sleep           Kind = "sleep"            // time to pass
	Read            Kind = "read"             // data
	Write           Kind = "write"            // room for data
	Accept          Kind = "accept"           // a connection
	Connect         Kind = "connect"          // a peer to answer
	FileLock        Kind = "file_lock"        //
	Signal          Kind = "signal"           //
	Child           Kind = "child"            // another process to end
	Receive         Kind = "channel_receive"  // a value from a channel
	Send            Kind = "channel_send"     // room in a channel, or a receiver
	Park            Kind = "park"             // to be unparked by a runtime
	IO              Kind = "io"               // an asynchronous operation to end
)

// A Library is the library that a lock belongs to.
type Library string

// The libraries.
const (
	Glibc  Library = "glibc"
	Musl   Library = "musl"
	Bionic Library = "bionic"
	Kernel Library = "linux" // the kernel defines the word: futexes with priority inheritance
	Rust   Library = "rust"

	ParkingLot Library = "parking_lot" // a crate of Rust
	Go         Library = "go"
	Windows    Library = "windows"
	Mac        Library = "macos"
)

// A Holder is the state of the thread that can end a wait. Package report defines the states,
// because reports have them, too.
type Holder = report.WaitHolder

// The states.
const (
	Held        = report.WaitHeld
	Joined      = report.WaitJoined
	Gone        = report.WaitGone
	Free        = report.WaitFree
	Readers     = report.WaitReaders
	NotRecorded = report.WaitNotRecorded
	NotCaptured = report.WaitNotCaptured
	NotFound    = report.WaitNotFound
	NoHolder    = report.WaitNoHolder
)

// defaultHolders are the states of waits without a search for the holder.
var defaultHolders = map[Kind]Holder{
	Mutex: NotFound, ReadLock: NotFound, WriteLock: NotFound, Join: NotFound, CriticalSection: NotFound,
	SRWLock: NotRecorded, Once: NotRecorded,
}

// An EvidenceKind is the source of an observation.
type EvidenceKind string

// The kinds of evidence.
const (
	Register EvidenceKind = "register" // Name has Value
	Word     EvidenceKind = "word"     // Size bytes at Address are Value
	Code     EvidenceKind = "code"     // the instruction at Address loads Value
	Function EvidenceKind = "function" // frame Frame is in Name
	Number   EvidenceKind = "kernel"   // the file has Value with the registers
)

// A Meaning is the meaning of an observed value.
type Meaning string

// The meanings.
const (
	CallNumber  Meaning = "system_call" // the number of the system call
	Interrupted Meaning = "interrupted" // the kernel's mark of a system call that was interrupted for the dump
	FutexAt     Meaning = "futex"       // the address of the word that is waited at
	Operation   Meaning = "operation"   // of futex(2)
	Expected    Meaning = "expected"    // the value that the word had when the wait began
	LockWord    Meaning = "lock"        // the state of the lock
	Owner       Meaning = "owner"       // the ID of the thread that holds the lock
	Users       Meaning = "users"       // the number of threads that use the lock
	LockKind    Meaning = "lock_kind"   // the type that the lock was made with
	ThreadWord  Meaning = "thread_id"   // the ID of the thread that is joined, which becomes 0 when it ends
	SelfPointer Meaning = "self"        // the thread's block, which points to itself
	File        Meaning = "descriptor"  // the file descriptor
	Recursion   Meaning = "recursion"   // the owner's recursion count
	WaitsIn     Meaning = "waits_in"    // the function that waits
)
