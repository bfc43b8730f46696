// Package backtrace reads the stacks that programs print of themselves, one frame a line: by backtrace_symbols of
// glibc and of macOS, by Boost.Stacktrace and std::stacktrace, Abseil and glog, LLVM, Chromium and Node.js.
//
// A stack states no crash. Its reason is the signal that a line before it names, if one does. Every address is
// a return address but the one that the signal interrupted, which is behind the trampoline in the C library.
//
// Source: glibc, debug/backtracesyms.c and debug/backtracesymsfd.c; Boost.Stacktrace,
// boost/stacktrace/detail/frame_unwind.ipp and frame_msvc.ipp; GCC, libstdc++-v3/include/std/stacktrace (operator<<); Abseil,
// absl/debugging/internal/examine_stack.cc (DumpPCAndStackTrace); LLVM, lib/Support/Unix/Signals.inc (PrintStackTrace); Chromium,
// base/debug/stack_trace_posix.cc and stack_trace_win.cc (OutputToStream).
//
// Read this file first, then forms.go, which has the forms of lines, and heads.go, for stacks behind what V8 says.
package backtrace

import (
	"slices"
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

const kind = "printed stack"

// Family reads stacks.
var Family = text.Family{
	Kinds: []string{kind},
	Marks: slices.Concat([]string{")[0x", ") [0x", "# 0x", "0# ", pcMark, "@   ", "#0 0x", "#0  0x", "  0x0000", "\t0x0000", "+0x", " [0x", "[0x4", "1: 0", "0> "}, addresses, heads),
	Read:  read,
}

// addresses are the beginnings of frames of libbacktrace, which begin with an address: of programs and libraries on x86 and ARM.
var addresses = []string{"0x4", "0x5", "0x7", "0xa", "0xf"}

// least is the number of frames that make a stack: a line alone may be any text.
const least = 2

func read(l *text.Lines) []*process.Process {
	for _, head := range heads {
		if strings.HasPrefix(l.First()[l.Mark():], head) {
			return headed(l, l.Mark())
		}
	}
	if strings.HasPrefix(l.First()[l.Mark():], pcMark) {
		return aborted(l)
	}
	if strings.HasPrefix(l.First()[l.Mark():], "0x") {
		return traced(l)
	}
	parse, column := formOf(l.First(), l.Mark())
	if parse == nil {
		return nil
	}
	l.Begin(len(strings.TrimRight(l.First()[:column], " \t"))) // lines of other things are not indented
	frames := lines(l, parse)
	if len(frames) < least {
		return nil
	}
	d := stack(frames, eventIn(l))
	if said := checkIn(l); said != "" && d.Process.Event == nil {
		d.Process.Subject, d.Process.Problem = 0, &process.Problem{Kind: process.FailedCheck, Text: said}
	}
	return []*process.Process{d.Finish()}
}

// traced reads the stack that backtrace_print of libbacktrace prints, and GCC of itself. A frame has two lines:
//
//	0x5620431af50c quay::inner(int*, int)
//		/src/quay.cc:11
//	0x5620431af2f0 ???
//		???:0
func traced(l *text.Lines) []*process.Process {
	if _, ok := libbacktrace(l.First()[l.Mark():]); !ok || !word(l.First(), l.Mark()) {
		return nil
	}
	l.Begin(l.Mark())
	var frames []text.Frame
	for {
		line, more := l.Next()
		f, ok := libbacktrace(line)
		source, _ := l.Peek()
		place, tab := strings.CutPrefix(source, "\t")
		file, number := text.Source(place)
		if !more || !ok || !tab || file == place {
			l.Back()
			break
		}
		if l.Next(); file != "???" {
			f.Names.File, f.Names.Line = file, number
		}
		frames = append(frames, f)
	}
	if len(frames) < least {
		return nil
	}
	d := stack(frames, eventIn(l))
	for i, line := range l.Before(maxBefore) {
		if _, said, ok := strings.Cut(line, "internal compiler error: "); ok && d.Process.Event == nil {
			d.Process.Subject, d.Process.Problem = 0, &process.Problem{Kind: process.FailedCheck, Text: said}
			l.Keep(i)
		}
	}
	return []*process.Process{d.Finish()}
}

const pcMark = "PC: @ "

// aborted reads the stack of a handler of Abseil or glog from the line that has the program counter. The stack may lack that frame, and glog names the
// signal between both:
//
//	PC: @     0x564fa1e36230  (unknown)  dock::moor()
//	*** SIGSEGV (@0x0) received by PID 18063 (TID 0x7fefff042e40) from PID 0; stack trace: ***
//	    @     0x7f0a80c5a050  (unknown)  (unknown)
func aborted(l *text.Lines) []*process.Process {
	l.Begin(l.Mark())
	first, _ := l.Next()
	var event *process.Event
	if line, _ := l.Peek(); strings.HasPrefix(line, "*** ") {
		l.Next()
		event = signalOf(line)
	}
	frames := lines(l, absl)
	pc, ok := absl(strings.TrimPrefix(first, "PC: "))
	struck := slices.IndexFunc(frames, func(f text.Frame) bool { return f.Address == pc.Address })
	if ok && pc.Address != 0 && struck < 0 {
		frames, struck = append([]text.Frame{pc}, frames...), 0
	}
	if len(frames) < least {
		return nil
	}
	if struck >= 0 {
		frames[struck].Return, frames[struck].Interrupts = false, true
	}
	if event == nil {
		event = eventIn(l)
	}
	return []*process.Process{stack(frames, event).Finish()}
}

// checkIn finds the message before the stack of glog: "F20261129 00:45:09.135998 18089 b.cc:52] Check failed: c == 3 (2 vs. 3) no ships".
func checkIn(l *text.Lines) string {
	if lines := l.Before(2); len(lines) > 1 && strings.Contains(lines[0], "*** Check failure stack trace: ***") {
		l.Keep(0)
		l.Keep(1)
		_, said, _ := strings.Cut(lines[1], "] ")
		return said
	}
	return ""
}

func lines(l *text.Lines, parse form) (frames []text.Frame) {
	for {
		line, more := l.Next()
		if !more {
			return frames
		}
		line = strings.TrimSpace(line)
		f, ok := parse(line)
		if source, found := strings.CutPrefix(line, "at "); !ok && found && len(frames) > 0 { // libbacktrace
			frames[len(frames)-1].Names.File, frames[len(frames)-1].Names.Line = text.Source(source)
			continue
		}
		if !ok || zero(line) && len(frames) > 0 {
			l.Back()
			return frames
		}
		frames = append(frames, f)
	}
}

// maxBefore is how many lines before a stack are searched for the signal.
const maxBefore = 6

func stack(frames []text.Frame, event *process.Event) *text.Draft {
	d := text.NewDraft(kind)
	d.System(process.Linux, nil)
	d.Thread(process.Thread{})
	if event != nil {
		d.Process.Subject, d.Process.Event = 0, event
		text.MarkInterrupted(frames)
	} else {
		d.Process.Problem = &process.Problem{Kind: process.Printed}
	}
	for _, f := range frames {
		d.Frame(f)
	}
	return d
}

// signals are the names of signals on Linux, with their descriptions by strsignal.
var signals = []struct {
	number     uint32
	name, text string
}{
	{11, "SIGSEGV", "Segmentation fault"}, {6, "SIGABRT", "Aborted"}, {7, "SIGBUS", "Bus error"}, {8, "SIGFPE", "Floating point exception"},
	{4, "SIGILL", "Illegal instruction"}, {5, "SIGTRAP", "Trace/breakpoint trap"},
}

// eventIn finds a signal in the lines before a stack: by name, by description, or as "signal 11", which Chromium writes with code and
// address, "Received signal 11 SEGV_MAPERR 7f6b0c580000".
func eventIn(l *text.Lines) *process.Event {
	for i, line := range l.Before(maxBefore) {
		if e := signalOf(line); e != nil {
			l.Keep(i)
			return e
		}
	}
	return nil
}

func signalOf(line string) *process.Event {
	e := &process.Event{NoAddress: true}
	for _, s := range signals {
		if e.Code == 0 && (strings.Contains(line, s.name) || strings.Contains(line, s.text)) {
			e.Code = s.number
		}
	}
	if _, rest, ok := strings.Cut(line, "signal "); ok && e.Code == 0 {
		n, rest, _ := text.Decimal(rest)
		if e.Code = uint32(min(n, 65)) % 65; strings.HasPrefix(rest, " SEGV_") || strings.HasPrefix(rest, " BUS_") {
			_, at, _ := strings.Cut(rest[1:], " ")
			addr, _, known := text.Hex(at)
			e.Address, e.NoAddress = addr, !known
		}
	}
	if e.Code == 0 {
		return nil
	}
	return e
}
