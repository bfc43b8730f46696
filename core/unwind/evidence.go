package unwind

import "fmt"

// MaxEvidence bounds the evidence of one walk, in bytes of text and reads.
const MaxEvidence = 1 << 20

// A Step is one method that was tried.
type Step struct {
	Method string
	Result string // "accepted", "refused", "none"
	Text   []string
	Reads  []Read
}

// A Read is one word of memory that a step looked at.
type Read struct{ Address, Value uint64 }

// evidence records what a walk does, when it is asked to. Switched off it
// costs a test of one bool, and callers format nothing for it.
type evidence struct {
	on    bool
	steps int // counted even when off
	reads int
	size  int
	done  []Step
	now   Step
}

// begin starts a step; the one before it has failed.
func (e *evidence) begin(method string) {
	if !e.on {
		return
	}
	e.flush("none")
	e.now = Step{Method: method}
}

func (e *evidence) flush(result string) {
	if e.now.Method == "" {
		return
	}
	silent := e.now.Result == "" && len(e.now.Text)+len(e.now.Reads) == 0
	if e.now.Result == "" {
		e.now.Result = result
	}
	// A method that does not apply has nothing to say, and is left out.
	if e.size < MaxEvidence && !silent {
		e.done = append(e.done, e.now)
	}
	e.now = Step{}
}

// say adds a line to the step. It takes numbers, and tell strings, because
// arguments of type any would be allocated for each call, asked for or not.
func (e *evidence) say(format string, numbers ...uint64) {
	if e.on {
		e.line(format, anys(numbers))
	}
}

// tell is say for strings.
func (e *evidence) tell(format string, texts ...string) {
	if e.on {
		e.line(format, anys(texts))
	}
}

func anys[T any](values []T) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}

func (e *evidence) line(format string, args []any) {
	if e.size >= MaxEvidence {
		return
	}
	line := fmt.Sprintf(format, args...)
	e.size += len(line)
	e.now.Text = append(e.now.Text, line)
}

// refuse says why a result was not good enough.
func (e *evidence) refuse(format string, numbers ...uint64) {
	if e.on {
		e.now.Result = "refused"
		e.say(format, numbers...)
	}
}

func (e *evidence) accept(format string, numbers ...uint64) {
	if e.on {
		e.now.Result = "accepted"
		e.say(format, numbers...)
	}
}

// read adds a word of memory to the step.
func (e *evidence) read(addr, value uint64) {
	if e.on && e.size < MaxEvidence {
		e.size += 16
		e.now.Reads = append(e.now.Reads, Read{addr, value})
	}
}

// take returns the steps since the last frame.
func (e *evidence) take() []Step {
	if !e.on {
		return nil
	}
	e.flush("none")
	steps := e.done
	e.done = nil
	return steps
}
