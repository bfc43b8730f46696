package text

import (
	"strings"

	"crashglass/core/process/module"
)

// ParseGlibc reads a line of a stack as glibc prints it:
//
//	./tracer(+0x11ac)[0x5597384cb1ac]
//	/lib/x86_64-linux-gnu/libc.so.6(__libc_start_main+0x85)[0x7fc4239fb305]
//	./tracer(main+0x1c) [0x40123c]
//	./tracer[0x40123c]
//	[0x7f6b13882bf1]
//
// V8 writes a name as the source has it, which may have parentheses, too.
func ParseGlibc(line string) (f Frame, ok bool) {
	before, addr, ok := CutLast(line, "[0x")
	addr, closed := strings.CutSuffix(addr, "]")
	at, hex := IsHex(addr)
	before = strings.TrimSpace(before)
	open := 1
	for open < len(before) && (before[open] != '(' || before[open-1] == ' ') { // not that of "Program Files (x86)"
		open++
	}
	path, place := before[:min(open, len(before))], before[min(open+1, len(before)):]
	place, ended := strings.CutSuffix(place, ")")
	bare := !ended && open >= len(before) && strings.Contains(path, "/") && !strings.ContainsAny(path, " \t")
	if !ok || !closed || !hex || before != "" && !bare && (!ended || path == "" || path[0] == '(') {
		return Frame{}, false
	}
	f = Frame{Address: at, Image: path, Return: true}
	name, offset, plus := CutLast(place, "+")
	n, isHex := IsHex(offset)
	switch {
	case plus && isHex && name == "":
		f.Offset, f.HasOffset = n, true
	case plus && isHex:
		f.Names.Function, f.Names.Offset = name, n
	case (ended && place == "" || bare) && path != "": // a program at a fixed address
		f.Offset, f.HasOffset = at, true
	}
	return f, true
}

// MarkInterrupted marks the frame behind the signal's trampoline. The trampoline is in the C library, and the handler
// that called backtrace is before it.
func MarkInterrupted(frames []Frame) {
	for i := 1; i+1 < len(frames); i++ {
		f := &frames[i]
		named := f.Names.Function == "__restore_rt" || strings.HasSuffix(f.Names.File, "/libc_sigaction.c")
		if named || isLibC(f.Image) && !isLibC(frames[i-1].Image) && (f.Names.Function == "" || f.Names.Function == "killpg") {
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
