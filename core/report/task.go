package report

// A Task is a stack that a language's runtime runs on threads: a goroutine, or the calls of Python or JavaScript on one thread. Its frames are those of a
// traceback, where inlined calls are frames of their own.
type Task struct {
	Kind      TaskKind  `json:"kind"`
	ID        uint64    `json:"id"`                   // the runtime's number
	State     TaskState `json:"state"`                // in the runtime's words: "chan receive"
	Thread    *int      `json:"thread"`               // that runs it, as an index into Threads
	Frames    []Frame   `json:"frames"`               // innermost first
	End       End       `json:"end"`                  // whether the stack is complete
	Waits     *TaskWait `json:"waits"`                // what it waits for; null if that is not known
	Creator   *string   `json:"created_by,omitempty"` // the function that started it
	CreatorID *uint64   `json:"created_in,omitempty"` // the task that did
	Locked    bool      `json:"locked,omitempty"`     // it runs on one thread only

	Exception *TaskException `json:"exception,omitempty"` // that is raised in it, or that it handles
	Deferred  []string       `json:"deferred,omitempty"`  // the functions that run when its calls end, the next one first
	Labels    []TaskLabel    `json:"labels,omitempty"`    // that the program has set
}

// A TaskLabel is a name and a value.
type TaskLabel struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A TaskKind is the kind of a task.
type TaskKind string

// The kinds.
const (
	Goroutine    TaskKind = "goroutine"
	PythonThread TaskKind = "python_thread"
	ScriptThread TaskKind = "javascript_thread"
)

// A TaskState is what a task does, in the words of the runtime's tracebacks.
type TaskState string

// A FrameKind is the language whose runtime made a frame, "" for native ones.
type FrameKind string

// The kinds.
const (
	GoFrame     FrameKind = "go"
	PythonFrame FrameKind = "python"
	ScriptFrame FrameKind = "javascript"
)

// languages are the names of the languages whose calls are merged into stacks.
var languages = [...]struct {
	kind FrameKind
	name string
}{{PythonFrame, "Python"}, {ScriptFrame, "JavaScript"}}

// Language is the name of the language of a call that a runtime runs, "" for other frames.
func (k FrameKind) Language() string {
	for _, l := range languages {
		if l.kind == k {
			return l.name
		}
	}
	return ""
}

// OnThread reports whether tasks are the calls on a thread, and no stacks of their own.
func (k TaskKind) OnThread() bool { return k == PythonThread || k == ScriptThread }

// A TaskException is an exception of the task's language.
type TaskException struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Handled bool   `json:"handled"` // a handler runs, and no other exception is raised
}

// A TaskWait is what a task waits for.
type TaskWait struct {
	Channels []Channel `json:"channels"` // one, or those of a select
}

// A Channel is a channel of Go that a goroutine waits for.
type Channel struct {
	Address  Address `json:"address"`
	Sends    bool    `json:"sends"`    // it waits to send
	Buffered uint64  `json:"buffered"` // values in the buffer
	Size     uint64  `json:"size"`     // of the buffer, in values
}
