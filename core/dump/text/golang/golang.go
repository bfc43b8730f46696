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
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

const kind = "Go traceback"

// Family reads tracebacks.
var Family = text.Family{Kinds: []string{kind}, Marks: []string{"panic: ", "fatal error: ", "SIGQUIT: quit", "SIGABRT: abort", "goroutine "}, Read: read}

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
	for r.line() {
	}
	if len(r.d.Process.Threads) == 0 || len(r.d.Process.Threads[0].Frames) == 0 {
		return nil
	}
	r.d.Process.Subject = 0
	r.d.Process.Problem = &process.Problem{Kind: r.kind, Text: strings.Join(r.message, " ")}
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
	case r.skip:
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
	if fatal && strings.HasPrefix(message, "all goroutines are asleep") {
		r.kind = process.Deadlock
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
	if open <= 0 {
		return
	}
	place, rest, _ := strings.Cut(line, " +0x")
	file, number := text.Source(place)
	f := text.Frame{Names: process.Names{Function: call[:open], File: file, Line: number}}
	f.Inlined = call[open:] == "(...)" && !strings.Contains(line, " +0x")
	f.Names.Offset, _, _ = text.Hex(rest)
	if _, pc, ok := strings.Cut(rest, " pc=0x"); ok {
		t := &r.d.Process.Threads[len(r.d.Process.Threads)-1]
		f.Address, _, _ = text.Hex(pc)
		f.Return = len(t.Frames) > 0
	}
	r.d.Frame(f)
}
