// Package hotspot reads the error logs of the Java virtual machine HotSpot: files named hs_err_pid, and their
// beginning as the machine prints it to the terminal.
//
// A log has the stack of the thread that crashed. Its frames are native ones, which name a module and an offset from its base,
// and those of Java, which have names and perhaps an address in no module. The machine walks the stack by frame pointers
// and so may leave out frames. The log ends early if its writer crashes.
//
// Source: OpenJDK, src/hotspot/share/utilities/vmError.cpp (VMError::report), share/runtime/frame.cpp (frame::print_on_error),
// os/posix/signals_posix.cpp and os/windows/os_windows.cpp (print_siginfo).
//
// Read this file first, then frames.go, which reads frames, and event.go, which reads why the program ended.
package hotspot

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

const kind = "HotSpot error log"

// marks are the lines with which a log begins, behind "#". Markdown takes the "#" for a heading.
var marks = []string{"A fatal error has been detected by the Java", "There is insufficient memory for the Java", "# An unexpected error has been detected by "}

// Family reads error logs.
var Family = text.Family{Kinds: []string{kind}, Marks: marks, Read: read}

// A section is what the lines belong to.
type section uint8

const (
	other section = iota
	native
	java
	registers
	memory
	libraries
)

// sections are the lines that begin sections. Others begin none, and an empty line ends one.
var sections = map[string]section{
	"Native frames": native, "Java frames": java, "Registers": registers, "Top of Stack": memory, "Instructions": memory, "Dynamic libraries": libraries,
}

type report struct {
	d       *text.Draft
	section section
	thread  process.Thread
	native  []text.Frame
	java    []text.Frame
	maps    []string
	lines   []string // of registers
	memory  text.Memory
	pc, sp  uint64
	walked  bool // native has a stack, and not the problematic frame alone
	atPC    bool // the innermost frame was running: the machine caught a signal
	unix    bool // the event is a signal
	failed  bool // an internal error of the machine, or one of memory
	bare    bool // lines of the head do not begin with "#"
}

func read(l *text.Lines) []*process.Process {
	first := l.First()
	r := &report{d: text.NewDraft(kind)}
	if at := l.Mark(); first[at] != '#' {
		if r.bare = !strings.HasSuffix(first[:at], "# "); !r.bare {
			at -= len("# ")
		}
		l.Begin(at)
	}
	first, _ = l.Next()
	if !r.head(l, first) {
		return nil
	}
	for {
		line, ok := l.Next()
		if !ok || line == "END." {
			break
		}
		if begins(line) {
			l.Back()
			break
		}
		r.line(line)
	}
	return []*process.Process{r.finish()}
}

// begins reports whether a line is the first one of another log.
func begins(line string) bool {
	for _, mark := range marks {
		if strings.Contains(line, mark) {
			return true
		}
	}
	return false
}

// head reads the lines that begin with "#". It returns false if they say nothing. On a terminal nothing follows.
func (r *report) head(l *text.Lines, first string) (ok bool) {
	if strings.Contains(first, "insufficient memory") {
		r.d.Process.Problem, r.failed, ok = &process.Problem{Kind: process.OutOfMemory}, true, true
	}
	blank, problematic := 0, false
	for {
		line, more := l.Next()
		if !more {
			break
		}
		s, isHead := strings.CutPrefix(line, "#")
		if s = strings.TrimSpace(s); !isHead && (!r.bare || s == "" || blank > 4) {
			if blank++; s != "" && !strings.HasPrefix(s, "----") || blank > 4 {
				l.Back()
				break
			}
			if s != "" {
				break
			}
			continue
		}
		switch {
		case problematic:
			problematic = false
			if r.problematic(s); r.bare {
				return ok
			}
		case s == "Problematic frame:":
			problematic = true
		default:
			ok = r.fact(s) || ok
		}
	}
	return ok
}

// line reads a line of the body.
func (r *report) line(line string) {
	key, value, _ := strings.Cut(line, ":")
	if at := strings.Index(key, " ("); at >= 0 {
		key = key[:at]
	}
	if s, known := sections[key]; known {
		r.section = s
		return
	}
	switch s := strings.TrimSpace(line); {
	case s == "":
		// Dumps of registers and memory go on behind an empty line with another heading.
		r.section = other
	case strings.HasPrefix(s, "Retrying call stack printing"):
		r.section, r.walked = native, false
	case r.section == native:
		if !r.walked {
			r.native, r.walked = nil, true
		}
		r.native = addFrame(r.native, s)
	case r.section == java:
		r.java = addFrame(r.java, s)
	case r.section == registers:
		r.lines = append(r.lines, s)
	case r.section == memory:
		r.memory.Row(s)
	case r.section == libraries:
		r.library(s)
	case key == "siginfo":
		r.siginfo(value)
	case key == "Current thread":
		r.current(value)
	case key == "Stack":
		_, sp, _ := strings.Cut(value, "sp=")
		r.sp, _, _ = text.Hex(sp)
	case key == "Time", key == "time":
		r.d.Annotate("Time", value)
	}
}

// current reads `JavaThread "main" [_thread_in_native, id=31736, stack(0x00007f2c31c20000,0x00007f2c31d20000)]`.
func (r *report) current(s string) {
	if name, _, ok := text.Between(s, `"`, `"`); ok {
		r.thread.Name = name
	}
	if _, id, ok := strings.Cut(s, "id="); ok {
		n, _, _ := text.Decimal(id)
		r.thread.ID = uint32(n)
	}
}

// library reads a line of the list of modules: one of /proc/PID/maps, or of Windows and macOS
//
//	0x00007ff6a1b20000 - 0x00007ff6a1b2e000 	C:\jdk\bin\java.exe
//	0x0000000102b3c000 	/usr/lib/libz.dylib
func (r *report) library(s string) {
	if !strings.HasPrefix(s, "0x") {
		r.maps = append(r.maps, s)
		return
	}
	base, rest, ok := text.Hex(s)
	rest = strings.TrimSpace(rest)
	var size uint64
	if to, isRange := strings.CutPrefix(rest, "- "); isRange {
		end, path, _ := text.Hex(to)
		rest, size = strings.TrimSpace(path), max(end, base)-base
	}
	if ok && rest != "" && size < 1<<40 {
		r.d.Image(text.Image{Path: rest, Base: base, HasBase: true, Size: size})
	}
}

func (r *report) finish() *process.Process {
	r.d.Maps(r.maps)
	p := &r.d.Process
	p.Subject = 0
	if p.System == nil && r.unix { // the log is truncated before it names the system
		r.d.System(process.Linux, nil)
	}
	if p.Arch != nil {
		r.registers(p.Arch)
	}
	r.d.Thread(r.thread)
	r.frames(r.native, r.atPC)
	if len(r.java) > 0 && !hasJava(r.native) {
		r.d.Thread(process.Thread{ID: r.thread.ID, Name: strings.TrimSpace(r.thread.Name + " (Java frames)")})
		r.frames(r.java, false)
	}
	r.memory.Of(p)
	return r.d.Finish()
}

// registers reads the registers. On ARM64 they are named R0 to R30, and the program counter is missing.
func (r *report) registers(arch *cpu.Arch) {
	var regs cpu.Regs
	for _, line := range r.lines {
		if number, ok := strings.CutPrefix(line, "R"); ok && arch.IsARM64() {
			line = "x" + number
		}
		text.Registers(line, arch, &regs)
	}
	if _, known := regs.Get(arch.PC); !known && r.atPC {
		regs.Set(arch.PC, r.pc)
	}
	if _, known := regs.Get(arch.SP); !known && r.atPC && r.sp != 0 {
		regs.Set(arch.SP, r.sp)
	}
	if regs.Known() != 0 {
		r.thread.Registers = &process.Registers{Arch: arch, Regs: regs}
	}
}
