package managed

import (
	"math"
	"slices"
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

// frameOf reads a frame of Java or .NET:
//
//	at com.example.Dock.slot(Dock.java:14)
//	at java.base/java.lang.Thread.run(Thread.java:1583)
//	at com.example.Dock.nativeSlot(Native Method)
//	at Game.Dock.Slot(Int32 n) in C:\src\Dock.cs:line 14
//	at Game.Dock.Slot (System.Int32 n) [0x00012] in <3f2a>:0
//	at new Dock (/opt/dock.js:14:9)
//	at Game.Dock.Slot(Int32) + 0x1c
func frameOf(s string) (f text.Frame, ok bool) {
	if before, offset, native := text.CutLast(s, ") + 0x"); native { // .NET, compiled ahead of time
		if n, hex := text.IsHex(offset); hex {
			s, f.Names.Offset = before+")", n
		}
	}
	if s, ok = strings.CutPrefix(s, "at "); strings.HasPrefix(s, "(wrapper ") {
		_, s, _ = strings.Cut(s, ") ")
	}
	if f, script := scriptFrame(s); ok && script {
		return f, true
	}
	name, place, found := strings.Cut(s, "(")
	if !ok || !found || name == "" {
		return text.Frame{}, false
	}
	if call, source, in := text.CutLast(s, " in "); in {
		call, _, _ = strings.Cut(call, " [0x")
		f.Names.Function = call
		if file, line, ok := text.CutLast(source, ":line "); ok {
			f.Names.File, f.Names.Line = text.Source(file + ":" + line)
		} else if !strings.HasPrefix(source, "<") {
			f.Names.File, f.Names.Line = text.Source(source)
		}
		return f, true
	}
	place, closed := strings.CutSuffix(place, ")")
	f.Names.Function = s
	file, line := text.Source(place)
	if java := line > 0 || place == "Native Method" || place == "Unknown Source" || strings.HasSuffix(place, ".java") || strings.HasSuffix(place, ".kt"); java {
		module, class, ok := text.CutLast(name, "/")
		if !ok {
			module, class = "", name
		}
		f.Names = process.Names{Function: class, Module: strings.TrimRight(module, "/")}
		if line > 0 || strings.Contains(place, ".") {
			f.Names.File, f.Names.Line = file, line
		}
	}
	return f, closed && !strings.Contains(name, " ") || strings.HasSuffix(name, " ") && closed
}

// scriptFrame reads a frame of Node.js without "at": "Object.<anonymous> (/opt/dock.js:2:31)", "/opt/dock.js:5:9".
func scriptFrame(s string) (f text.Frame, ok bool) {
	s = strings.TrimSuffix(s, " {") // the error's properties follow
	name, place, call := text.CutGroup(s)
	if !call {
		name, place = "", s
	}
	f.Names.Function = name
	f.Names.File, f.Names.Line = text.Source(place)
	return f, f.Names.Line > 0 && strings.Count(place[len(f.Names.File):], ":") == 2
}

// pythonLine reads a line of Python's. Tracebacks have the innermost frame last, and the stacks of faulthandler have it first:
//
//	  File "/opt/dock.py", line 14, in slot
//	    return self.ships[n]
//	IndexError: list index out of range
//
//	Thread 0x00007f2c31c1c740 [pool] (most recent call first):
//	  File "/opt/dock.py", line 14 in slot
//
// Other indented lines of faulthandler are no frames: "Garbage-collecting", "...", "<no Python frame>". Behind the threads, Python 3.14 prints a stack of C.
//
// The tracebacks of an exception group have a margin:
//
//   - Exception Group Traceback (most recent call last):
//     |   File "/opt/dock.py", line 14, in slot
//     | ExceptionGroup: docks (1 sub-exception)
//     +-+---------------- 1 ----------------
//     | ValueError: full
//     +------------------------------------
func (r *report) pythonLine(line, s string) bool {
	last := r.last()
	if inner, margin := strings.CutPrefix(s, "|"); r.group && (margin || strings.HasPrefix(s, "+-")) {
		if line = strings.TrimPrefix(inner, " "); !margin || strings.TrimSpace(line) == "" {
			return true
		}
		if s = strings.TrimSpace(line); last != nil && last.what != "" && s != traceback && line[0] != ' ' { // an exception without a traceback
			r.push(s)
			return true
		}
	}
	who, isThread := strings.CutSuffix(s, " (most recent call first):")
	f, isFrame := pythonFrame(s)
	switch {
	case isThread && !strings.HasSuffix(who, "C stack trace"):
		_, id, _ := strings.Cut(who, "hread 0x")
		n, rest, _ := text.Hex(id)
		r.push("")
		t := &r.last().thread
		if t.Name, _, _ = text.Between(rest, "[", "]"); n <= math.MaxUint32 { // that of pthread is an address
			t.ID = uint32(n)
		}
		if strings.HasPrefix(who, "Current") {
			r.faulty = len(r.stacks) - 1
		}
	case s == "" || r.fault != "" && !isFrame && last == nil:
	case isFrame && last != nil && r.fault != "":
		last.frames = append(last.frames, f)
	case r.fault != "" && line[0] == ' ':
	case r.fault != "":
		r.l.Back()
		return false
	case s == traceback:
		r.push("")
	case isFrame && last != nil && last.what == "":
		last.frames = append(last.frames, f)
	case line[0] == ' ' || strings.HasSuffix(s, " exception occurred:") || strings.HasPrefix(s, "The above exception was the direct cause"):
	case last != nil && last.what == "" && len(last.frames) > 0:
		last.what = s
		slices.Reverse(last.frames)
		return r.chained()
	default:
		r.l.Back()
		return false
	}
	return true
}

// chained reports whether another traceback follows: behind an empty line, and a sentence.
func (r *report) chained() bool {
	next, ok := r.l.Peek()
	return ok && strings.TrimSpace(next) == "" || r.group
}

func pythonFrame(s string) (f text.Frame, ok bool) {
	file, rest, ok := text.Between(s, `File "`, `", line `)
	line, name, number := text.Decimal(strings.Replace(rest, "???", "0", 1)) // faulthandler does not know every line
	_, name, in := strings.Cut(name, " in ")
	f.Names = process.Names{Function: name, File: file, Line: uint32(min(line, 1<<32-1))}
	return f, ok && number && in && strings.HasPrefix(s, "File ")
}
