package render

import (
	"cmp"
	"fmt"
	"io"

	"crashglass/core/process/module"
	"crashglass/core/report"
)

// Breakpad writes exactly the text that Breakpad's minidump_stackwalk writes for people, because
// scripts read it.
//
// Source: PrintProcessState in Breakpad's stackwalk_common.cc, and its output
// for public dumps.
func Breakpad(w io.Writer, r *report.Report, opt Options) error {
	return writeOriginal(w, r, opt, breakpadForm)
}

// Rust writes the text of rust-minidump's minidump-stackwalk --human.
//
// Source: ProcessState::print in minidump-processor, and its output for
// public dumps.
func Rust(w io.Writer, r *report.Report, opt Options) error {
	return writeOriginal(w, r, opt, rustForm)
}

// BreakpadBrief writes the crashing thread as minidump_stackwalk -b does: a line
// for each frame.
func BreakpadBrief(w io.Writer, r *report.Report) error {
	o := original{texter{newPrinter(w), r, Options{}}, breakpadForm}
	threads, crashing := machineThreads(r)
	if crashing < 0 {
		o.printf(" <no crashing or requesting dump thread identified>\n")
		return o.flush()
	}
	o.printf("%s\n", o.heading(threads[crashing], crashing, howOf(threads[crashing])))
	row := 0
	for i := range threads[crashing].Frames {
		f := &threads[crashing].Frames[i]
		for j := range f.Inlines {
			o.printf("%2d  %s!%s%s\n", row, frameModule(f), inlineName(&f.Inlines[j]), inlineAt(&f.Inlines[j]))
			row++
		}
		o.printf("%2d  %s\n", row, o.originalForm.frame(r, f))
		row++
	}
	return o.flush()
}

func howOf(t *report.Thread) string {
	if t.Crashed {
		return " (crashed)"
	}
	return " (requested dump, did not crash)"
}

// An originalForm describes the report text of one of the original programs.
type originalForm struct {
	head    func(original)
	crash   func(original)
	heading func(t *report.Thread, number int, how string) string
	cell    func(report.Register) string
	frame   func(*report.Report, *report.Frame) string
	warning func(*report.Module) string
	inline  string // how an inlined call was found
	none    string // the line of a stack without frames
	rust    bool
	asserts bool // whether it writes the text of an assertion
}

// An original writes a report in one form, with the parts of the project's own text that are the
// same.
type original struct {
	texter
	originalForm
}

// writeOriginal writes a whole text in one form. The report itself stays unchanged.
func writeOriginal(w io.Writer, r *report.Report, opt Options, l originalForm) error {
	bare := *r // facts that the originals do not have are removed, because they change other lines
	bare.Verdict = report.Verdict{Crashed: r.Verdict.Crashed}
	o := original{texter{newPrinter(w), &bare, opt}, l}
	o.head(o)
	o.what()
	o.stacks()
	if !opt.NoModules {
		o.printf("\nLoaded modules:\n")
		for _, i := range modulesByAddress(r) {
			o.printf("%s%s\n", moduleLine(r, i), o.warning(&r.Modules[i]))
		}
		o.tail()
	}
	return o.flush()
}

// what writes the crash reason, by the dump alone.
func (o original) what() {
	c := &o.r.CrashInfo
	if c.Type == nil && !o.r.Verdict.Crashed {
		o.printf("No crash\n")
	} else {
		o.originalForm.crash(o)
	}
	if o.asserts && c.Assertion != nil && *c.Assertion != "" {
		o.printf("Assertion: %s\n", text(c.Assertion))
	}
	if o.rust {
		o.rustMac()
	}
	o.uptime()
}

// uptime writes the uptime, whose unit has no singular in either program, and the facts that
// rust-minidump writes behind it.
func (o original) uptime() {
	if up := o.r.ProcessUptime; up != nil {
		o.printf("Process uptime: %d seconds\n", *up)
	} else {
		o.printf("Process uptime: not available\n")
	}
	if !o.rust {
		return
	}
	o.printf("\n")
	if o.r.MapCount != nil {
		o.printf("Linux memory map count: %d\n\n", *o.r.MapCount)
	}
}

// stacks writes the threads, beginning with the one that crashed. Breakpad writes an empty line
// before each, and rust-minidump one after the first.
func (o original) stacks() {
	threads, crashing := machineThreads(o.r)
	numbers := o.numbers()
	if crashing >= 0 {
		o.stack(threads[crashing], numbers[crashing], howOf(threads[crashing]))
		if o.rust {
			o.printf("\n")
		}
	}
	for i, t := range threads {
		if i != crashing && t.End.Kind != report.NotWalked {
			o.stack(t, numbers[i], "")
		}
	}
}

// numbers returns the numbers of the threads of machineThreads. Breakpad does not count a thread
// that wrote the dump, and rust-minidump does.
func (o original) numbers() (out []int) {
	for i := range o.r.Threads {
		switch {
		case o.r.Threads[i].Writer:
		case o.rust:
			out = append(out, i)
		default:
			out = append(out, len(out))
		}
	}
	return out
}

// stack writes a heading and the frames. number is the thread's own, which the programs count
// differently.
func (o original) stack(t *report.Thread, number int, how string) {
	if !o.rust {
		o.printf("\n")
	}
	o.printf("%s\n", o.heading(t, number, how))
	row := 0
	for i := range t.Frames {
		f := &t.Frames[i]
		for j := range f.Inlines {
			in := &f.Inlines[j]
			o.printf("%2d  %s!%s%s\n%s\n", row, frameModule(f), inlineName(in), inlineAt(in), o.inline)
			row++
		}
		o.printf("%2d  %s\n", row, o.originalForm.frame(o.r, f))
		o.columns(shownRegisters(o.r, f.Registers), o.cell)
		o.printf("    Found by: %s\n", foundBy(f))
		if o.opt.Behind != nil && i+1 < len(t.Frames) {
			o.printf("%s", o.opt.Behind(f, &t.Frames[i+1]))
		}
		row++
	}
	if len(t.Frames) == 0 {
		o.printf("%s\n", o.none)
	}
}

// shownRegisters leaves out the flags of amd64, as both programs do.
func shownRegisters(r *report.Report, regs report.Registers) (out report.Registers) {
	for _, reg := range regs {
		if reg.Name != "eflags" || !r.SystemInfo.Arch().IsAMD64() {
			out = append(out, reg)
		}
	}
	return out
}

// moduleLine returns the line of a module in both texts. The range ends with its last byte: a
// module at the end of the address space has an end of 0, and the difference wraps to the right
// value.
func moduleLine(r *report.Report, i int) string {
	mod := &r.Modules[i]
	main := ""
	if i == r.MainModule {
		main = "  (main)"
	}
	return fmt.Sprintf("0x%08x - 0x%08x  %s  %s%s", number(mod.Base), number(mod.End)-1, Escape(mod.CodeFile), cmp.Or(text(mod.Version), "???"), main)
}

// tail writes the lines after the modules.
func (o original) tail() {
	if !o.rust {
		o.unloaded()
		return
	}
	o.printf("\nUnloaded modules:\n")
	for i := range o.r.Unloaded {
		mod := &o.r.Unloaded[i]
		o.printf("0x%08x - 0x%08x  %s\n", number(mod.Base), number(mod.End)-1, Escape(module.Basename(mod.CodeFile)))
	}
	var unread, unknown []string
	for _, s := range o.r.Streams {
		switch name := rustUnread[s.Type]; {
		case name != "":
			unread = append(unread, fmt.Sprintf("Stream 0x%08x %s @ 0x%08x", s.Type, name, s.Offset))
		case s.Name == "":
			unknown = append(unknown, fmt.Sprintf("Stream 0x%08x (%s) @ 0x%08x", s.Type, streamVendor(s.Type), s.Offset))
		}
	}
	o.list("Unimplemented streams encountered:", unread)
	o.list("Unknown streams encountered:", unknown)
	o.rustSoftErrors()
}

func (o original) list(title string, lines []string) {
	if len(lines) > 0 {
		o.printf("\n%s\n", title)
	}
	for _, line := range lines {
		o.printf("%s\n", line)
	}
}

// rustUnread are the streams that rust-minidump 0.27 knows only by name.
var rustUnread = map[uint32]string{
	0x00: "UnusedStream (Official)", 0x01: "ReservedStream0 (Official)", 0x02: "ReservedStream1 (Official)",
	0x15: "SystemMemoryInfoStream (Official)", 0x16: "ProcessVmCountersStream (Official)",
	0x4767_0006: "LinuxCmdLine (Google Extension)", 0x4767_0008: "LinuxAuxv (Google Extension)",
	0x4767_000a: "LinuxDsoDebug (Google Extension)",
}

// streamVendor returns the vendor of a stream's type, by the upper half, which vendors chose.
func streamVendor(t uint32) string {
	switch t >> 16 {
	case 0:
		return "Official"
	case 0x4767:
		return "Google Extension"
	case 0x4d7a:
		return "Mozilla Extension"
	case 0x4350:
		return "Crashpad Extension"
	}
	return "Unknown Extension"
}
