package report

// A Wait is what a thread waits for, by registers, proved frames and memory.
type Wait struct {
	Kind       WaitKind       `json:"kind"`
	Call       *string        `json:"call"`           // the system call: "futex"
	Function   *string        `json:"function"`       // that names the purpose of the wait: "pthread_mutex_lock"
	Library    string         `json:"library"`        // the library of the lock: "glibc"; "" when unknown
	Object     *Address       `json:"object"`         // the lock, or the futex word
	Name       string         `json:"name,omitempty"` // of the lock in the program: "this->mutex_"
	Descriptor *int64         `json:"descriptor"`     // the file descriptor
	Holder     WaitHolder     `json:"holder"`         // the state of the thread that can end the wait
	Thread     *int           `json:"thread"`         // that thread, as an index into Threads
	ThreadID   *uint32        `json:"thread_id"`      // its ID; the ID of "gone" is not in the dump
	Evidence   []WaitEvidence `json:"evidence"`
	Text       string         `json:"text"` // the same in words, which package render writes: "a mutex at 0x5000, held by thread 77"
}

// A WaitKind is what a thread waits for. Package waits has all kinds.
type WaitKind string

// The kinds that other packages use.
const (
	WaitJoin   WaitKind = "join"
	WaitPoll   WaitKind = "poll"
	WaitSleep  WaitKind = "sleep"
	WaitWorker WaitKind = "worker"
)

// A WaitHolder is the state of the thread that can end a wait.
type WaitHolder string

// The states.
const (
	WaitHeld        WaitHolder = "held"         // Thread holds the lock
	WaitJoined      WaitHolder = "joined"       // the wait ends when Thread ends
	WaitGone        WaitHolder = "gone"         // the lock names ThreadID, which is not in the dump
	WaitFree        WaitHolder = "free"         // no thread holds the lock any more: it was released after the wait began
	WaitReaders     WaitHolder = "readers"      // readers hold it; the lock does not record which
	WaitNotRecorded WaitHolder = "not_recorded" // this kind of lock does not record its holder
	WaitNotCaptured WaitHolder = "not_captured" // the dump lacks the word
	WaitNotFound    WaitHolder = "not_found"    // the address of the lock is unknown
	WaitNoHolder    WaitHolder = "none"         // any thread, or none, may end it
)

// A WaitEvidence is one observation.
type WaitEvidence struct {
	Kind    string      `json:"kind"`              // "register", "word", "code", "function", "kernel"
	Name    string      `json:"name,omitempty"`    // of the register or the function
	Frame   *int        `json:"frame,omitempty"`   // of the function
	Address *Address    `json:"address,omitempty"` // of the word or the code
	Size    int         `json:"size,omitempty"`    // of the word in bytes
	Value   *Address    `json:"value,omitempty"`
	Meaning WaitMeaning `json:"meaning"` // the meaning of Value
}

// A WaitMeaning is the meaning of an observed value. Package waits has all of them.
type WaitMeaning string

// Hang is the summary of all threads' waits.
type Hang struct {
	Waiting int     `json:"waiting"` // threads whose wait is proved
	Threads int     `json:"threads"` // all of them
	Cycles  [][]int `json:"cycles"`  // cycles of threads, as indexes into Threads: each thread waits for the next one
	// Functions are the program's innermost functions of the threads in Cycles, "" if the name is not certain.
	Functions [][]string `json:"functions"`
	Behind    []int      `json:"behind"` // threads that wait for one of a cycle, directly or through others
}
