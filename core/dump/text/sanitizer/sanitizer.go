// Package sanitizer reads what LLVM's and GCC's sanitizers print: AddressSanitizer, HWAddressSanitizer,
// MemorySanitizer, ThreadSanitizer, LeakSanitizer, UndefinedBehaviorSanitizer, and GWP-ASan.
//
// A report has a headline, stacks with headings, and facts. The first stack is where it happened, and the
// others are stacks of their own with a role: where the memory was freed and allocated, the previous access.
// Addresses are exact, because sanitizers step back into the call when they print. Those of GWP-ASan are return addresses. Frames of one address
// are calls that were inlined into the last of them.
//
// Source: LLVM, compiler-rt/lib/sanitizer_common/sanitizer_stacktrace_printer.cpp and
// sanitizer_symbolizer_report.cpp, compiler-rt/lib/asan/asan_errors.cpp and asan_descriptions.cpp,
// lib/tsan/rtl/tsan_report.cpp, lib/lsan/lsan_common.cpp, lib/msan/msan_report.cpp, lib/ubsan/ubsan_diag.cpp,
// lib/hwasan/hwasan_report.cpp, lib/gwp_asan/optional/segv_handler_posix.cpp.
//
// Read this file first, then heads.go, which has the headlines, and registers.go. Package text reads the frames.
package sanitizer

import (
	"cmp"
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

const kind = "sanitizer report"

// Family reads reports of sanitizers.
var Family = text.Family{
	Kinds: []string{kind},
	Marks: []string{"Sanitizer: ", "== ERROR: libFuzzer: ", ": runtime error: ", "*** GWP-ASan detected a memory error ***"},
	Read:  read,
}

type report struct {
	d       *text.Draft
	l       *text.Lines
	h       head
	last    *text.Numbered // of the stack that is being read, which waits for the next line
	traced  []text.Frame   // of that stack, as glibc found them
	heading string         // the last line that is no frame
	stacks  int            // under the present headline
	blank   bool           // the last line was empty
	printed bool           // the next lines are registers
	arch    *cpu.Arch      // whose registers are printed
	regs    cpu.Regs
}

func read(l *text.Lines) []*process.Process {
	h, ok := headOf(l.First())
	if !ok {
		return nil
	}
	l.Begin(h.column)
	l.Next()
	r := &report{d: text.NewDraft(kind), l: l}
	r.begin(h)
	for r.line() {
	}
	r.close()
	if r.stacks == 0 && h.place == "" && h.pc == 0 {
		return nil
	}
	r.finish()
	return []*process.Process{r.d.Finish()}
}

// begin begins a report, or the next one of a process: UndefinedBehaviorSanitizer reports what does not end the program, and then perhaps
// it or another tool what does. The last one is the subject.
func (r *report) begin(h head) {
	r.h, r.stacks, r.heading = h, 0, ""
	r.d.Process.Subject = len(r.d.Process.Threads)
}

// line reads a line, and reports whether the report goes on.
func (r *report) line() bool {
	line, ok := r.l.Next()
	if !ok {
		return false
	}
	line = strings.TrimSpace(line)
	if f, ok := text.ParseNumbered(line); ok && (f.Begins() || r.last != nil && f.Number == r.last.Number+1) {
		if r.frame(&f); strings.HasPrefix(f.Line, "{{{") {
			r.l.Mapped(r.d)
		}
		return true
	}
	if r.wrapped(line) {
		return true
	}
	if r.blank = line == ""; r.blank {
		return true // logs of Android have empty lines between frames
	}
	r.close()
	if r.registers(line) {
		return true
	}
	if h, ok := headOf(line); ok {
		if r.h.place == "" {
			r.l.Back()
			return false
		}
		r.withoutStack()
		r.begin(h)
		return true
	}
	return r.sentence(line)
}

// sentence reads a line of words.
func (r *report) sentence(line string) bool {
	switch {
	case r.h.place != "" && (strings.HasSuffix(line, ":DEADLYSIGNAL") || strings.Trim(line, "=") == ""):
	case strings.HasPrefix(line, "SUMMARY: "):
		r.summary(line)
		return r.h.place != ""
	case r.h.place != "" && r.stacks > 0, strings.HasSuffix(line, "==ABORTING"), strings.HasPrefix(line, "=========="):
		r.l.Back()
		return false
	case r.h.kind == process.OtherProblem && r.h.event == nil && r.h.gwp(line), r.h.reads(line):
		r.heading = line
	case r.h.kind == process.TagMismatch && r.h.cause(line):
	default:
		r.heading = line
		r.fact(line)
	}
	return true
}

// summary reads the line that ends a report. Of leaks, it has the sum.
func (r *report) summary(line string) {
	_, said, _ := strings.Cut(line, "Sanitizer: ")
	if i := strings.Index(said, ") in "); i >= 0 {
		said = said[:i+1]
	}
	if f, ok := text.ParseNumbered("#0 0x0 " + said); ok && f.HasOffset {
		r.d.Image(text.Image{Path: f.Image, BuildID: f.BuildID})
	}
	if r.h.kind == process.Leak {
		r.h.text = strings.TrimSuffix(said, ".")
	}
}

// frame adds the frame before this one, which is inlined if both have one place.
func (r *report) frame(f *text.Numbered) {
	if f.Number == 0 {
		r.close()
		r.stack()
	}
	if r.last != nil {
		r.last.Inlined = r.last.Place() == f.Place()
		r.flush()
	}
	r.last, r.blank = f, false
}

func (r *report) flush() {
	if r.last.Return {
		r.traced = append(r.traced, r.last.Frame)
	} else {
		r.d.Frame(r.last.Frame)
	}
	if r.last.BuildID != "" {
		r.d.Image(text.Image{Path: r.last.Image, BuildID: r.last.BuildID})
	}
	r.last = nil
}

func (r *report) close() {
	if r.last != nil {
		r.flush()
	}
	text.MarkInterrupted(r.traced)
	for _, f := range r.traced {
		r.d.Frame(f)
	}
	r.traced = nil
}

// stack begins a stack under the last heading.
func (r *report) stack() {
	t := process.Thread{Name: strings.TrimSuffix(r.heading, ":")}
	if r.stacks++; r.stacks == 1 {
		t.Name = ""
	} else {
		t.Role = roleOf(r.heading)
	}
	r.d.Thread(t)
	r.heading = ""
}

var roles = []struct {
	part string
	role process.Role
}{
	{"freed by thread", process.Freed}, {"deallocated by thread", process.Freed}, {"allocated by", process.Allocated}, {"allocated from:", process.Allocated},
	{"Previous ", process.Previous}, {"revious atomic", process.Previous}, {"created by", process.Created}, {"created at", process.Created},
	{"was stored to memory", process.Stored}, {" in frame", process.Declared}, {"acquired here", process.Previous},
}

func roleOf(heading string) process.Role {
	for _, r := range roles {
		if strings.Contains(heading, r.part) {
			return r.role
		}
	}
	return process.OfThread
}

// wrapped joins a frame with its next line, if only both together have a module or a source line.
func (r *report) wrapped(line string) bool {
	if r.last == nil || r.blank || line == "" || r.last.HasOffset || r.last.Names.Line > 0 {
		return false
	}
	for _, sep := range []string{" ", ""} {
		if f, ok := text.ParseNumbered(r.last.Line + sep + line); ok && (f.HasOffset || f.Names.Line > 0) {
			r.last = &f
			return true
		}
	}
	return false
}

// facts are parts of sentences that the report keeps.
var facts = []struct{ part, name string }{
	{" is located ", "address"}, {"The signal is caused by ", "access"}, {"Hint: ", "hint"}, {"this variable", "variable"},
	{"Location is ", "location"}, {"Uninitialized value was", "value"},
}

func (r *report) fact(line string) {
	for _, f := range facts {
		if strings.Contains(line, f.part) {
			r.d.Annotate(f.name, line)
		}
	}
}

// withoutStack adds the source line of UndefinedBehaviorSanitizer as a frame, if there is no stack, or the program counter of a fault: a jump to
// an address without code has none.
func (r *report) withoutStack() {
	if r.stacks > 0 || r.h.place == "" && r.h.pc == 0 {
		return
	}
	f := text.Frame{Address: r.h.pc}
	f.Names.File, f.Names.Line = text.Source(r.h.place)
	r.d.Thread(process.Thread{})
	r.d.Frame(f)
}

// finish sets the facts. The registers of a fault name the CPU, and other reports leave it open.
func (r *report) finish() {
	r.withoutStack()
	p := &r.d.Process
	r.d.System(cmp.Or(r.h.os, process.Linux), r.arch)
	r.setRegisters(p)
	if p.Event = r.h.event; p.Event != nil {
		text.Refused(p.Event, r.h.access, r.h.os.IsWindows())
	}
	if p.Event == nil || r.h.kind != process.OtherProblem {
		p.Problem = &process.Problem{Kind: r.h.kind, Text: r.h.text, Access: r.h.access, Size: r.h.size}
	}
	if uint32(r.h.pid) != 0 {
		r.d.PID(r.h.pid)
	}
}
