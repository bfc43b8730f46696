// Package managed reads what the runtimes of Java, .NET and Python print of an exception that nothing caught, and Python's faulthandler of a
// fault.
//
// Frames are names with source lines, and have no addresses. The stack of the exception that ended the program is the first thread, and those
// of exceptions that caused it are further stacks. A log has many exceptions that were caught: only those count of which the runtime says that
// nothing caught them, and one at the beginning of a file.
//
// Source: OpenJDK, java/lang/Throwable.java (printStackTrace); AOSP, com/android/internal/os/RuntimeInit.java (LoggingHandler); .NET,
// System/Exception.cs (ToString) and System/Diagnostics/StackTrace.cs; CPython, Lib/traceback.py and Python/traceback.c.
//
// Read this file first, then frames.go.
package managed

import (
	"bytes"
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

const kind = "exception of a runtime"

// heads are what the runtimes print before an exception. Python's heads are followed by the stack, and the exception comes last.
var heads = []string{
	"Exception in thread ", "FATAL EXCEPTION: ", "FATAL UNHANDLED EXCEPTION: ", "Unhandled exception. ", "Unhandled Exception: ", "Exception Info: ", "== Java Exception: ",
	terminated, fatal, overflow, traceback, fault, timeout, "Exception: ", "Error: ", "Error [ERR_",
}

const (
	traceback = "Traceback (most recent call last):"
	fault     = "Fatal Python error: "
	timeout   = "Timeout ("
	groupMark = "+ Exception Group " // before the traceback of a group

	// What .NET prints when a program ends itself, and of errors that it cannot throw: dotnet/runtime, src/coreclr/vm/eepolicy.cpp.
	terminated = "Process terminated. "
	fatal      = "Fatal error. "
	overflow   = "Stack overflow."
)

// weak is how many heads, at the end of the list, also occur in other lines.
const weak = 3

// Family reads exceptions.
var Family = text.Family{Kinds: []string{kind}, Marks: heads, Read: read}

type report struct {
	d      *text.Draft
	l      *text.Lines
	stacks []stack
	thread process.Thread
	python bool
	group  bool // lines of Python have a margin, and the first exception is that of the whole group
	inner  bool // exceptions of .NET are in others, and the last one ended the program
	kind   process.ProblemKind
	fault  string // what faulthandler says
	faulty int    // the stack that it is about
	late   bool   // it says that time is over
	script bool   // Node.js has empty lines in messages
}

// A stack is that of an exception, or of a thread.
type stack struct {
	what   string // the exception with its message
	thread process.Thread
	frames []text.Frame
	inner  bool // .NET prints the inner exception first
	beside bool // it caused nothing: Java suppressed it, or it caused one that Java suppressed, whose lines are indented
}

func read(l *text.Lines) []*process.Process {
	first := l.First()
	line, head, script := first, "", false
	for _, h := range heads[:len(heads)-weak] {
		if at := strings.Index(first, h); at >= 0 {
			head, first = h, first[at:]
			if level := strings.TrimSuffix(line[:at], "[ERROR] "); level != line[:at] { // Mono, whose other lines have no level
				at = len(level)
			}
			if start := strings.Index(line[:at], groupMark); start >= 0 {
				at = len(strings.TrimRight(line[:start], " "))
			}
			l.Begin(at)
			break
		}
	}
	if head == "" {
		if i := l.FindBefore(4, func(line []byte) bool { return bytes.HasSuffix(line, []byte("^")) }); i >= 0 { // Node.js shows the place
			script = true
			l.Keep(i)
		}
		if !script && (l.FindBefore(1, func([]byte) bool { return true }) == 0 || !isException(l, first)) {
			return nil
		}
		at := 0
		if script {
			at = strings.LastIndexByte(first[:l.Mark()], ' ') + 1
		}
		l.Begin(at)
		first = first[at:]
	}
	l.Next()
	r := &report{d: text.NewDraft(kind), l: l, kind: process.Uncaught, script: script, group: head == traceback && strings.Contains(line, groupMark)}
	r.begin(head, strings.TrimPrefix(first, head))
	for r.line() {
	}
	return r.finish()
}

// isException reports whether a line is the name of an exception, "java.lang.IllegalStateException: no", or the name alone. Names of Node.js have no
// package; a frame follows them.
func isException(l *text.Lines, s string) bool {
	name, _, _ := strings.Cut(s, ":")
	if !strings.Contains(name, ".") {
		l.Begin(0)
		l.Next()
		next, _ := l.Peek()
		l.Back()
		if call, ok := strings.CutPrefix(strings.TrimSpace(next), "at "); !ok {
			return false
		} else if _, script := scriptFrame(call); !script {
			return false
		}
	}
	return !strings.ContainsAny(name, " /\\\t") && (strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Error"))
}

func (r *report) begin(head, rest string) {
	switch head {
	case traceback:
		r.python = true
		r.push("")
	case fault, timeout:
		r.python, r.fault = true, rest
		if r.late = head == timeout; r.late {
			r.fault = head + rest
		}
	case "Exception in thread ": // "main" java.lang.RuntimeException: no
		name, what, _ := text.Between(rest, `"`, `" `)
		r.thread.Name = name
		r.push(what)
	case "FATAL EXCEPTION: ":
		r.thread.Name = rest
		r.d.System(process.Android, nil)
	case terminated, fatal:
		r.kind = process.Panic
		r.push(rest)
	case overflow:
		r.kind = process.StackExhausted
		r.push(overflow)
	default:
		r.push(rest)
	}
}

// push begins the stack of an exception. .NET Framework and Mono name the one that it wraps in the same line, and that has the next frames.
func (r *report) push(what string) {
	for {
		outer, wrapped, ok := strings.Cut(what, " ---> ")
		name, _, _ := strings.Cut(wrapped, ":")
		if !ok || !strings.Contains(name, ".") || strings.Contains(name, " ") || len(r.stacks) >= maxStacks {
			break
		}
		r.stacks = append(r.stacks, stack{what: outer, thread: r.thread, inner: true})
		r.inner, what = true, wrapped
	}
	r.stacks = append(r.stacks, stack{what: what, thread: r.thread})
}

// last is the stack that is being read, nil before the first one.
func (r *report) last() *stack {
	if len(r.stacks) == 0 {
		return nil
	}
	return &r.stacks[len(r.stacks)-1]
}

const (
	maxStacks = 1 << 10
	maxText   = 1 << 12 // bytes of a message
)

// line reads a line, and reports whether the report goes on.
func (r *report) line() bool {
	line, ok := r.l.Next()
	if !ok || len(r.stacks) >= maxStacks {
		return false
	}
	s := strings.TrimSpace(line)
	if r.python {
		return r.pythonLine(line, s)
	}
	last := r.last()
	f, isFrame := frameOf(s)
	cause, isCause := strings.CutPrefix(s, "Caused by: ")
	also, suppressed := strings.CutPrefix(s, "Suppressed: ")
	if suppressed {
		cause, isCause = also, true
	}
	if inner, script := strings.CutPrefix(s, "[cause]: "); script { // Node.js
		cause, isCause = inner, true
	}
	inner, isInner := strings.CutPrefix(s, "---> ")
	switch {
	case isFrame && last != nil:
		last.frames = append(last.frames, f)
	case strings.HasPrefix(s, "Process: "):
		name, pid, _ := strings.Cut(strings.TrimPrefix(s, "Process: "), ", PID: ")
		r.d.Annotate("process", name)
		if n, _, ok := text.Decimal(pid); ok {
			r.d.PID(n)
		}
	case last == nil:
		r.push(s)
	case isCause, isInner:
		beside := last.beside
		last.inner, r.inner = isInner, r.inner || isInner
		if isInner {
			cause = inner
		}
		r.push(cause)
		r.last().beside = suppressed || beside && line != s
	case strings.HasPrefix(s, "--- End of inner exception stack trace ---") && len(r.stacks) > 1:
		r.outer()
	case strings.HasPrefix(s, "--- End of stack trace from previous"), strings.HasPrefix(s, "... "), strings.HasPrefix(s, "["),
		r.kind == process.StackExhausted && (strings.HasPrefix(s, "Repeat ") || s != "" && strings.Trim(s, "-") == ""):
	case len(last.frames) == 0 && (s != "" || r.script || r.goesOn()) && len(last.what) < maxText:
		last.what = strings.TrimSuffix(last.what, " ") + " " + s
	default:
		r.l.Back()
		return false
	}
	return true
}

// maxAhead bounds the lines behind an empty one in a message.
const maxAhead = 8

// goesOn reports whether a message goes on behind an empty line: then frames follow.
func (r *report) goesOn() bool {
	return r.l.Ahead(maxAhead, func(line string) bool {
		_, ok := frameOf(strings.TrimSpace(line))
		return ok
	})
}

// outer goes on with the frames of the exception around the last one.
func (r *report) outer() {
	for i := len(r.stacks) - 2; i >= 0; i-- {
		if s := r.stacks[i]; s.inner {
			s.inner = false
			r.stacks = append(append(r.stacks[:i:i], r.stacks[i+1:]...), s)
			return
		}
	}
}

// finish makes the process: the exception that ended the program, then the others.
func (r *report) finish() []*process.Process {
	subject := r.faulty
	for i := range r.stacks {
		if s := &r.stacks[i]; r.fault == "" && (r.python && !r.group || r.inner) && len(s.frames) > 0 {
			subject = i
		}
	}
	frames := 0
	for i := range r.stacks {
		s := &r.stacks[(subject+i)%len(r.stacks)]
		if i > 0 && r.fault == "" {
			if s.thread = (process.Thread{Name: s.what, Role: process.Exception}); s.beside {
				s.thread.Role = process.OfThread
			}
		}
		r.d.Thread(s.thread)
		for _, f := range s.frames {
			r.d.Frame(f)
			frames++
		}
	}
	if frames == 0 || r.stacks[subject].what == "" && r.fault == "" {
		return nil
	}
	r.d.Process.Subject = 0
	r.d.Process.Problem = &process.Problem{Kind: r.kind, Text: r.stacks[subject].what}
	if r.fault != "" {
		r.d.Process.Problem = &process.Problem{Kind: process.Panic, Text: r.fault}
		if r.late {
			r.d.Process.Problem.Kind = process.Hang
		}
	}
	return []*process.Process{r.d.Finish()}
}
