package report

// A Wait is what a thread waits for, as far as registers, proved frames and
// memory tell.
type Wait struct {
	Kind       WaitKind       `json:"kind"`
	Call       *string        `json:"call"`       // the system call: "futex"
	Function   *string        `json:"function"`   // that says what the wait is for: "pthread_mutex_lock"
	Library    string         `json:"library"`    // whose lock it is: "glibc"; "" when unknown
	Object     *Address       `json:"object"`     // the lock, or the word that is waited at
	Descriptor *int64         `json:"descriptor"` // the file descriptor
	Holder     WaitHolder     `json:"holder"`     // what is known of the thread that can end the wait
	Thread     *int           `json:"thread"`     // that thread, as an index into Threads
	ThreadID   *uint32        `json:"thread_id"`  // its ID; that of "gone" is no thread of the dump
	Evidence   []WaitEvidence `json:"evidence"`
	Text       string         `json:"text"` // the same in words, which package render writes: "a mutex at 0x5000, held by thread 77"
}

// A WaitKind is what is waited for. Package waits has them all.
type WaitKind string

// The kinds that others ask for.
const (
	WaitJoin   WaitKind = "join"
	WaitPoll   WaitKind = "poll"
	WaitSleep  WaitKind = "sleep"
	WaitWorker WaitKind = "worker"
)

// A WaitHolder is what is known of the thread that can end a wait.
type WaitHolder string

// The states.
const (
	WaitHeld        WaitHolder = "held"         // Thread holds the lock
	WaitJoined      WaitHolder = "joined"       // Thread has to end
	WaitGone        WaitHolder = "gone"         // the lock names ThreadID, which is not in the dump
	WaitFree        WaitHolder = "free"         // nothing holds the lock any more: it was released after the wait began
	WaitReaders     WaitHolder = "readers"      // threads that read hold it: it does not say which
	WaitNotRecorded WaitHolder = "not_recorded" // this kind of lock does not say what holds it
	WaitNotCaptured WaitHolder = "not_captured" // the dump lacks the word
	WaitNotFound    WaitHolder = "not_found"    // where the lock lies is not known
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
	Meaning WaitMeaning `json:"meaning"` // what Value is
}

// A WaitMeaning is what an observed value is. Package waits has them all.
type WaitMeaning string

// Hang is what the waits of all threads add up to.
type Hang struct {
	Waiting int     `json:"waiting"` // threads whose wait is proved
	Threads int     `json:"threads"` // all of them
	Cycles  [][]int `json:"cycles"`  // threads that wait for each other, each as indexes into Threads in the order of who waits for whom
	Behind  []int   `json:"behind"`  // threads that wait for one of a cycle, directly or through others
}
