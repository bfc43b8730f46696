package unwind

import "fmt"

// MaxEvidence bounds the evidence of one walk, in bytes of text and reads.
const MaxEvidence = 1 << 20

// A Step is one method that was tried.
type Step struct {
	Method Method
	Result Result
	Text   []string
	Reads  []Read
}

// evidence records the steps of a walk on request. Without a request it costs one comparison, and
// callers format nothing for it.
type evidence struct {
	on    bool
	open  bool // a step has begun
	trial bool // reads are recorded, lines are not
	steps int  // counted even when off
	reads int
	size  int
	done  []Step
	now   Step
}

// begin starts a step; the one before it has failed.
func (e *evidence) begin(method Method) {
	e.steps++
	if !e.on {
		return
	}
	e.flush()
	e.now, e.open = Step{Method: method}, true
}

// flush ends the step. A method without lines did not apply, and is left out.
func (e *evidence) flush() {
	silent := e.now.Result == Nothing && len(e.now.Text)+len(e.now.Reads) == 0
	if e.open && e.size < MaxEvidence && !silent {
		e.done = append(e.done, e.now)
	}
	e.now, e.open = Step{}, false
}

// listens reports whether lines are recorded. Callers check this before they format an expression, which
// may be long and apply to every frame of a recursion.
func (e *evidence) listens() bool { return e.on && e.size < MaxEvidence && !e.trial }

// say adds a line with numbers to the step, and sayText one with strings: arguments of type any would
// be allocated for each call, even without a request.
func (e *evidence) say(format string, numbers ...uint64) {
	if e.on {
		e.line(format, anys(numbers))
	}
}

// sayText is say for strings.
func (e *evidence) sayText(format string, texts ...string) {
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
	if !e.listens() {
		return
	}
	line := fmt.Sprintf(format, args...)
	e.size += len(line)
	e.now.Text = append(e.now.Text, line)
}

// refuse records why a result was not plausible.
func (e *evidence) refuse(format string, numbers ...uint64) {
	if e.on && !e.trial {
		e.now.Result = Refused
		e.say(format, numbers...)
	}
}

// ends records that the step found the end of the stack, or why there can be no caller.
func (e *evidence) ends() {
	if e.on && e.now.Result == Nothing {
		e.now.Result = Accepted
	}
}

func (e *evidence) accept(format string, numbers ...uint64) {
	if e.on {
		e.now.Result = Accepted
		e.say(format, numbers...)
	}
}

// read adds a word of memory to the step. A decision and its execution read the same words, so each
// is listed once, with its most important use.
func (e *evidence) read(r Read) {
	if !e.on || e.size >= MaxEvidence {
		return
	}
	for i := range e.now.Reads {
		if have := &e.now.Reads[i]; have.Address == r.Address && have.Size == r.Size {
			have.Use = min(have.Use, r.Use)
			return
		}
	}
	e.size += 16
	e.now.Reads = append(e.now.Reads, r)
}

// take returns the steps since the last frame.
func (e *evidence) take() []Step {
	if !e.on {
		return nil
	}
	e.flush()
	steps := e.done
	e.done = nil
	return steps
}
