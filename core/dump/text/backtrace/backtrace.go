// Package backtrace reads the stacks that programs print of themselves, one frame a line: by backtrace_symbols of
// glibc, and by Boost.Stacktrace.
//
// A stack states no crash. Its reason is the signal that a line before it names, if one does. Every address is
// a return address but the one that the signal interrupted, which is behind the trampoline in the C library.
//
// Source: glibc, debug/backtracesyms.c and debug/backtracesymsfd.c; Boost.Stacktrace,
// boost/stacktrace/detail/frame_unwind.ipp and frame_msvc.ipp.
package backtrace

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

const kind = "printed stack"

// Family reads stacks.
var Family = text.Family{Kinds: []string{kind}, Marks: []string{")[0x", ") [0x", "# 0x", "0# "}, Read: read}

// least is the number of frames that make a stack: a line alone may be any text.
const least = 2

func read(l *text.Lines) []*process.Process {
	first := l.First()
	parse, column, ok := formOf(first)
	if !ok {
		return nil
	}
	l.Begin(column)
	var frames []text.Frame
	for {
		line, more := l.Next()
		if !more {
			break
		}
		f, ok := parse(strings.TrimSpace(line))
		if !ok {
			l.Back()
			break
		}
		frames = append(frames, f)
	}
	if len(frames) < least {
		return nil
	}
	return []*process.Process{stack(frames, signalIn(l.Before(maxBefore)))}
}

// maxBefore is how many lines before a stack are searched for the signal.
const maxBefore = 6

// A form reads a line.
type form func(line string) (text.Frame, bool)

// formOf finds the form of a stack's first line, and the column where it begins: the whole line or, behind the prefix of a
// log, the longest end of it.
func formOf(line string) (form, int, bool) {
	for column := 0; column >= 0 && column < len(line); {
		for _, f := range []form{glibc, boost} {
			if _, ok := f(strings.TrimSpace(line[column:])); ok {
				return f, column, true
			}
		}
		next := strings.IndexByte(line[column+1:], ' ')
		if next < 0 {
			break
		}
		column += next + 1
	}
	return nil, 0, false
}

// stack makes a process of a stack.
func stack(frames []text.Frame, signal uint32) *process.Process {
	d := text.NewDraft(kind)
	d.System(process.Linux, nil)
	d.Thread(process.Thread{})
	if signal != 0 {
		d.Process.Subject = 0
		d.Process.Event = &process.Event{Code: signal, NoAddress: true}
		interrupted(frames)
	} else {
		d.Process.Problem = &process.Problem{Kind: process.Printed}
	}
	for _, f := range frames {
		d.Frame(f)
	}
	return d.Finish()
}

// interrupted marks the frame behind the signal's trampoline. The trampoline is in the C library, and the handler
// that called backtrace is before it.
func interrupted(frames []text.Frame) {
	for i := 1; i+1 < len(frames); i++ {
		f := &frames[i]
		if isLibC(f.Image) && !isLibC(frames[i-1].Image) && (f.Names.Function == "" || f.Names.Function == "__restore_rt" || f.Names.Function == "killpg") {
			f.Return = false
			frames[i+1].Return, frames[i+1].Interrupts = false, true
			return
		}
	}
}

func isLibC(path string) bool {
	name := module.Basename(path)
	return strings.HasPrefix(name, "libc.so") || strings.HasPrefix(name, "libc-2.") || strings.HasPrefix(name, "libpthread") || strings.HasPrefix(name, "ld-musl")
}

// signals are the names of signals on Linux, with their descriptions by strsignal.
var signals = []struct {
	number     uint32
	name, text string
}{
	{11, "SIGSEGV", "Segmentation fault"}, {6, "SIGABRT", "Aborted"}, {7, "SIGBUS", "Bus error"}, {8, "SIGFPE", "Floating point exception"},
	{4, "SIGILL", "Illegal instruction"}, {5, "SIGTRAP", "Trace/breakpoint trap"},
}

// signalIn finds a signal in the lines before a stack: by name, by description, or as "signal 11".
func signalIn(lines []string) uint32 {
	for _, line := range lines {
		for _, s := range signals {
			if strings.Contains(line, s.name) || strings.Contains(line, s.text) {
				return s.number
			}
		}
		if _, rest, ok := strings.Cut(line, "signal "); ok {
			if n, _, number := text.Decimal(rest); number && n > 0 && n < 65 {
				return uint32(n)
			}
		}
	}
	return 0
}

// glibc reads a line of glibc:
//
//	./tracer(+0x11ac)[0x5597384cb1ac]
//	/lib/x86_64-linux-gnu/libc.so.6(__libc_start_main+0x85)[0x7fc4239fb305]
//	./tracer(main+0x1c) [0x40123c]
func glibc(line string) (f text.Frame, ok bool) {
	before, addr, ok := text.CutLast(line, "[0x")
	addr, closed := strings.CutSuffix(addr, "]")
	at, hex := text.IsHex(addr)
	path, place, named := text.CutLast(strings.TrimSpace(before), "(")
	place, ended := strings.CutSuffix(place, ")")
	if !ok || !closed || !hex || !named || !ended || path == "" {
		return text.Frame{}, false
	}
	f = text.Frame{Address: at, Image: path, Return: true}
	name, offset, plus := text.CutLast(place, "+")
	n, isHex := text.IsHex(offset)
	switch {
	case plus && isHex && name == "":
		f.Offset, f.HasOffset = n, true
	case plus && isHex:
		f.Names.Function, f.Names.Offset = name, n
	}
	return f, true
}

// boost reads a line of Boost: " 0# 0x000055DA3DE80370 in ./boosted", " 4# abort in /lib/libc.so.6", " 5# f() at a.cc:12".
func boost(line string) (f text.Frame, ok bool) {
	_, rest, ok := text.Decimal(line)
	rest, hash := strings.CutPrefix(rest, "# ")
	if !ok || !hash {
		return text.Frame{}, false
	}
	what, path, in := text.CutLast(rest, " in ")
	if in {
		f.Image = path
	} else if name, place, at := text.CutLast(rest, " at "); at {
		what = name
		f.Names.File, f.Names.Line = text.Source(place)
	}
	if addr, hex := text.IsHex(what); hex && strings.HasPrefix(what, "0x") {
		f.Address, f.Return = addr, true
	} else {
		f.Names.Function = what
	}
	return f, in || f.Names.Line > 0 || f.Address != 0
}
