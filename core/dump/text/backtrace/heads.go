package backtrace

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

// heads are the beginnings of reports that may go without a stack, or have one whose lines could be anything elsewhere: those of V8 and Node.js.
//
//	<--- JS stacktrace --->
//
//	==== JS stack trace =========================================
//	    2: join [0x364887b5] [/app/a.js:7] [bytecode=0x1 offset=4](this=0x3d206b5d <JSArray[1]>#1#)
//	FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
//	----- Native stack trace -----
//	 1: 0xb8d11b node::OOMErrorHandler(char const*, v8::OOMDetails const&) [node]
//
//	#
//	# Fatal error in ../../src/heap/mark-compact.h, line 54
//	# Check failed: !IsImpossible(mark_bit).
//	#
//	==== C stack trace ===============================
//	 1: 0xb29b0f4
//
// Source: V8, src/base/logging.cc (V8_Fatal), src/base/debug/stack_trace_posix.cc and stack_trace_win.cc (OutputBacktrace), src/execution/isolate.cc (PrintStack);
// Node.js, src/node_errors.cc (OnFatalError, OOMErrorHandler) and src/debug_utils.cc (DumpNativeBacktrace, SymbolInfo::Display).
var heads = []string{"# Fatal error in ", "# Runtime error in ", "FATAL ERROR: ", "==== C stack trace ===", "==== JS stack trace ===", "<--- JS stacktrace --->"}

// maxHead bounds the lines before the stack.
const maxHead = 64

// A fatal is a report with such a head.
type fatal struct {
	place   string // where it failed: "../../src/a.cc, line 54", or a function
	said    []string
	scripts []text.Frame // of JavaScript
	frames  []text.Frame
	inJS    bool
}

// headed reads a report with a head, which begins at a column of the first line.
func headed(l *text.Lines, column int) []*process.Process {
	l.Begin(column)
	r := &fatal{}
	for n := 0; n < maxHead; n++ {
		if line, ok := l.Next(); !ok || !r.line(l, strings.TrimSpace(line)) {
			break
		}
	}
	said := strings.Join(r.said, " ")
	problem := &process.Problem{Kind: process.FailedCheck, Text: said}
	if strings.Contains(said, "out of memory") {
		problem.Kind = process.OutOfMemory
	}
	switch {
	case len(r.frames) > 0 || problem.Kind == process.OutOfMemory:
	case r.place == "":
		return nil
	default:
		var n process.Names
		if file, line, ok := strings.Cut(r.place, ", line "); ok {
			n.File, n.Line = text.Source(file + ":" + line)
		} else {
			n.Function = r.place
		}
		r.frames = []text.Frame{{Names: n}}
	}
	d := stack(r.frames, eventIn(l))
	if said != "" || r.place != "" {
		d.Process.Subject, d.Process.Problem = 0, problem
		d.Annotate("Fatal error in", r.place)
	}
	if len(r.scripts) > 0 {
		d.Thread(process.Thread{Name: "JavaScript"})
		for _, f := range r.scripts {
			d.Frame(f)
		}
	}
	return []*process.Process{d.Finish()}
}

// line reads a line of the head, or the whole stack at its first line, and reports whether the head goes on.
func (r *fatal) line(l *text.Lines, s string) bool {
	message, isError := strings.CutPrefix(s, "FATAL ERROR: ")
	_, place, placed := strings.Cut(s, " error in ")
	script, isScript := scriptOf(s)
	_, joined, isJoined := strings.Cut(s, "#0 0x") // Chromium's first frame may continue a line of V8
	switch {
	case isError:
		r.said, r.inJS = append(r.said, message), false
	case strings.HasPrefix(s, "===="), strings.HasPrefix(s, "<---"):
		r.inJS = strings.Contains(s, " JS stack trace ")
	case r.inJS && isScript:
		r.scripts = append(r.scripts, script)
	case r.inJS, strings.Trim(s, "#") == "", strings.HasPrefix(s, "---"), strings.HasPrefix(s, "#FailureMessage ") && !isJoined:
	case strings.HasPrefix(s, "# ") && placed && r.place == "":
		r.place = place
	case strings.HasPrefix(s, "# "):
		r.said = append(r.said, strings.TrimSpace(s[1:]))
	case isJoined && s[0] == '#':
		f, _ := hash("#0 0x" + joined)
		r.frames = append([]text.Frame{f}, lines(l, hash)...)
		return false
	default:
		l.Back()
		for _, f := range forms {
			if _, ok := f.read(s); ok {
				r.frames = lines(l, f.read)
				break
			}
		}
		return false
	}
	return true
}

// scriptOf reads a frame of JavaScript. Frames of the engine have a kind in place of a name.
func scriptOf(s string) (f text.Frame, ok bool) {
	_, rest, ok := text.Decimal(s)
	rest, colon := strings.CutPrefix(rest, ": ")
	name, rest, open := strings.Cut(rest, " [")
	f.Names.Function = name
	for part := range strings.SplitSeq(rest, "]") {
		if file, line := text.Source(strings.TrimPrefix(part, " [")); line > 0 && f.Names.Line == 0 && !strings.HasPrefix(file, "pc") {
			f.Names.File, f.Names.Line = file, line
		}
	}
	return f, ok && colon && open
}
