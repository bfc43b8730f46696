// Package markup reads stacks in LLVM's symbolizer markup, and what Fuchsia's crashsvc says of an exception, which has such a stack since 2020.
//
// An address is exact if it says so, or is the first one of an exception, and else a return address.
//
// Source: LLVM, docs/SymbolizerMarkupFormat.rst; Fuchsia, zircon/system/ulib/inspector/{inspector.cc,backtrace.cc} and zircon/syscalls/exception.h.
package markup

import (
	"slices"
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

const (
	kind      = "symbolizer markup"
	exception = "<== fatal"
)

// Family reads stacks and exceptions.
var Family = text.Family{Kinds: []string{kind}, Marks: append(slices.Clip(text.MarkupContext), "{{{bt:0:", exception), Read: read}

// exceptions are the types of exceptions by the words for them. zircon/syscalls/exception.h.
const exceptions text.Table = ";general fault=0x8;fatal page fault=0x108;undefined instruction=0x208;sw breakpoint=0x308;hw breakpoint=0x408;alignment fault=0x508" +
	";policy error=0x8208;general=0x8"

// cpus are those of lines of registers, by a register.
const cpus text.Table = ";RIP=amd64;lr=arm64"

type report struct {
	d      *text.Draft
	arch   *cpu.Arch
	regs   cpu.Regs
	frames int
}

// maxBetween is how many lines of other things may stand before the stack, or in it.
const maxBetween = 64

func read(l *text.Lines) []*process.Process {
	l.Begin(l.Mark())
	r := &report{d: text.NewDraft(kind)}
	for other := 0; other < maxBetween; {
		line, ok := l.Next()
		if !ok {
			break
		}
		other++
		if line = strings.TrimSpace(line); strings.HasPrefix(line, exception) && r.d.Process.PID != nil && !strings.Contains(line, ", PC at ") {
			l.Back() // the next one
			break
		}
		if r.line(line) {
			if other = 0; r.frames == 1 {
				l.Mapped(r.d)
			}
		} else if r.frames > 0 {
			l.Back()
			break
		}
	}
	if r.frames == 0 {
		return nil
	}
	p := &r.d.Process
	if r.d.System(process.Fuchsia, r.arch); p.Event == nil {
		if p.System = nil; r.frames < 2 {
			return nil
		}
		p.Problem = &process.Problem{Kind: process.Printed}
	} else if r.arch != nil {
		p.Threads[0].Registers = &process.Registers{Arch: r.arch, Regs: r.regs}
	}
	return []*process.Process{r.d.Finish()}
}

func (r *report) line(s string) bool {
	if f, how, ok := text.MarkupFrame(s); ok {
		r.frame(f.Number, f.Address, how)
		return true
	}
	if head, ok := strings.CutPrefix(s, "<== "); ok {
		return r.head(head)
	}
	if rest, ok := strings.CutPrefix(s, "bt#"); ok { // before markup: "bt#01: pc 0x1e18 sp 0x2781 (app:crasher,0x2bd7)"
		return r.old(rest)
	}
	for _, pair := range strings.Split(strings.Trim(string(cpus), ";"), ";") {
		name, _, _ := strings.Cut(pair, "=")
		if at := strings.Index(s, name); r.arch == nil && at >= 0 && strings.HasPrefix(strings.TrimLeft(s[at+len(name):], ": "), "0x") {
			r.arch = cpus.CPU(name)
		}
	}
	for _, name := range []string{"CR2:", "far "} {
		if _, after, ok := strings.Cut(s, name); ok && r.d.Process.Event != nil {
			addr, _, known := text.Hex(strings.TrimLeft(after, " "))
			r.d.Process.Event.Address, r.d.Process.Event.NoAddress = addr, !known || r.d.Process.Event.Access == process.UnknownAccess
		}
	}
	return r.arch != nil && text.Registers(s, r.arch, &r.regs) > 0
}

// head reads "fatal : process crasher[42410] thread initial-thread[42424]" and "write not-present page fault, PC at 0x1e1888dbbbd7".
func (r *report) head(s string) bool {
	if _, who, ok := strings.Cut(s, "process "); ok {
		name, rest, _ := strings.Cut(who, "[")
		if id, _, known := text.Decimal(rest); known {
			r.d.PID(id)
		}
		r.d.Annotate("process", name)
		thread, id, _ := text.Between(rest, " thread ", "[")
		n, _, _ := text.Decimal(id)
		r.d.Thread(process.Thread{ID: uint32(n), Name: thread})
		r.d.Process.Subject = 0
		return true
	}
	what, _, ok := strings.Cut(s, ", PC at ")
	if !ok {
		return false
	}
	code, _ := exceptions.Number(what)
	e := &process.Event{Code: code, NoAddress: true}
	if word, rest, _ := strings.Cut(what, " "); strings.HasSuffix(rest, "page fault") {
		e.Code, _ = exceptions.Number("fatal page fault")
		switch word {
		case "read":
			e.Access = process.Read
		case "write":
			e.Access = process.Write
		case "execute":
			e.Access = process.Execute
		}
	}
	r.d.Process.Event = e
	return true
}

// frame adds a frame. The first one of a stack without a head begins a thread.
func (r *report) frame(number, addr uint64, how string) {
	struck := number == 0 && r.d.Process.Event != nil
	if number == 0 && r.frames > 0 {
		r.d.Thread(process.Thread{})
	}
	r.frames++
	r.d.Frame(text.Frame{Address: addr, Return: how != "pc" && !struck, Interrupts: struck})
}

func (r *report) old(s string) bool {
	n, rest, ok := text.Decimal(s)
	_, rest, isFrame := strings.Cut(rest, ": pc ")
	addr, rest, isHex := text.Hex(rest)
	_, place, _ := text.CutGroup(rest)
	image, offset, known := strings.Cut(place, ",")
	at, _, hex := text.Hex(offset)
	if !ok || n == 0 || !isFrame || !isHex {
		return false
	}
	r.frames++
	r.d.Frame(text.Frame{Address: addr, Image: image, Offset: at, HasOffset: known && hex, Return: n > 1, Interrupts: n == 1})
	return true
}
