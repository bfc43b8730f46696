package debugger

import (
	"strings"

	"crashglass/core/dump/text"
)

// signalHandler is what GDB prints for the frame of a signal's trampoline.
const signalHandler = "<signal handler called>"

// frameOf reads a frame with its number:
//
//	#0  0x00007ffff7a42428 in __GI_raise (sig=sig@entry=6) at ../sysdeps/raise.c:54
//	#1  Dock::slot (this=0x0, n=3) at dock.cc:12
//	#2  <signal handler called>
//	#3  0x00007f52d3b1d7f7 in ?? () from /lib/libc.so.6
//	* frame #0: 0x0000000100000f2a dock`Dock::slot(this=0x0) at dock.cc:12:3 [opt]
//	  frame #1: 0x00007fff20421f3d libdyld.dylib`start + 1
func frameOf(s string) (f text.Frame, number uint64, ok bool) {
	if rest, lldb := strings.CutPrefix(strings.TrimPrefix(s, "* "), "frame #"); lldb {
		return lldbFrame(rest)
	}
	rest, hash := strings.CutPrefix(s, "#")
	number, rest, isNumber := text.Decimal(rest)
	if rest = strings.TrimLeft(rest, " "); !hash || !isNumber || rest == "" {
		return f, 0, false
	}
	if rest == signalHandler {
		f.Names.Function = rest
		return f, number, true
	}
	if addr, after, hex := text.Hex(rest); hex && strings.HasPrefix(rest, "0x") && strings.HasPrefix(after, " in ") {
		f.Address, rest = addr, after[len(" in "):]
	}
	call := rest
	if before, path, from := text.CutLast(rest, ") from "); from {
		call, f.Names.Module = before+")", path
	} else if before, place, at := text.CutLast(rest, ") at "); at {
		call = before + ")"
		if f.Names.File, f.Names.Line = text.Source(place); f.Names.Line == 0 {
			return f, 0, false
		}
	}
	name, _, isCall := text.CutGroup(call)
	if f.Names.Function = name; name == "??" {
		f.Names.Function = ""
	}
	return f, number, isCall && name != ""
}

// lldbFrame reads a frame of LLDB from its number on.
func lldbFrame(s string) (f text.Frame, number uint64, ok bool) {
	number, rest, isNumber := text.Decimal(s)
	addr, rest, hex := text.Hex(strings.TrimPrefix(rest, ": "))
	module, name, named := strings.Cut(strings.TrimSpace(rest), "`")
	f.Address, f.Names.Module = addr, module
	name, _, _ = strings.Cut(name, " [")
	if before, place, at := text.CutLast(name, " at "); at {
		if f.Names.File, f.Names.Line = text.Source(place); f.Names.Line > 0 {
			name = before
		}
	}
	if before, offset, plus := text.CutLast(name, " + "); plus {
		if n, after, decimal := text.Decimal(offset); decimal && after == "" {
			name, f.Names.Offset = before, n
		}
	}
	if open := strings.IndexByte(name, '('); open > 0 && strings.HasSuffix(name, ")") && strings.Contains(name[open:], "=") { // the values of arguments
		name = name[:open]
	}
	if f.Names.Function = name; strings.HasPrefix(name, "___lldb_unnamed_symbol") {
		f.Names.Function = ""
	}
	return f, number, isNumber && hex && named
}

// threadOf reads the line before a stack:
//
//	Thread 2 (Thread 0x7f8d3 (LWP 1234) "pool"):
//	* thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS (code=1, address=0x0)
func threadOf(s string) (id uint32, name string, crashed, ok bool) {
	if rest, lldb := strings.CutPrefix(strings.TrimPrefix(s, "* "), "thread #"); lldb {
		n, rest, ok := text.Decimal(rest)
		if name, _, _ = text.Between(rest, "name = '", "'"); name == "" {
			name, _, _ = text.Between(rest, "queue = '", "'")
		}
		return uint32(n), name, strings.Contains(rest, "stop reason = "), ok
	}
	rest, isThread := strings.CutPrefix(s, "Thread ")
	number, rest, isNumber := text.Decimal(rest)
	if !isThread || !isNumber || !strings.HasPrefix(rest, " (") && !strings.HasPrefix(rest, ` "`) || !strings.HasSuffix(rest, ":") {
		return 0, "", false, false
	}
	lwp, after, _ := text.Between(rest, "LWP ", ")")
	n, _, _ := text.Decimal(lwp)
	if name, _, _ = text.Between(after, `"`, `"`); name == "" {
		name, _, _ = text.Between(rest, `"`, `"`)
	}
	return uint32(n), name, number == 1, true
}
