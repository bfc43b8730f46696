// Package golang reads what the runtime of Go prints when a program ends: the panic or the fatal error, and the stacks
// of goroutines.
//
// Each goroutine is a thread. Its frames are names with source lines, and rarely addresses. The first goroutine ended
// the program, unless all were asleep. The operating system is not printed, and so the signal is part of the message only.
//
// Source: Go, src/runtime/traceback.go (traceback, goroutineheader, printAncestorTraceback) and src/runtime/panic.go
// (printpanics, fatalthrow).
package golang

import (
	"slices"
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

const kind = "Go traceback"

// Family reads tracebacks.
var Family = text.Family{Kinds: []string{kind}, Marks: append([]string{"panic: ", "fatal error: ", "goroutine ", raceMark}, signals...), Read: read}

// signals are the first lines of programs that a signal ended: one that C raised, that another process sent, or that struck the runtime. "PC=0x4a0725 m=0 sigcode=1
// addr=0x0" follows, and "signal arrived during cgo execution". Source: Go, src/runtime/sigtab_linux_generic.go and src/runtime/signal_unix.go (sighandler).
var signals = []string{
	"SIGQUIT: quit", "SIGABRT: abort", "SIGSEGV: segmentation violation", "SIGBUS: bus error", "SIGFPE: floating-point exception", "SIGILL: illegal instruction",
	"SIGTRAP: trace trap", "SIGSYS: bad system call",
}

type report struct {
	d       *text.Draft
	l       *text.Lines
	message []string
	kind    process.ProblemKind
	call    string // the line of a function, whose source line follows
	open    bool   // the last goroutine has frames to come
	skip    bool   // the frames are those of no goroutine
}

func read(l *text.Lines) []*process.Process {
	r := &report{d: text.NewDraft(kind), l: l, kind: process.Panic}
	if strings.HasSuffix(l.First(), raceMark) {
		return r.race()
	}
	if first := l.First()[l.Mark():]; strings.HasPrefix(first, "goroutine ") {
		if _, _, header := goroutine(first); !header { // "created by main.main in goroutine 1"
			return nil
		}
	}
	if slices.ContainsFunc(signals[2:], func(s string) bool { return strings.HasPrefix(l.First()[l.Mark():], s+" ") }) {
		return nil // "[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x4b6780]", whose panic is not there
	}
	for r.line() {
	}
	if len(r.d.Process.Threads) == 0 || len(r.d.Process.Threads[0].Frames) == 0 {
		return nil
	}
	r.d.Process.Subject = 0
	if len(r.message) == 0 {
		r.unsaid()
	}
	r.d.Process.Problem = &process.Problem{Kind: r.kind, Text: strings.Join(r.message, " ")}
	return []*process.Process{r.d.Finish()}
}

// unsaid finds the cause of a stack without a message before it: the package net/http recovers from panics, and debug.PrintStack is called
// without one.
func (r *report) unsaid() {
	frames := r.d.Process.Threads[0].Frames
	for _, before := range r.l.Before(1) {
		if _, said, ok := strings.Cut(before, "http: panic serving "); ok {
			_, said, _ = strings.Cut(said, ": ")
			r.message = []string{said}
			r.l.Keep(0)
		}
	}
	called := func(name string) bool {
		return slices.ContainsFunc(frames, func(f process.Frame) bool { return f.Stated.Function == name })
	}
	if (called("runtime/debug.Stack") || called("runtime/pprof.writeGoroutineStacks")) && !called("panic") {
		r.kind, r.d.Process.Subject = process.Printed, -1
	}
}

const raceMark = "WARNING: DATA RACE"

// race reads a report of the race detector: "Read at 0x00c000094028 by goroutine 8:" and "Previous write at …", each with a stack, and where the
// goroutines were created. Source: Go, src/runtime/race and LLVM, compiler-rt/lib/tsan/rtl/tsan_report.cpp (its part for Go).
func (r *report) race() []*process.Process {
	problem := &process.Problem{Kind: process.DataRace}
	r.l.Begin(len(r.l.First()) - len(raceMark))
	r.l.Next()
	for {
		line, ok := r.l.Next()
		s := strings.TrimSpace(line)
		if !ok || strings.HasPrefix(s, "=====") {
			break
		}
		switch {
		case s == "":
			r.call = ""
		case strings.HasSuffix(s, ":"):
			t := process.Thread{Name: strings.TrimSuffix(s, ":")}
			_, number, _ := text.CutLast(strings.ToLower(t.Name), "goroutine ")
			id, _, _ := text.Decimal(number)
			switch t.ID = uint32(id); {
			case len(r.d.Process.Threads) == 0:
				t.Name = ""
				if problem.Access = process.Read; strings.Contains(strings.ToLower(s), "write at ") {
					problem.Access = process.Write
				}
			case strings.HasPrefix(s, "Previous "):
				t.Role = process.Previous
			case strings.HasSuffix(s, "created at:"):
				t.Role = process.Created
			}
			r.d.Thread(t)
		case r.call != "":
			r.source(s)
		case len(r.d.Process.Threads) > 0:
			r.call = s
		}
	}
	p := &r.d.Process
	if len(p.Threads) == 0 || len(p.Threads[0].Frames) == 0 {
		return nil
	}
	p.Subject, p.Problem = 0, problem
	return []*process.Process{r.d.Finish()}
}

// maxMessage bounds the lines before the first goroutine.
const maxMessage = 64

// line reads a line, and reports whether the traceback goes on.
func (r *report) line() bool {
	line, ok := r.l.Next()
	if !ok {
		return false
	}
	trimmed := strings.TrimSpace(line)
	id, state, header := goroutine(line)
	switch {
	case header:
		r.open, r.skip, r.call = true, false, ""
		r.d.Thread(process.Thread{ID: uint32(id), Name: "goroutine [" + state + "]"})
	case len(r.d.Process.Threads) == 0:
		return r.head(trimmed)
	case trimmed == "":
		r.open, r.call = false, ""
	case r.call != "" && (line[0] == '\t' || line[0] == ' '):
		r.source(trimmed)
	case trimmed == "runtime stack:" || strings.HasPrefix(trimmed, "rax ") || strings.HasPrefix(trimmed, "r0 "):
		r.open, r.skip = true, true
	case strings.HasPrefix(trimmed, "..."):
		r.d.Note(r.l, "frames are left out here")
	case r.open && (strings.HasSuffix(trimmed, ")") || strings.HasPrefix(trimmed, "created by ")):
		r.call = trimmed
	case r.skip, strings.HasPrefix(trimmed, "goroutine running on other thread"):
	default:
		r.l.Back()
		return false
	}
	return true
}

// goroutine reads "goroutine 17 [sync.Mutex.Lock, 2 minutes]:", also with "gp=… m=… mp=…" in front of the state.
func goroutine(line string) (id uint64, state string, ok bool) {
	rest, ok := strings.CutPrefix(line, "goroutine ")
	if !ok {
		return 0, "", false
	}
	id, rest, ok = text.Decimal(rest)
	_, state, open := strings.Cut(rest, " [")
	state, _, closed := strings.Cut(state, "]:")
	return id, state, ok && open && closed
}

// head reads a line before the first goroutine: the message, which may have several lines, and the signal.
func (r *report) head(line string) bool {
	if len(r.message) == maxMessage {
		return false
	}
	message, fatal := strings.CutPrefix(line, "fatal error: ")
	switch {
	case !fatal:
	case strings.HasSuffix(message, " - deadlock!"):
		r.kind = process.Deadlock
	case message == "stack overflow":
		r.kind = process.StackExhausted
	case strings.HasSuffix(message, "out of memory"), strings.HasPrefix(message, "out of memory"):
		r.kind = process.OutOfMemory
	}
	if message = strings.TrimPrefix(message, "panic: "); message != "" && message != "runtime stack:" && !r.skip {
		r.message = append(r.message, message)
	}
	r.skip = r.skip || line == "runtime stack:"
	return true
}

// source reads the second line of a frame: "example.com/maps/main.go:19 +0x85 fp=0x… sp=0x… pc=0x…".
func (r *report) source(line string) {
	call := r.call
	r.call = ""
	if r.skip || strings.HasPrefix(call, "created by ") {
		return
	}
	open := strings.LastIndexByte(call, '(')
	if open <= 0 || !strings.Contains(line, ":") { // it is truncated
		return
	}
	place, rest, _ := strings.Cut(line, " +0x")
	place, _, _ = strings.Cut(place, " fp=0x") // there is no offset at a function's entry
	file, number := text.Source(place)
	f := text.Frame{Names: process.Names{Function: call[:open], File: file, Line: number}}
	f.Inlined = call[open:] == "(...)" && !strings.Contains(line, " +0x")
	f.Names.Offset, _, _ = text.Hex(rest)
	if _, pc, ok := strings.Cut(line, " pc=0x"); ok {
		frames := r.d.Process.Threads[len(r.d.Process.Threads)-1].Frames
		f.Address, _, _ = text.Hex(pc)
		f.Return = len(frames) > 0 && frames[len(frames)-1].Stated.Function != "runtime.sigpanic"
	}
	r.d.Frame(f)
}
