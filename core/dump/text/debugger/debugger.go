// Package debugger reads the stacks that GDB and LLDB print, and the reports of Ubuntu's Apport, which have GDB's.
//
// The innermost address of a stack and the one that a signal interrupted are exact, and the others are return addresses. A frame without an address is
// inlined into the next one that has one.
//
// Source: GDB, gdb/stack.c (print_frame, print_frame_info) and gdb/infrun.c (print_signal_received_reason); LLDB, lldb/source/Core/FormatEntity.cpp and
// source/Core/CoreProperties.td (frame-format, thread-format); Apport, problem_report.py (write) and apport/report.py (add_proc_info, add_gdb_info).
//
// Read this file first, then frames.go, and apport.go.
package debugger

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

const (
	kind       = "debugger's stack"
	apportKind = "Apport report"
)

// Family reads stacks and reports.
var Family = text.Family{
	Kinds: []string{kind, apportKind}, Marks: []string{problemType, "#0  ", "(LWP ", "[KCrash Handler]", "frame #0: 0x", "stop reason = "}, Read: read,
}

type report struct {
	d       *text.Draft
	event   *process.Event
	stack   []text.Frame // of the last thread
	thread  process.Thread
	subject bool   // the last thread is that of the crash
	begun   bool   // it was named
	line    string // the last frame
	open    bool   // it goes on in the next line
	regs    cpu.Regs
	maps    []string
	arch    *cpu.Arch
	skip    bool // the section of Apport repeats what another one has
}

func read(l *text.Lines) []*process.Process {
	first := l.First()
	switch at := l.Mark(); first[at] {
	case problemType[0]:
		return readApport(l)
	case '(': // "Thread 2 (Thread 0x7f8d3 (LWP 1234)):"
		l.Begin(max(strings.Index(first[:at], "Thread "), 0))
	case 'f', 's': // LLDB marks the thread and the frame that it shows
		if star := strings.LastIndexByte(first[:at], '*'); star >= 0 {
			at = star
		}
		l.Begin(len(strings.TrimRight(first[:at], " ")))
	}
	r := &report{d: text.NewDraft(kind)}
	for blank := 0; blank < 3; {
		raw, ok := l.Next()
		if !ok {
			break
		}
		line := strings.TrimSpace(raw)
		if line == "" {
			blank++
			continue
		}
		inStack := len(r.stack) > 0 && (strings.HasPrefix(raw, "    ") || raw[0] == '\t') // values of variables, on lines of any kind
		if blank = 0; !r.read(line) && !inStack {
			l.Back()
			break
		}
	}
	r.flush()
	frames := 0
	for _, t := range r.d.Process.Threads {
		frames += len(t.Frames)
	}
	if frames < 2 {
		return nil
	}
	if r.event == nil {
		r.event = signalIn(l)
	}
	return r.finish()
}

// maxFrame bounds the text of a frame that goes on.
const maxFrame = 1 << 12

// maxBefore is how many lines before a stack are searched for the signal.
const maxBefore = 32

// signalIn finds "Program received signal SIGSEGV, Segmentation fault.", "Program terminated with signal 11, Segmentation fault."
func signalIn(l *text.Lines) *process.Event {
	for i, line := range l.Before(maxBefore) {
		_, name, ok := strings.Cut(line, " signal ")
		name, _, _ = strings.Cut(name, ",")
		number, _, isNumber := text.Decimal(name)
		if known, named := text.Signals.Number(name); named {
			number, isNumber = uint64(known), true
		}
		if ok && isNumber && number > 0 && number < 65 {
			l.Keep(i)
			return &process.Event{Code: uint32(number), NoAddress: true}
		}
	}
	return nil
}

// read reads a line of stacks, and reports whether they go on.
func (r *report) read(s string) bool {
	if s == "" { // in Apport's sections
		return true
	}
	if s[0] != '#' && s[0] != '*' && r.open && len(r.line) < maxFrame || len(r.stack) > 0 && isPlace(s) {
		s = r.line + " " + s // GDB wraps lines
		if !r.open {
			r.stack = r.stack[:len(r.stack)-1]
		}
	}
	f, number, ok := frameOf(s)
	if r.open = !ok && s[0] == '#' && strings.Contains(s, " ("); ok || r.open {
		r.line = s
	}
	if ok {
		if number == 0 && len(r.stack) > 0 {
			r.flush()
		}
		r.stack = append(r.stack, f)
	}
	if ok || r.open {
		return true
	}
	id, name, crashed, ok := threadOf(s)
	switch {
	case ok:
		r.flush()
		r.thread, r.subject, r.begun = process.Thread{ID: id, Name: name}, crashed, true
		r.stopped(s)
	case strings.HasPrefix(s, "[KCrash Handler]"):
		r.subject = true
	case strings.HasPrefix(s, "(gdb)"), strings.HasPrefix(s, "(lldb)"):
		return false
	default: // variables of "bt full", source lines
		return len(r.stack) > 0 && (strings.Contains(s, " = ") || strings.HasPrefix(s, "No ") || strings.HasPrefix(s, "---Type ") || strings.HasPrefix(s, "--Type ")) ||
			r.begun && len(r.stack) == 0
	}
	return true
}

// isPlace reports whether a line is the place of the frame before it. "at = 5" is a variable.
func isPlace(s string) bool {
	return (strings.HasPrefix(s, "at ") || strings.HasPrefix(s, "from ")) && !strings.HasPrefix(s, "at = ") && !strings.HasPrefix(s, "from = ")
}

// stopped reads LLDB's reason: "stop reason = EXC_BAD_ACCESS (code=1, address=0x0)", "stop reason = signal SIGSEGV: address not mapped to object (fault address: 0x0)".
func (r *report) stopped(s string) {
	_, reason, ok := strings.Cut(s, "stop reason = ")
	if !ok || r.event != nil {
		return
	}
	name, rest, _ := strings.Cut(strings.TrimPrefix(reason, "signal "), " ")
	_, at, stated := strings.Cut(rest, "address=")
	if !stated {
		_, at, _ = strings.Cut(rest, "address: ")
	}
	addr, _, known := text.Hex(at)
	if r.event = text.Fault(strings.TrimSuffix(name, ":"), addr); r.event != nil {
		r.event.NoAddress = !known
		if strings.HasPrefix(name, "EXC_") {
			code, _, _ := text.Between(rest, "code=", ",")
			n, _, _ := text.Decimal(code)
			r.event.Flags = uint32(min(n, 1<<16))
			r.d.System(process.Mac, nil)
		}
	}
}

// flush adds the last thread. Frames without an address are inlined if a later one has an address.
func (r *report) flush() {
	if len(r.stack) == 0 {
		return
	}
	if r.subject && r.d.Process.Subject < 0 {
		r.d.Process.Subject = len(r.d.Process.Threads)
	}
	r.d.Thread(r.thread)
	last := len(r.stack) - 1
	for last > 0 && r.stack[last].Address == 0 {
		last--
	}
	interrupted := true
	for i, f := range r.stack {
		handler := f.Names.Function == signalHandler
		f.Interrupts, f.Return = interrupted && f.Address != 0, !interrupted && f.Address != 0
		f.Inlined = i > 0 && i < last && f.Address == 0 && !handler
		interrupted = handler || interrupted && f.Inlined
		r.d.Frame(f)
	}
	r.stack, r.open, r.thread, r.subject, r.begun = nil, false, process.Thread{}, false, false
}

// finish makes the process. GDB's first thread is the one that crashed.
func (r *report) finish() []*process.Process {
	p := &r.d.Process
	if p.System == nil {
		r.d.System(process.Linux, r.arch)
	}
	if p.Event = r.event; p.Event == nil {
		p.Problem = &process.Problem{Kind: process.Printed}
	} else if p.Subject < 0 && len(p.Threads) > 0 {
		p.Subject = 0
	}
	return []*process.Process{r.d.Finish()}
}
