// Package stackwalk reads the reports that Breakpad's minidump_stackwalk and rust-minidump's minidump-stackwalk write, for people and
// for programs (-m). They are what is left of many dumps: in tickets, mails and the logs of tests.
//
// A frame states the address of its call where it has no function: "libxul.so + 0x464386". One with a function states a program counter among its
// registers, which is a return address in all but the first frame. Reports for programs have no registers, and state the function only.
//
// Source: Breakpad, src/processor/stackwalk_common.cc (PrintProcessState, PrintProcessStateMachineReadable, PrintStack); rust-minidump,
// minidump-processor/src/process_state.rs (print) and stackwalker.
package stackwalk

import (
	"cmp"
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

const kind = "minidump_stackwalk report"

// Family reads reports.
var Family = text.Family{Kinds: []string{kind}, Marks: []string{"Operating system: ", " (crashed)", "OS|"}, Read: read}

type report struct {
	d       *text.Draft
	os      process.OS
	version string
	cpu     string
	reason  string
	address string
	frame   *text.Frame // the last one, whose registers may follow
	regs    cpu.Regs    // of it
	first   bool        // it is the innermost of its thread
	modules bool        // the lines are those of modules
	thread  string      // the number of the last thread of a report for programs
	crashed string      // that of the one that crashed
}

func read(l *text.Lines) []*process.Process {
	r := &report{d: text.NewDraft(kind)}
	first := l.First()
	machine := strings.HasPrefix(first[l.Mark():], "OS|")
	if thread := strings.LastIndex(first[:l.Mark()], "Thread "); thread >= 0 {
		l.Begin(thread)
	}
	for {
		line, ok := l.Next()
		if !ok {
			break
		}
		if machine && !r.row(strings.Split(line, "|")) || !machine && !r.line(line) {
			l.Back()
			break
		}
	}
	r.flush()
	return r.finish()
}

func (r *report) finish() []*process.Process {
	p := &r.d.Process
	if len(p.Threads) == 0 || len(p.Threads[0].Frames) == 0 {
		return nil
	}
	if r.os != "" {
		r.d.System(r.os, cpu.ByName(r.cpu))
		if p.System.Version = r.version; r.version != "" {
			p.Lacks &^= process.SystemVersion
		}
	}
	address, _, known := text.Hex(r.address)
	if p.Event = text.Fault(r.reason, address); p.Event != nil {
		p.Event.NoAddress = !known
	} else if reason := r.reason; reason != "" && reason != "No crash" {
		p.Problem = &process.Problem{Text: reason}
	}
	return []*process.Process{r.d.Finish()}
}

// line reads a line of a report for people, and reports whether the report goes on.
func (r *report) line(line string) bool {
	s := strings.TrimSpace(line)
	key, value, _ := strings.Cut(s, ":")
	value = strings.TrimSpace(value)
	indented := line != s
	number, isThread := strings.CutPrefix(s, "Thread ")
	_, name, isNumber := text.Decimal(number)
	_, frame, isFrame := text.Decimal(s)
	switch {
	case s == "":
	case key == "Operating system":
		if len(r.d.Process.Threads) > 0 {
			return false
		}
		r.os = process.Named(value)
	case key == "CPU":
		r.cpu = value
	case key == "Crash reason":
		r.reason = value
	case key == "Crash address":
		r.address = value
	case key == "Assertion":
		r.d.Process.Message = value
	case s == "Loaded modules:", s == "Unloaded modules:":
		r.flush()
		r.modules = s[0] == 'L'
	case isThread && isNumber:
		r.begin(name)
	case isFrame && strings.HasPrefix(frame, "  ") && len(r.d.Process.Threads) > 0:
		r.flush()
		f, ok := frameOf(strings.TrimSpace(frame))
		r.first, r.frame = len(r.last().Frames) == 0, &f
		return ok
	case s == "Found by: inlining" && r.frame != nil:
		r.frame.Inlined = true
	case strings.Contains(s, " = 0x") && r.frame != nil:
		r.registers(s)
	case r.modules && strings.HasPrefix(s, "0x"):
		r.module(s)
	case indented && r.version == "" && r.cpu == "":
		r.version = s
	default:
		return indented || len(r.d.Process.Threads) == 0
	}
	return true
}

func (r *report) last() *process.Thread { return &r.d.Process.Threads[len(r.d.Process.Threads)-1] }

// begin begins a thread: " (crashed)", " GLThread (requested dump, did not crash)".
func (r *report) begin(name string) {
	r.flush()
	name, state, _ := text.CutLast(name, "(")
	r.d.Thread(process.Thread{Name: strings.TrimSpace(name)})
	if state != "" && r.d.Process.Subject < 0 {
		r.d.Process.Subject = len(r.d.Process.Threads) - 1
	}
}

// uncertain stands in Crashglass's own text before a name that may be another function's. It is no part of the name.
const uncertain = "~ "

// frameOf reads a frame:
//
//	phantomjs + 0x464386
//	XUL!ReceivePort::WaitForMessage(MachReceiveMessage*, unsigned int) [mach_ipc_mac.mm : 237 + 0xf]
//	libsystem_kernel.dylib!mach_msg_trap + 0xa
//	0x7f1234
func frameOf(s string) (f text.Frame, ok bool) {
	before, offset, plus := text.CutLast(s, " + 0x")
	if name, source, ok := text.CutLast(s, " ["); ok && strings.HasSuffix(source, "]") && strings.Contains(source, " : ") {
		file, place, _ := text.CutLast(source, " : ")
		line, _, _ := text.Decimal(place)
		before, plus, f.Names.File, f.Names.Line = name, false, file, uint32(min(line, 1<<32-1))
	}
	at, isHex := text.IsHex(offset)
	module, function, named := strings.Cut(before, "!")
	addr, isAddr := text.IsHex(s)
	switch {
	case named:
		f.Names.Module, f.Names.Function, f.Names.Offset = module, strings.TrimPrefix(function, uncertain), at
	case plus && isHex:
		f.Image, f.Offset, f.HasOffset = before, at, true
	case isAddr && strings.HasPrefix(s, "0x"):
		f.Address = addr
	default:
		return f, false
	}
	return f, true
}

func (r *report) registers(s string) {
	if r.cpu == "" { // a report without its first lines
		if r.cpu = "x86"; strings.Contains(s, "rip = ") || strings.Contains(s, "rsp = ") {
			r.cpu = "amd64"
		}
	}
	if arch := cpu.ByName(r.cpu); arch != nil {
		text.Registers(s, arch, &r.regs)
	}
}

// flush adds the last frame. A return address tells nothing about an offset, which is that of the call.
func (r *report) flush() {
	if f, arch := r.frame, cpu.ByName(r.cpu); f != nil {
		if arch != nil && r.regs.Known() != 0 {
			if pc, known := r.regs.Get(arch.PC); known && !f.Inlined && (r.first || !f.HasOffset) {
				f.Address, f.Return = pc, !r.first
			}
			if r.first && !f.Inlined {
				r.last().Registers = &process.Registers{Arch: arch, Regs: r.regs}
			}
		}
		f.Interrupts = r.first
		r.d.Frame(*f)
	}
	r.frame, r.regs = nil, cpu.Regs{}
}

// module reads "0x00400000 - 0x00409fff  crashedapp  1.0  (main)".
func (r *report) module(s string) {
	base, rest, _ := text.Hex(s)
	end, rest, ok := text.Hex(strings.TrimPrefix(rest, " - "))
	name, rest, named := strings.Cut(strings.TrimLeft(rest, " "), "  ")
	if ok && named && end >= base && end-base < 1<<40 {
		id, _, _ := text.Between(rest, "(WARNING: No symbols, "+name+", ", ")")
		r.d.Image(text.Image{Path: name, DebugID: id, Base: base, HasBase: true, Size: end - base + 1})
	}
}

// row reads a line of a report for programs, and reports whether the report goes on:
//
//	OS|Linux|0.0.0 Linux 3.2.0
//	CPU|x86|GenuineIntel family 15|2
//	Crash|SIGSEGV|0x194|0
//	Module|phantomjs|1.0|phantomjs|DF4B1C0F0|0x08048000|0x0a3e1fff|1
//
//	0|0|phantomjs|main|main.cc|12|0x5
func (r *report) row(f []string) bool {
	for len(f) < 8 {
		f = append(f, "")
	}
	_, rest, number := text.Decimal(f[0])
	switch {
	case f[0] == "OS" && r.os == "" && r.cpu == "":
		r.os, r.version = process.Named(f[1]), f[2]
	case f[0] == "CPU":
		r.cpu = f[1]
	case f[0] == "Crash":
		r.reason, r.address, r.crashed = f[1], f[2], f[3]
	case f[0] == "Module":
		base, isBase := text.IsHex(f[5])
		end, isEnd := text.IsHex(f[6])
		if isBase && isEnd && end >= base && end-base < 1<<40 {
			r.d.Image(text.Image{Path: f[1], DebugID: f[4], Base: base, HasBase: true, Size: end - base + 1})
		}
	case number && rest == "" && f[6] != "":
		r.call(f)
	default:
		return f[0] == "" || f[0] == "GPU"
	}
	return true
}

// call adds a frame of a report for programs.
func (r *report) call(f []string) {
	if f[0] != r.thread || len(r.d.Process.Threads) == 0 {
		if f[0] == r.crashed && r.d.Process.Subject < 0 {
			r.d.Process.Subject = len(r.d.Process.Threads)
		}
		r.d.Thread(process.Thread{})
		r.thread = f[0]
	}
	out := text.Frame{Interrupts: f[1] == "0"}
	at, _ := text.IsHex(f[6])
	line, _, _ := text.Decimal(f[5])
	out.Names = process.Names{Module: f[2], Function: f[3], File: f[4], Line: uint32(min(line, 1<<32-1))}
	switch {
	case f[2] == "":
		out.Address = at
	case f[3] == "":
		out.Image, out.Offset, out.HasOffset = f[2], at, true
	case out.Names.Line == 0:
		out.Names.Offset = at
	}
	out.Names.File = cmp.Or(sourceOf(f[4]), f[4])
	r.d.Frame(out)
}

// sourceOf is the path in a place of a version control system, "hg:hg.mozilla.org/releases:xpcom/a.cpp:c3f4", "" for a plain path.
func sourceOf(s string) string {
	if parts := strings.Split(s, ":"); len(parts) == 4 {
		return parts[2]
	}
	return ""
}
