// Package oops reads what the kernel of Linux says when it fails itself: a fault ("Oops"), BUG, a panic, what KASAN found, a warning, and a
// processor or a task that does not go on. It has functions with offsets, and seldom addresses.
//
// A line of the stack that begins with a question mark is a guess of the kernel and left out.
//
// Source: Linux, arch/x86/mm/fault.c (show_fault_oops), arch/x86/kernel/dumpstack.c (show_trace_log_lvl, __show_regs), arch/arm64/mm/fault.c
// (die_kernel_fault), arch/arm64/kernel/stacktrace.c, arch/arm/kernel/traps.c, lib/bug.c, kernel/panic.c, mm/kasan/report.c, kernel/watchdog.c,
// kernel/hung_task.c.
package oops

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

const kind = "kernel oops"

// Family reads failures of the kernel.
var Family = text.Family{Kinds: []string{kind}, Marks: marks(), Read: read}

// A head is a beginning, and what it means.
type head struct {
	mark    string
	problem process.ProblemKind
	signal  uint32 // of a fault, 0 for a problem
	begin   string // of the line, if the mark is in its middle
}

var heads = []head{
	{"BUG: unable to handle ", 0, sigsegv, ""}, {"BUG: kernel NULL pointer dereference", 0, sigsegv, ""}, {"Unable to handle kernel ", 0, sigsegv, ""},
	{"general protection fault, ", 0, sigsegv, ""}, {"divide error: ", 0, sigfpe, ""}, {"invalid opcode: ", 0, sigill, ""},
	{"general protection fault: ", 0, sigsegv, ""}, {"BUG: KASAN: ", process.OtherProblem, 0, ""}, {"kernel BUG at ", process.FailedCheck, 0, ""},
	{"Kernel panic - not syncing: ", process.Panic, 0, ""}, {"BUG: soft lockup - ", process.Hang, 0, ""}, {"NMI watchdog: ", process.Hang, 0, ""},
	{" blocked for more than ", process.Hang, 0, "INFO: task "}, {"WARNING: CPU: ", process.Printed, 0, ""}, {"WARNING: at ", process.Printed, 0, ""},
	{"BUG: sleeping function called from ", process.LockMisuse, 0, ""}, {"possible recursive locking detected", process.LockMisuse, 0, "[ INFO: "},
	{"possible circular locking dependency", process.LockOrder, 0, "[ INFO: "}, {"inconsistent lock state", process.LockMisuse, 0, "[ INFO: "},
	{"suspicious RCU usage", process.Printed, 0, "[ INFO: "},
}

// Signals that a process would get. asm/signal.h.
const (
	sigill   = 4
	sigfpe   = 8
	sigsegv  = 11
	siKernel = 0x80 // asm-generic/siginfo.h
)

// errors are what KASAN calls an error, behind which is the function.
const errors text.Table = ";use-after-free=1;slab-use-after-free=1;out-of-bounds=2;slab-out-of-bounds=2;stack-out-of-bounds=3;global-out-of-bounds=4;double-free=7;invalid-free=8" +
	";vmalloc-out-of-bounds=2"

func marks() (all []string) {
	for _, h := range heads {
		all = append(all, h.mark)
	}
	return all
}

type report struct {
	d       *text.Draft
	arch    *cpu.Arch
	regs    cpu.Regs
	event   *process.Event
	problem process.Problem
	thread  process.Thread
	frames  int
	placed  bool   // the program counter was read
	blamed  string // the function that KASAN names: frames before it are its own
	inTrace bool
	traced  bool // a stack was read
	inUser  bool // registers are those of the process that called
	others  int
}

// How many lines of other things may follow one another: before the first stack, memory around registers, and behind it.
const (
	maxMemory = 512
	maxOthers = 48
)

func read(l *text.Lines) []*process.Process {
	first := l.First()[l.Mark():]
	r := &report{d: text.NewDraft(kind)}
	for _, h := range heads {
		if strings.HasPrefix(first, h.mark) {
			l.Begin(l.Mark())
			if before := strings.LastIndex(l.First()[:l.Mark()], h.begin); h.begin != "" && before >= 0 {
				l.Begin(before)
			}
			r.begin(&h, strings.TrimPrefix(first, h.mark), first)
			break
		}
	}
	for l.Next(); r.others < maxOthers || !r.traced && r.others < maxMemory; {
		line, ok := l.Next()
		if !ok {
			break
		}
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "---[ end ") {
			break
		}
		if r.frames > 0 && isHead(line) { // the next failure
			l.Back()
			break
		}
		r.line(line)
	}
	if r.frames == 0 {
		return nil
	}
	r.d.System(process.Linux, r.arch)
	p := &r.d.Process
	if p.Subject = 0; r.event != nil {
		p.Event = r.event
		if r.arch != nil {
			p.Threads[0].Registers = &process.Registers{Arch: r.arch, Regs: r.regs}
		}
	} else if p.Problem = &r.problem; r.problem.Kind == process.Printed {
		p.Subject = -1
	}
	return []*process.Process{r.d.Finish()}
}

func isHead(line string) bool {
	for _, h := range heads {
		if strings.Contains(line, h.mark) {
			return true
		}
	}
	return false
}

// begin reads the words of the first line.
func (r *report) begin(h *head, words, line string) {
	if h.signal == 0 {
		r.problem = process.Problem{Kind: h.problem, Text: strings.TrimSpace(words)}
		if name, _, ok := strings.Cut(words, " in "); ok && h.mark == "BUG: KASAN: " {
			n, _ := errors.Number(name)
			r.problem.Kind, r.problem.Text = process.ProblemKind(n), name
			if f, ok := frameOf(words[len(name)+len(" in "):]); ok {
				r.blamed = f.Names.Function
			}
		}
		return
	}
	r.event = &process.Event{Code: h.signal, NoAddress: true}
	if strings.HasPrefix(line, "general") {
		r.event.Flags = siKernel
	}
	for _, before := range []string{" address: ", " address ", " at "} {
		if _, after, ok := strings.Cut(line, before); ok {
			addr, _, known := text.Hex(after)
			if known && h.signal == sigsegv && !strings.HasPrefix(line, "general") {
				r.event.Address, r.event.NoAddress, r.event.Flags = addr, false, 1 // SEGV_MAPERR
				break
			}
		}
	}
	r.access(line)
	for _, f := range refusals {
		if strings.Contains(line, f.words) {
			r.event.Access, r.event.Flags = f.access, f.flags
		}
	}
}

// refusals are what arm64 says of memory that is mapped. arch/arm64/mm/fault.c, __do_kernel_fault.
var refusals = []struct {
	words  string
	access process.Access
	flags  uint32
}{
	{"kernel write to read-only memory", process.Write, segvAccErr}, {"kernel execute from non-executable memory", process.Execute, segvAccErr},
	{"kernel read from unreadable memory", process.Read, segvAccErr}, {"kernel access to user memory", process.UnknownAccess, segvAccErr},
	{"kernel execution of user memory", process.Execute, segvAccErr},
}

// segvAccErr says that the memory is mapped. asm-generic/siginfo.h.
const segvAccErr = 2

// code reads the processor's description of a fault: "Oops: 0003 [#1] SMP" of x86, "Internal error: Oops: 0000000096000047 [#1]" of arm64, and
// "Internal error: Oops: 80f [#1] ARM". Sources: Linux, arch/x86/include/asm/trap_pf.h, arch/arm64/include/asm/esr.h, arch/arm/mm/fault.h.
func (r *report) code(s string) {
	before, rest, ok := strings.Cut(s, "Oops: ")
	v, end, isHex := text.Hex(rest)
	if !ok || !isHex || r.event == nil || r.event.Code != sigsegv || r.event.Flags == siKernel {
		return
	}
	denied, access := false, process.Read
	switch digits := len(rest) - len(end); {
	case !strings.HasSuffix(before, "Internal error: "): // x86
		denied = v&1 != 0
		if v&2 != 0 {
			access = process.Write
		}
		if v&0x10 != 0 {
			access = process.Execute
		}
	case digits >= 8: // arm64: the class is that of an abort, of an instruction or of data
		class := v >> 26 & 0x3f
		if class != 0x21 && class != 0x25 {
			return
		}
		denied = v&0x3c == 0xc
		if class == 0x21 {
			access = process.Execute
		} else if v&0x40 != 0 {
			access = process.Write
		}
	case strings.HasSuffix(strings.TrimSpace(s), " ARM") || strings.HasSuffix(strings.TrimSpace(s), " THUMB2"):
		denied = v&0x40d == 0xd
		if access = process.UnknownAccess; v&0x800 != 0 {
			access = process.Write
		}
	default:
		return
	}
	if denied {
		r.event.Flags = segvAccErr
	}
	if r.event.Access == process.UnknownAccess {
		r.event.Access = access
	}
}

func (r *report) access(line string) {
	switch _, what, _ := strings.Cut(line, "supervisor "); {
	case strings.HasPrefix(what, "write"):
		r.event.Access = process.Write
	case strings.HasPrefix(what, "read"):
		r.event.Access = process.Read
	case strings.HasPrefix(what, "instruction"):
		r.event.Access = process.Execute
	}
}

// line reads a line behind the first one.
func (r *report) line(s string) {
	r.others++
	switch {
	case s == "Call Trace:", s == "Call trace:", s == "Backtrace: ", s == "Backtrace:", s == "stack backtrace:", strings.HasPrefix(s, "Stack Trace:"):
		if r.inTrace, r.others = true, 0; r.traced { // of another processor
			r.d.Thread(process.Thread{})
		}
		return
	case strings.HasPrefix(s, "Freed by task"), strings.HasPrefix(s, "Allocated by task"), strings.HasPrefix(s, "Last potentially related work"):
		r.role(s)
		return
	case strings.HasPrefix(s, "#PF: ") && r.event != nil:
		if r.access(s); strings.Contains(s, "permissions violation") {
			r.event.Flags = segvAccErr
		}
		return
	case strings.HasPrefix(s, "RIP: 0033:"), strings.HasPrefix(s, "The buggy address "), strings.HasPrefix(s, "Code: ") && r.frames > 1: // of the process that called
		r.inTrace, r.inUser = false, true
		return
	}
	r.code(s)
	if _, rest, ok := strings.Cut(strings.Replace(s, ", comm: ", ", Comm: ", 1), " Comm: "); ok && r.thread.Name == "" { // before 3.10: "Pid: 3, comm: ksoftirqd/0"
		name, _, _ := strings.Cut(rest, " ")
		_, id, _ := strings.Cut(strings.Replace(s, "Pid: ", "PID: ", 1), "PID: ")
		n, _, _ := text.Decimal(id)
		r.thread.ID, r.thread.Name = uint32(n), name
		return
	}
	for _, pc := range pcs {
		if rest, ok := strings.CutPrefix(s, pc.before); ok && !r.placed {
			if f, ok := frameOf(rest); ok {
				r.arch, r.placed, f.Interrupts = cpu.ByName(pc.arch), true, true
				r.frame(f)
				return
			}
		}
	}
	if f, ok := frameOf(s); ok && r.inTrace {
		r.traced = true
		f.Return = f.Address != 0
		r.frame(f)
		return
	}
	if rest, ok := strings.CutPrefix(s, "CR2: "); ok && r.event != nil && r.event.NoAddress && r.event.Code == sigsegv {
		addr, _, known := text.Hex(rest)
		r.event.Address, r.event.NoAddress = addr, !known || addr == 0
	}
	if r.arch != nil && !r.inTrace && !r.inUser {
		text.Registers(strings.NewReplacer("RSP: 0018:", "RSP: ", " : ", " ").Replace(s), r.arch, &r.regs)
	}
}

// pcs are what is before the program counter.
var pcs = []struct{ before, arch string }{
	{"RIP: 0010:", "amd64"}, {"EIP: ", "x86"}, {"EIP is at ", "x86"}, {"pc : ", "arm64"}, {"PC is at ", "arm"}, {"epc : ", "riscv64"}, {"NIP ", "ppc64"},
}

// role begins the stack of a task that allocated or freed memory.
func (r *report) role(s string) {
	role := process.Freed
	switch {
	case strings.HasPrefix(s, "Allocated"):
		role = process.Allocated
	case strings.HasPrefix(s, "Last"):
		role = process.Created
	}
	r.inTrace, r.others = true, 0
	r.d.Thread(process.Thread{Name: strings.TrimSuffix(s, ":"), Role: role})
	r.frames++
}

func (r *report) frame(f text.Frame) {
	if r.frames == 0 {
		r.d.Thread(r.thread)
	}
	// The stack of a fault may begin with the function that failed, and that of a check with the function that reports it.
	if t := r.d.Process.Threads; r.frames == 1 && len(t) > 0 && len(t[0].Frames) == 1 && r.placed {
		if was := t[0].Frames[0].Stated; was.Function == f.Names.Function && was.Offset == f.Names.Offset {
			return
		}
	}
	if t := r.d.Process.Threads; r.blamed != "" && f.Names.Function == r.blamed && len(t) == 1 {
		t[0].Frames, r.blamed = nil, ""
	}
	r.frames++
	r.others = 0
	r.d.Frame(f)
}

// frameOf reads a function: "clear_page_orig+0x12/0x40", "[<ffffffff81000010>] f+0x10/0x20 [ext4]", "[c0f3] [d000] .f+0x1/0x2 [ext4]", "f from g+0x20/0x40".
func frameOf(s string) (f text.Frame, ok bool) {
	if _, caller, from := strings.Cut(s, " from "); from {
		s = caller
	}
	for strings.HasPrefix(s, "[<") { // twice behind RIP, before 4.9
		addr, after, isHex := text.Hex(s[2:])
		after, closed := strings.CutPrefix(after, ">] ")
		if !isHex || !closed {
			return f, false
		}
		f.Address, s = addr, strings.TrimPrefix(strings.TrimLeft(after, " "), "(")
	}
	for strings.HasPrefix(s, "[") { // of PowerPC: stack pointer and address
		word, after, closed := strings.Cut(s[1:], "] ")
		addr, isHex := text.IsHex(word)
		if !isHex || !closed {
			return f, false
		}
		f.Address, s = addr, after
	}
	name, rest, ok := strings.Cut(s, "+0x")
	offset, rest, isOffset := text.Hex(rest)
	size, isSized := strings.CutPrefix(rest, "/0x")
	_, rest, also := text.Hex(size)
	if !ok || !isOffset || !isSized || !also || name == "" || strings.ContainsAny(name, " ?:<[") {
		return f, false
	}
	f.Names = process.Names{Function: name, Offset: offset, Module: "vmlinux"}
	if module, _, loaded := text.Between(rest, "[", "]"); loaded {
		f.Names.Module, _, _ = strings.Cut(module, " ")
	} else if place := strings.TrimSpace(rest); strings.HasPrefix(place, "(") && strings.HasSuffix(place, ")") { // of decode_stacktrace.sh
		f.Names.File, f.Names.Line = text.Source(place[1 : len(place)-1])
	}
	return f, true
}
