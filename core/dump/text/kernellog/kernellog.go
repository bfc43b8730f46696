// Package kernellog reads the lines in which Linux tells of a fault of a process: "segfault at …" and
// "traps: … trap divide error …", with the code around the instruction where it is printed, and on other CPUs "unhandled … fault …".
//
// A line states the instruction, the address and a place in a file. Everything else is unknown; the CPU follows from the words.
// The place is an offset in the file of the module, and not from its base.
//
// Source: Linux, arch/x86/mm/fault.c (show_signal_msg), arch/x86/kernel/traps.c (do_trap, show_signal),
// mm/memory.c (print_vma_addr), arch/x86/kernel/dumpstack.c (show_opcodes).
//
// Read this file first, which has x86, then others.go.
package kernellog

import (
	"bytes"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// Family reads faults in the kernel's log.
var Family = text.Family{
	Kinds: []string{"kernel log"},
	Marks: []string{"]: segfault at ", "] trap ", "] general protection fault ip:", "]: unhandled ", ": unhandled page fault (", " nip "},
	Read:  read,
}

// A trap is what the kernel calls an exception, with the signal that the process gets.
// Source: arch/x86/kernel/traps.c.
type trap struct {
	name   string
	signal uint32
	code   uint32 // si_code
}

var traps = []trap{
	{"divide error", sigfpe, 1}, // FPE_INTDIV
	{"invalid opcode", sigill, 2},
	{"general protection fault", sigsegv, siKernel}, {"general protection", sigsegv, siKernel},
	{"stack segment", sigbus, siKernel}, {"alignment check", sigbus, 1}, {"bounds", sigsegv, siKernel},
	{"int3", sigtrap, siKernel}, {"x87 FPU exception", sigfpe, 0}, {"SIMD exception", sigfpe, 0},
}

// Numbers of signals, and SI_KERNEL, on x86. asm/signal.h, asm-generic/siginfo.h.
const (
	sigill   = 4
	sigtrap  = 5
	sigbus   = 7
	sigfpe   = 8
	sigsegv  = 11
	siKernel = 0x80
)

// Bits of a page fault's error code. Intel SDM, volume 3, "Page-Fault Error Code".
const (
	protection = 1 << 0
	write      = 1 << 1
	fetch      = 1 << 4
	key        = 1 << 5
)

func read(l *text.Lines) []*process.Process {
	d := text.NewDraft("kernel log")
	line, ok := parse(l.First())
	if !ok {
		if line, ok = other(l.First()); !ok {
			return nil
		}
	}
	l.Begin(line.begin)
	l.Next()
	arch, regs := line.arch, &cpu.Regs{}
	if line.where == "" {
		regs.Set(arch.PC, line.ip)
		regs.Set(arch.SP, line.sp)
	} else {
		line.state(l, regs)
	}
	d.System(process.Linux, arch)
	d.Process.Event, d.Process.Subject = &line.event, 0
	d.Thread(process.Thread{ID: line.thread, Name: line.name, Registers: &process.Registers{Arch: arch, Regs: *regs}})
	if line.file != "" {
		d.Image(text.Image{Path: line.file, Offsets: line.of, Base: line.ip - line.offset, HasBase: true})
	}
	d.Frame(text.Frame{Address: line.ip, Image: line.file, Offset: line.offset, HasOffset: line.file != "", Interrupts: true})
	p := d.Finish()
	if line.where == "" {
		code(l, p, line.ip)
	}
	return []*process.Process{p}
}

// A line is a fault.
type line struct {
	begin  int    // the column of the message
	name   string // of the thread, of 15 bytes at most
	thread uint32
	event  process.Event
	ip, sp uint64
	digits int    // of ip
	file   string // without folders
	offset uint64
	of     module.Offsets // what offset is
	arch   *cpu.Arch
	where  string // the words behind the name, for other CPUs: the place needs the registers
}

// parse reads a line with its prefix:
//
//	knob[29093]: segfault at dead0 ip 00007fb6fc24a0fb sp 00007ffcd3e239e8 error 6 in libdial.so[10fb,7fb6fc24a000+1000]
//	traps: knob[29093] trap divide error ip:55d4c76f913d sp:7ffd2bcb788 error:0 in knob[113d,55d4c76f9000+1000]
//	traps: knob[29093] general protection fault ip:55d4c76f913d sp:7ffd2bcb788 error:0 in knob[55d4c76f9000+1000]
func parse(s string) (out line, ok bool) {
	who, rest, fault := strings.Cut(s, "]: segfault at ")
	if !fault {
		if who, rest, ok = strings.Cut(s, "] trap "); !ok {
			who, rest, ok = strings.Cut(s, "] ")
			for ok && !strings.HasPrefix(rest, "general protection fault") {
				var more string
				more, rest, ok = strings.Cut(rest, "] ")
				who += "] " + more
			}
		}
	}
	if !fault && !ok || !out.writer(who) {
		return line{}, false
	}
	if fault {
		return out, out.fault(rest)
	}
	return out, out.trap(rest)
}

// maxName is the length of a thread's name, TASK_COMM_LEN without its NUL. linux/sched.h.
const maxName = 15

// writer reads the thread's name and ID, which end what is before the fault. A name may have spaces, and
// its beginning is that of the message: behind "traps: ", the time, or the collector's colon.
func (l *line) writer(who string) bool {
	name, id, ok := text.CutLast(who, "[")
	n, rest, number := text.Decimal(id)
	if !ok || !number || rest != "" {
		return false
	}
	for _, sep := range []string{"traps: ", ": ", "] ", "> ", "| "} {
		if _, after, found := text.CutLast(name, sep); found {
			name = after
		}
	}
	if time, last, _ := text.CutLast(name, " "); strings.Contains(time, ":") && len(name) > maxName {
		name = last
	}
	l.begin, l.name, l.thread = strings.LastIndex(who, name), name, uint32(n)
	return name != "" && len(name) <= maxName
}

// fault reads the rest of a page fault's line.
func (l *line) fault(s string) bool {
	addr, s, ok := text.Hex(s)
	_, s, ip := strings.Cut(s, " ip ")
	_, sp, _ := strings.Cut(s, " sp ")
	code, place, known := strings.Cut(sp, " error ")
	bits, place, hex := text.Hex(place)
	if !ok || !ip || !known || !hex || !l.registers(s, code) {
		return false
	}
	l.event = process.Event{Code: sigsegv, Flags: 1, Address: addr, Access: process.Read}
	if bits&protection != 0 {
		l.event.Flags = 2
	}
	switch {
	case bits&key != 0:
		l.event.Flags = 4
	case bits&fetch != 0:
		l.event.Access = process.Execute
	}
	if bits&write != 0 {
		l.event.Access = process.Write
	}
	l.place(place)
	return true
}

// trap reads the rest of another exception's line.
func (l *line) trap(s string) bool {
	name, s, ok := strings.Cut(s, " ip:")
	_, sp, known := strings.Cut(s, " sp:")
	_, place, _ := strings.Cut(sp, " error:")
	if !ok || !known || !l.registers(s, sp) {
		return false
	}
	for _, t := range traps {
		if t.name == name {
			l.event = process.Event{Code: t.signal, Flags: t.code, NoAddress: true}
			if t.code == 1 || t.code == 2 { // the address of these is that of the instruction
				l.event.Address, l.event.NoAddress = l.ip, false
			}
			_, place, _ = text.Hex(place)
			l.place(place)
			return true
		}
	}
	return false
}

func (l *line) registers(ip, sp string) bool {
	var rest string
	var ok, also bool
	l.ip, rest, ok = text.Hex(ip)
	if l.digits, l.arch = len(ip)-len(rest), &cpu.AMD64; l.digits == 8 {
		l.arch = &cpu.X86
	}
	l.sp, _, also = text.Hex(sp)
	return ok && also
}

// place reads the module: " in FILE[OFFSET,START+SIZE]", or without OFFSET in older kernels. START is
// that of the mapping.
func (l *line) place(s string) {
	s, ok := strings.CutPrefix(s, " in ")
	name, _, _ := strings.Cut(s, " likely on CPU ")
	file, in, found := text.CutLast(strings.TrimRight(name, " "), "[")
	in, closed := strings.CutSuffix(in, "]")
	if !ok || !found || !closed {
		return
	}
	if offset, rest, known := text.Hex(in); known && strings.HasPrefix(rest, ",") {
		l.file, l.offset, l.of = file, offset, module.InFile
		return
	}
	if start, rest, known := text.Hex(in); known && strings.HasPrefix(rest, "+") {
		l.file, l.offset, l.of = file, l.ip-start, module.InCode
	}
}

// code reads the bytes around the instruction: "Code: 89 f0 <89> 37 c3". A byte that cannot be read ends
// them.
func code(l *text.Lines, p *process.Process, ip uint64) {
	next, ok := l.Peek()
	_, list, found := strings.Cut(next, "Code: ")
	if !ok || !found {
		return
	}
	l.Next()
	var data []byte
	at := -1
	for _, word := range strings.Fields(list) {
		inner, here := strings.CutPrefix(word, "<")
		b, ok := text.IsHex(strings.TrimSuffix(inner, ">"))
		if !ok || b > 0xff || len(data) >= 256 {
			break
		}
		if here {
			at = len(data)
		}
		data = append(data, byte(b))
	}
	if at < 0 || uint64(at) > ip {
		return
	}
	pages := process.NewPager(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	ranges := []process.Range{{Base: ip - uint64(at), Location: process.Location{Size: uint64(len(data))}}}
	p.Memory = process.NewMemory(pages, false, ranges, p.Note)
}
