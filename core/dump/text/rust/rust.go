// Package rust reads what programs of Rust print when they panic: the message, its place, and the stack if
// RUST_BACKTRACE is set.
//
// Frames are names with source lines and, in the full form, return addresses, of which nobody says what module they are in.
// Frames of one address are calls that were inlined into the last of them.
//
// Source: Rust, library/std/src/panicking.rs (default_hook) and library/std/src/sys/backtrace.rs; backtrace-rs, src/print.rs.
package rust

import (
	"slices"
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

const kind = "Rust panic"

// Family reads panics.
var Family = text.Family{Kinds: []string{kind}, Marks: []string{"thread '", "thread <unnamed> ", outOfMemory, "tack backtrace:", unheaded, crashed, "Error:"}, Read: read}

const (
	panicked    = " panicked at "
	outOfMemory = "memory allocation of "
	unheaded    = "  0: " // the first frame of a stack whose heading is lost
)

type report struct {
	d       *text.Draft
	l       *text.Lines
	who     string // the thread, as it is named before the message
	place   string
	message []string
	pending *text.Frame  // the last frame, whose source line may follow
	errs    []text.Frame // the stack that the error in the message keeps
	inError bool         // the lines are those of that stack
	stack   bool         // the lines are those of the stack
	quote   bool         // the message is in quotes, and goes on
}

func read(l *text.Lines) []*process.Process {
	switch rest := strings.TrimSpace(l.First()[l.Mark():]); {
	case strings.HasPrefix(rest, crashed), rest == "Error:":
		return readColored(l)
	case strings.HasPrefix(rest, "Error:"):
		return nil
	}
	first, _ := l.Next()
	who, said, ok := strings.Cut(first, panicked)
	if !ok {
		return other(l, first)
	}
	r := &report{d: text.NewDraft(kind), l: l, who: who}
	r.begin(who)
	r.said(said)
	for r.line() {
	}
	r.end()
	p := &r.d.Process
	p.Subject = 0
	p.Problem = &process.Problem{Kind: process.Panic, Text: strings.Join(r.message, " ")}
	r.d.Annotate("panicked at", r.place)
	for r.again() {
	}
	r.addError()
	return []*process.Process{r.d.Finish()}
}

// end ends the stack of a panic: one without frames has the place.
func (r *report) end() {
	r.flush(false)
	if t := r.d.Process.Threads; len(t[len(t)-1].Frames) == 0 {
		file, line := text.Source(r.place)
		r.d.Frame(text.Frame{Names: process.Names{File: file, Line: line}})
	}
}

// addError adds the stack that an error kept, behind those of panics.
func (r *report) addError() {
	if len(r.errs) > 0 {
		r.d.Thread(process.Thread{Name: "error", Role: process.Exception})
		for _, f := range r.errs {
			r.d.Frame(f)
		}
	}
}

// doubles are the beginnings of lines behind a panic in another one: in a destructor, or where no panic may leave a function.
var doubles = []string{
	"panic in a destructor during cleanup", "panic in a function that cannot unwind", "thread caused non-unwinding panic", "thread panicked while ",
}

// maxDouble bounds the lines that are searched for one of them.
const maxDouble = 1 << 9

func isDouble(line string) bool {
	return slices.ContainsFunc(doubles, func(s string) bool { return strings.HasPrefix(line, s) })
}

// isDoubled reports whether such a line follows, before a panic that is not the one in which core reports it.
func (r *report) isDoubled() (is bool) {
	r.l.Ahead(maxDouble, func(line string) bool {
		is = isDouble(line)
		return is || strings.Contains(line, panicked) && !strings.Contains(line, "panicking.rs:")
	})
	return is
}

// again reads a panic of the same thread at another place while the thread panics. The first one is the cause, and the program ends. A thread that
// caught its first panic may have another one later.
func (r *report) again() bool {
	for {
		line, ok := r.l.Next()
		who, said, panics := strings.Cut(line, panicked)
		if !ok || line != "" && (!panics || who != r.who || strings.TrimSuffix(said, ":") == r.place || !r.isDoubled()) {
			r.l.Back()
			return false
		}
		if line != "" {
			r.place, r.message, r.stack = "", nil, false
			r.begin(who)
			r.said(said)
			break
		}
	}
	for r.line() {
	}
	r.end()
	t := r.d.Process.Threads
	t[len(t)-1].Name = strings.Join(r.message, " ")
	return true
}

// other reads a stack without a panic: of an error that keeps one, as anyhow does, and behind "memory allocation of 99 bytes failed".
func other(l *text.Lines, first string) []*process.Process {
	size, failed := strings.CutSuffix(strings.TrimPrefix(first, outOfMemory), " failed")
	alone := strings.HasPrefix(strings.TrimLeft(first, " "), unheaded[2:])
	if alone {
		if next, _ := l.Peek(); !strings.HasPrefix(strings.TrimSpace(next), "at ") && !strings.HasPrefix(strings.TrimSpace(next), "1: ") {
			return nil
		}
	} else if !failed && !strings.HasSuffix(first, "tack backtrace:") {
		return nil
	}
	r := &report{d: text.NewDraft(kind), l: l, stack: !failed}
	if r.d.Thread(process.Thread{}); alone {
		r.call(strings.TrimSpace(first))
	}
	for r.line() {
	}
	r.flush(false)
	p := &r.d.Process
	if len(p.Threads[0].Frames) < least || alone && !slices.ContainsFunc(p.Threads[0].Frames, func(f process.Frame) bool { return f.Stated.Line > 0 }) {
		return nil
	}
	if p.Problem = (&process.Problem{Kind: process.Printed, Text: errorBefore(l)}); failed {
		p.Problem, p.Subject = &process.Problem{Kind: process.OutOfMemory, Text: outOfMemory + size + " failed"}, 0
	}
	return []*process.Process{r.d.Finish()}
}

// errorBefore returns the message of the error whose stack begins, as anyhow prints it: "Error: reading config", and "Caused by:".
func errorBefore(l *text.Lines) string {
	for i, line := range l.Before(maxBefore) {
		if _, said, ok := strings.Cut(line, "Error: "); ok {
			l.Keep(i)
			return strings.TrimSpace(said)
		}
	}
	return ""
}

// maxBefore bounds the lines of such a message.
const maxBefore = 16

// least is the number of frames that make a stack without a panic.
const least = 2

// begin begins the thread: "thread 'main' (31158)".
func (r *report) begin(who string) {
	name, after, _ := text.CutLast(who, "'")
	_, name, _ = strings.Cut(name, "'")
	_, id, _ := strings.Cut(after, "(")
	tid, _, _ := text.Decimal(id)
	r.d.Thread(process.Thread{ID: uint32(tid), Name: name})
}

// said reads what follows "panicked at": the place, and the message on the next lines; or both in one line, the message first, before
// Rust 1.73.
func (r *report) said(s string) {
	if message, quoted := strings.CutPrefix(s, "'"); quoted {
		r.quoted(message)
		return
	}
	r.place = strings.TrimSuffix(s, ":")
}

// quoted reads a line of a message in quotes, the last one of which has the place behind it.
func (r *report) quoted(s string) {
	message, place, ok := text.CutLast(s, "', ")
	_, line := text.Source(place)
	if r.quote = !ok || line == 0; r.quote {
		message, place = s, ""
	}
	r.message, r.place = append(r.message, message), place
}

const maxMessage = 64

// line reads a line, and reports whether the report goes on.
func (r *report) line() bool {
	line, ok := r.l.Next()
	if !ok {
		return false
	}
	s := strings.TrimSpace(line)
	switch {
	case r.quote && len(r.message) < maxMessage:
		r.quoted(s)
	case s == "stack backtrace:", s == "Stack backtrace:" && !r.stack:
		r.flush(false)
		r.stack, r.inError = true, s[0] == 'S'
	case s == "" && (r.inError || !r.stack) && r.goesOn():
	case strings.HasPrefix(s, "note: "):
		return false
	case r.stack:
		return r.call(s)
	case s == "" || strings.HasPrefix(s, "==") || strings.Contains(s, panicked) || len(r.message) == maxMessage:
		r.l.Back()
		return false
	default:
		r.message = append(r.message, s)
	}
	return true
}

// maxAhead bounds the lines behind an empty one in a message.
const maxAhead = 32

// goesOn reports whether the message goes on behind an empty line: then the stack follows, or the sentence that there is none.
func (r *report) goesOn() (is bool) {
	r.l.Ahead(maxAhead, func(line string) bool {
		s := strings.TrimSpace(line)
		is = s == "stack backtrace:" || s == "Stack backtrace:" || strings.HasPrefix(s, "note: run with `RUST_BACKTRACE=")
		return is || strings.Contains(s, panicked)
	})
	return is
}

// call reads a line of the stack: "6: ferry::Dock::slot", "6:  0x55cc941feeea - ferry::Dock::slot", or "at ./ferry.rs:4:75".
func (r *report) call(s string) bool {
	if s == "at" {
		s = r.continued(s)
	}
	if place, ok := strings.CutPrefix(s, "at "); ok && r.pending != nil {
		r.pending.Names.File, r.pending.Names.Line = text.Source(place)
		return true
	}
	_, rest, ok := text.Decimal(s)
	name, numbered := strings.CutPrefix(rest, ":")
	if !ok || !numbered {
		if r.pending != nil && isOpen(r.pending.Names.Function) {
			r.pending.Names.Function += " " + withoutHashes(s)
			return true
		}
		r.l.Back()
		return false
	}
	f := &text.Frame{Return: true}
	name = strings.TrimSpace(name)
	if strings.HasPrefix(name, "0x") && strings.HasSuffix(name, " -") {
		name = r.continued(name)
	}
	if at, after, found := strings.Cut(name, " - "); found && strings.HasPrefix(at, "0x") {
		f.Address, _, _ = text.Hex(at)
		name = after
	}
	if name != "<unknown>" {
		f.Names.Function = withoutHashes(name)
	}
	r.flush(r.pending != nil && f.Address != 0 && r.pending.Address == f.Address)
	r.pending = f
	return true
}

// continued joins the rest of a line that a mail program wrapped.
func (r *report) continued(s string) string {
	line, _ := r.l.Next()
	return s + " " + strings.TrimSpace(line)
}

// longest bounds the length of a name that further lines are joined to.
const longest = 4 << 10

// isOpen reports whether a name has brackets that are not closed, because its line was wrapped.
func isOpen(name string) bool {
	open := 0
	for i := range len(name) {
		switch {
		case name[i] == '<':
			open++
		case name[i] == '>' && i > 0 && name[i-1] != '-' && name[i-1] != '=':
			open--
		}
	}
	return open > 0 && len(name) < longest
}

func (r *report) flush(inlined bool) {
	if f := r.pending; f != nil && (f.Address != 0 || f.Names.Function != "") {
		if f.Inlined, f.Return = inlined, f.Address != 0; r.inError {
			r.errs = append(r.errs, *f)
		} else {
			r.d.Frame(*f)
		}
	}
	r.pending = nil
}

// hashSize is the number of digits of a crate's hash in a name of the newer scheme: "std[e28293b1aa0f68bd]::rt".
const hashSize = 16

// withoutHashes returns a name without the hashes of crates, and without that of the older scheme at its end: "quay::slot::h30e9dccc7afc43cd".
func withoutHashes(name string) string {
	if before, hash, ok := text.CutLast(name, "::h"); ok && len(hash) == hashSize {
		if _, hex := text.IsHex(hash); hex {
			name = before
		}
	}
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(name, "[")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		if _, hex := text.IsHex(rest[:min(hashSize, len(rest))]); hex && strings.HasPrefix(rest[min(hashSize, len(rest)):], "]") {
			name = rest[hashSize+1:]
			continue
		}
		out.WriteString("[")
		name = rest
	}
}
