package apple

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// A crash is a report of text in the making.
type crash struct {
	d       *text.Draft
	version string
	cpu     string
	path    string // of the program
	section section
	said    []string // application specific information
	regs    cpu.Regs
	first   bool // the next frame is the innermost
	images  int
	nodes   []node // of the last thread, in a report of spindump; nil for another
	crashed bool   // the present thread crashed
}

// A section is what the lines belong to.
type section uint8

const (
	header section = iota
	information
	thread
	state
	images
	other
)

// keys are the facts of the header that a report keeps, beside those that become parts of the process.
const keys text.Table = ";Identifier=;Version=;Date/Time=;Report Version=;Exception Note=;Termination Reason=;Termination Signal=;VM Region Info=" +
	";Hardware Model=;Launch Time=;Error Code=;Platform=;Event="

func readCrash(l *text.Lines) []*process.Process {
	c := &crash{d: text.NewDraft(kind)}
	for {
		line, ok := l.Next()
		if !ok {
			break
		}
		if len(c.d.Process.Threads) > 0 && (strings.HasPrefix(line, "Incident Identifier: ") || strings.HasPrefix(line, "Process:  ") || strings.HasPrefix(line, powerMark)) {
			l.Back()
			break
		}
		if !c.spin(line) {
			c.line(line)
		}
	}
	c.branch(c.nodes)
	if c.nodes != nil {
		c.d.Process.Problem = &process.Problem{Kind: process.Sample}
		c.d.Process.Subject = -1
		for i, line := range l.Before(spinHead) {
			key, what, _ := strings.Cut(line, ":")
			what = strings.TrimSpace(what)
			if strings.HasSuffix(key, "Event") && what == "hang" {
				c.d.Process.Problem.Kind = process.Hang
			} else if strings.HasSuffix(key, "OS Version") {
				c.version = what
			} else {
				continue
			}
			l.Keep(i)
		}
	}
	if len(c.d.Process.Threads) == 0 || c.d.Process.Event == nil && c.images == 0 && c.nodes == nil {
		return nil
	}
	return []*process.Process{c.finish()}
}

// powerMark begins a process in a report about the use of a resource, which has one tree of all threads.
const powerMark = "Powerstats for:"

// spinHead is how many lines before the first process of a report of spindump are searched for what it is about.
const spinHead = 32

func (c *crash) finish() *process.Process {
	setSystem(c.d, c.version, c.cpu)
	said(c.d, c.said)
	c.d.Program(c.path)
	p := &c.d.Process
	if arch := p.Arch; arch != nil && c.regs.Known() != 0 && p.Subject >= 0 {
		p.Threads[p.Subject].Registers = &process.Registers{Arch: arch, Regs: c.regs}
	}
	return c.d.Finish()
}

func (c *crash) line(line string) {
	s := strings.TrimSpace(line)
	switch {
	case c.heading(s):
	case c.section == thread:
		c.frame(s)
	case c.section == state:
		c.registers(s)
	case c.section == images:
		c.image(s)
	case c.section == information && s != "":
		c.said = append(c.said, s)
	case c.section == information:
		c.section = header
	case c.section == header:
		c.fact(s)
	}
}

// heading reads a line that begins a section.
func (c *crash) heading(s string) bool {
	rest, isThread := strings.CutPrefix(s, "Thread ")
	_, after, _ := text.Decimal(rest)
	switch {
	case isThread && strings.Contains(s, " crashed with "):
		c.section = state
	case isThread && strings.HasPrefix(after, " name:"):
		c.name(strings.TrimPrefix(after, " name:"))
	case isThread && strings.HasSuffix(strings.TrimSpace(s), "instruction stream:"):
		c.section = other
	case isThread && (strings.HasPrefix(after, ":") || strings.HasPrefix(after, " Crashed:")):
		c.thread(rest, after)
	case s == "Last Exception Backtrace:":
		c.section, c.first = thread, false
		c.d.Thread(process.Thread{Name: "last exception", Role: process.Exception})
	case s == "Binary Images:":
		c.section = images
	case strings.HasPrefix(s, "Application Specific Information:"):
		c.section = information
	case c.section == thread && s == "":
		c.section = header
	case c.section >= state && s == "" && c.section != images:
		c.section = header
	default:
		return false
	}
	return true
}

// thread begins a thread: "0 Crashed::  Dispatch queue: com.apple.main-thread", "5:: NSEventThread", "3:".
func (c *crash) thread(number, after string) {
	id, _, _ := text.Decimal(number)
	c.crashed = strings.HasPrefix(after, " Crashed:")
	if c.crashed {
		c.d.Process.Subject = len(c.d.Process.Threads)
	}
	c.d.Thread(process.Thread{ID: uint32(id)})
	c.name(strings.TrimPrefix(strings.TrimPrefix(after, " Crashed"), ":"))
	c.section, c.first = thread, true
}

// name names the last thread: by itself or by its queue.
func (c *crash) name(s string) {
	s = strings.TrimSpace(strings.TrimPrefix(strings.TrimLeft(s, ": "), "Dispatch queue: "))
	if n := len(c.d.Process.Threads); n > 0 && s != "" {
		c.d.Process.Threads[n-1].Name = s
	}
}

// frame reads a frame:
//
//	0   CrashingTest   	 0x10e311e45 0x10e30e000 + 15941
//	2   dyld           	 0x11beb451e start + 462 (dyldMain.cpp:12)
func (c *crash) frame(s string) {
	_, rest, ok := text.Decimal(s)
	name, place, found := strings.Cut(rest, "0x")
	if !ok || !found {
		return
	}
	var f text.Frame
	addr, place, hex := text.Hex(place)
	if !hex {
		return
	}
	f.Address, f.Return = strip(addr), !c.first
	c.first = false
	f.Names.Module = strings.TrimSpace(name)
	place = strings.TrimSpace(place)
	if base, offset, ok := strings.Cut(place, " + "); ok && strings.HasPrefix(base, "0x") {
		at, _, known := text.Decimal(offset)
		start, isHex := text.IsHex(base)
		if known && isHex {
			f.Image, f.Offset, f.HasOffset = f.Names.Module, at, true
			c.d.Image(text.Image{Path: f.Image, Base: start, HasBase: true})
		}
	} else {
		c.function(&f.Names, place)
	}
	c.d.Frame(f)
}

// function reads "start + 462 (dyldMain.cpp:12)".
func (c *crash) function(n *process.Names, s string) {
	if before, source, ok := text.CutLast(s, " ("); ok && strings.HasSuffix(source, ")") {
		if file, line := text.Source(strings.TrimSuffix(source, ")")); line > 0 {
			s, n.File, n.Line = before, file, line
		}
	}
	n.Function = s
	if before, offset, ok := text.CutLast(s, " + "); ok {
		if at, rest, number := text.Decimal(offset); number && rest == "" {
			n.Function, n.Offset = before, at
		}
	}
	if n.Function == "???" || strings.HasPrefix(n.Function, "0x") {
		n.Function = ""
	}
}

// strip removes the signature of a pointer of arm64e. Addresses of user space have at most 47 bits.
func strip(addr uint64) uint64 { return addr & (1<<47 - 1) }

// registers reads a line of the state of the thread that crashed.
func (c *crash) registers(s string) {
	if arch := cpuOf(c.cpu); arch != nil {
		text.Registers(s, arch, &c.regs)
	}
}

// image reads an image:
//
//	0x10e30e000 - 0x10e311fff +CrashingTest (1.0) <01d2a9d5-1f8a-35c8-9228-7c7cca13c5fc> /Users/a/CrashingTest
//	0x100000000 - 0x10000ffff Game arm64  <85c4d31c0a04d35daa0c1023fe3aec59> /var/containers/Game.app/Game
func (c *crash) image(s string) {
	base, rest, ok := text.Hex(s)
	rest, dash := strings.CutPrefix(strings.TrimSpace(rest), "-")
	rest = strings.TrimSpace(rest)
	end, after, also := text.Hex(rest)
	if unknown, ok := strings.CutPrefix(rest, "???"); ok { // of a report about a resource
		end, after, also = base, unknown, true
	}
	uuid, path, marked := text.Between(after, "<", ">")
	if !ok || !dash || !also || !marked || end < base || end-base >= 1<<40 {
		return
	}
	name := strings.TrimPrefix(strings.TrimSpace(rest), "+")
	if i := strings.IndexAny(name, "(<"); i >= 0 {
		name = strings.TrimSpace(name[:i])
	}
	if path = strings.TrimSpace(path); path == "" || path == "???" {
		path = name
	}
	c.images++
	c.d.Rename(base, path)
	c.d.Image(imageOf(path, uuid, base, end-base+1))
}

// fact reads a line of the header.
func (c *crash) fact(s string) {
	key, value, ok := strings.Cut(s, ":")
	if value = strings.TrimSpace(value); !ok || value == "" {
		return
	}
	p := &c.d.Process
	switch key {
	case "Process", "Powerstats for":
		_, number, _ := text.CutLast(value, "[")
		if pid, _, ok := text.Decimal(number); ok {
			c.d.PID(pid)
		}
		c.d.Annotate(key, value)
	case "Code Type", "Architecture":
		c.cpu = value
	case "OS Version":
		c.version = value
	case "Path":
		c.path = value
		c.d.Annotate(key, value)
	case "Exception Type":
		exception, signal, _ := strings.Cut(strings.TrimSuffix(value, ")"), " (")
		if _, known := text.Mach.Of(exception); !known {
			exception, signal = "", exception
		}
		p.Event = eventOf(exception, signal)
	case "Exception Codes", "Exception Subtype":
		setCode(p.Event, value)
	default:
		if key == "Error Code" && p.Event != nil {
			p.Event.Access = accessIn(value)
		}
		if _, kept := keys.Of(key); kept {
			c.d.Annotate(key, value)
		}
	}
}

// accessIn finds the access in "0x00000006 (no mapping for user data write)" and "0x92000046 (Data Abort) byte write Translation fault".
func accessIn(s string) process.Access {
	switch {
	case strings.Contains(s, "write"):
		return process.Write
	case strings.Contains(s, "read"):
		return process.Read
	case strings.Contains(s, "instruction fetch"), strings.Contains(s, "Instruction Abort"):
		return process.Execute
	}
	return process.UnknownAccess
}
