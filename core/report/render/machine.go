package render

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"crashglass/core/base/sorting"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

// Machine writes the output of minidump_stackwalk -m, field by field: rows of fields with '|'
// between them, one kind of row after the other.
//
//	Dump|{path, if several dumps are reported}
//	OS|{name}|{version}
//	CPU|{name}|{info}|{count}
//	GPU|{version}|{vendor}|{renderer}
//	Crash|{reason}|{address}|{thread}
//	Module|{file}|{version}|{debug file}|{debug id}|{first}|{last}|{1 for the main one}
//
//	{thread}|{frame}|{module}|{function}|{file}|{line}|{offset}
//
// The offset counts from the start of the line, the function or the module, or from zero, whichever
// is known first, to the return address. Inlined calls are rows of their own before their frame. As
// in Breakpad the thread that wrote the dump is not counted, and the crashing thread comes first.
//
// No option changes it, because programs that read it count fields. They compare names, so names have no marks.
//
// Source: PrintProcessStateMachineReadable in Breakpad's stackwalk_common.cc.
func Machine(w io.Writer, r *report.Report, _ Options) error { return bounded(w, r, writeMachine) }

func writeMachine(w io.Writer, r *report.Report) error {
	m := machine{newPrinter(w)}
	if r.Dump.File != "" {
		m.row("Dump", r.Dump.File)
	}
	m.row("OS", text(r.SystemInfo.OS), machineVersion(&r.SystemInfo))
	m.row("CPU", text(r.SystemInfo.CPU), machineCPU(&r.SystemInfo), machineCount(r.SystemInfo.CPUCount))
	m.gpu(r.SystemInfo.GPU)
	threads, crashing := machineThreads(r)
	m.crash(r, crashing)
	m.modules(r)
	m.printf("\n")
	if crashing >= 0 {
		m.thread(r, crashing, threads[crashing])
	}
	for i, t := range threads {
		if i != crashing {
			m.thread(r, i, t)
		}
	}
	return m.flush()
}

type machine struct{ *printer }

// row writes fields, which may not contain the separator or a line end:
// Breakpad drops both.
func (m machine) row(fields ...string) {
	for i, f := range fields {
		if i > 0 {
			m.printf("|")
		}
		m.printf("%s", Escape(separators.Replace(f)))
	}
	m.printf("\n")
}

// separators are the characters that Breakpad drops from fields (StripSeparator in
// stackwalk_common.cc).
var separators = strings.NewReplacer("|", "", "\n", "")

// gpu writes the row of the graphics driver. Minidumps do not name it, and have empty fields.
func (m machine) gpu(g *report.GPU) {
	if g == nil {
		g = &report.GPU{}
	}
	m.row("GPU", g.Version, g.Vendor, g.Renderer)
}

// machineVersion returns the version as the dump's stream has it: Breakpad does not tidy it, and
// the schema's version is rust-minidump's.
func machineVersion(s *report.SystemInfo) string {
	if s.OSRaw != nil {
		return *s.OSRaw
	}
	return text(s.OSVersion)
}

// machineCPU is empty for arm64, which has no CPU information in Breakpad.
func machineCPU(s *report.SystemInfo) string {
	if s.Arch().IsARM64() {
		return ""
	}
	return text(s.CPUInfo)
}

// machineCount returns the number of processors; Breakpad writes 0 for an unknown one.
func machineCount(n *uint32) string {
	if n == nil {
		return "0"
	}
	return fmt.Sprint(*n)
}

// machineThreads returns the threads that Breakpad lists, and the index of the crashing one, or -1.
func machineThreads(r *report.Report) ([]*report.Thread, int) {
	var threads []*report.Thread
	crashing := -1
	for i := range r.Threads {
		if r.Threads[i].Writer {
			continue
		}
		if i == r.Subject() {
			crashing = len(threads)
		}
		threads = append(threads, &r.Threads[i])
	}
	return threads, crashing
}

// crash writes the row of the crash. crashing is the index of the thread among those that Breakpad
// lists, or -1.
func (m machine) crash(r *report.Report, crashing int) {
	thread := ""
	if crashing >= 0 {
		thread = fmt.Sprint(crashing)
	}
	info := &r.CrashInfo
	switch {
	case info.Type != nil && info.Address != nil:
		m.row("Crash", machineReason(r), fmt.Sprintf("%#x", number(*info.Address)), thread)
	case r.Verdict.Crashed && info.Type == nil: // an old microdump
		m.row("Crash", "", "0x0", thread)
	case info.Assertion != nil && *info.Assertion != "": // Breakpad prints the assertion in place of a reason
		m.row("Crash", *info.Assertion, "", thread)
	default:
		m.row("Crash", "No crash", "", thread)
	}
}

// linuxDetail is Breakpad's separator between a signal and its code, for the signals whose codes it
// names. It writes other codes as a number, also zero.
var linuxDetail = map[string]string{"SIGSEGV": " /", "SIGILL": " / ", "SIGBUS": " / ", "SIGFPE": " / "}

// machineReason converts the reason from rust-minidump's spelling to Breakpad's, where only the
// spelling differs.
func machineReason(r *report.Report) string {
	reason := *r.CrashInfo.Type
	first, detail, _ := strings.Cut(reason, " / ")
	separator, coded := linuxDetail[first]
	switch {
	case coded && detail == "" && r.CrashInfo.Flags != nil:
		return first + separator + string(*r.CrashInfo.Flags)
	case coded && detail != "": // a microdump has no code
		return first + separator + detail
	case first == "EXCEPTION_STACK_BUFFER_OVERRUN" && detail != "":
		return detail // the code of a fail-fast
	}
	return strings.TrimPrefix(reason, "unknown ")
}

// modules writes the modules sorted by address, as Breakpad does.
func (m machine) modules(r *report.Report) {
	for _, i := range modulesByAddress(r) {
		mod := &r.Modules[i]
		main := "0"
		if i == r.MainModule && r.Dump.Kind != "microdump" { // Breakpad does not know which one it is
			main = "1"
		}
		m.row("Module", mod.CodeFile, text(mod.Version), mod.DebugFile, machineID(mod),
			fmt.Sprintf("0x%08x", number(mod.Base)), fmt.Sprintf("0x%08x", number(mod.End)-1), main)
	}
}

// modulesByAddress returns the order of Breakpad's map of ranges. Its keys are the ends of ranges,
// because of two overlapping modules either may end first.
func modulesByAddress(r *report.Report) []int {
	order := make([]int, len(r.Modules))
	for i := range order {
		order[i] = i
	}
	sorting.Stable(order, func(a, b int) int {
		x, y := &r.Modules[a], &r.Modules[b]
		return cmp.Or(cmp.Compare(number(x.End), number(y.End)), cmp.Compare(number(x.Base), number(y.Base)))
	})
	return order
}

// machineID returns the debug ID, or "" without a debug file. The report's schema has 33 zeros for
// that.
func machineID(mod *report.Module) string {
	if mod.DebugFile == "" && strings.Trim(mod.DebugID, "0") == "" {
		return ""
	}
	return mod.DebugID
}

// thread writes a row for each frame and each inlined call, innermost first. They are numbered
// together.
func (m machine) thread(r *report.Report, number int, t *report.Thread) {
	row := 0
	for i := range t.Frames {
		f := &t.Frames[i]
		for j := range f.Inlines {
			m.frame(number, row, machineInline(f, &f.Inlines[j]))
			row++
		}
		m.frame(number, row, machinePhysical(r, f))
		row++
	}
}

// A machineFrame is the tail of a frame's row.
type machineFrame struct {
	module, function, file, line string
	offset                       uint64
}

func (m machine) frame(thread, row int, f machineFrame) {
	m.row(fmt.Sprint(thread), fmt.Sprint(row), f.module, f.function, f.file, f.line, fmt.Sprintf("%#x", f.offset))
}

// machinePhysical returns the row of a physical frame. Its offset counts from the closest known
// start: of the line, the function or the module.
func machinePhysical(r *report.Report, f *report.Frame) machineFrame {
	out := machineFrame{module: frameModule(f), function: report.Text(f.Function)}
	at := number(f.Offset)
	base, ok := frameBase(f)
	if f.FunctionOffset != nil && f.Function != nil { // also outside of modules: made code may have names
		base, ok = at-number(*f.FunctionOffset), true
	}
	if f.Function != nil && f.File != nil && *f.File != "" {
		out.file, out.line = report.Text(f.File), machineLine(f.Line)
		if f.LineOffset != nil {
			base, ok = at-number(*f.LineOffset), true
		}
	}
	if !ok {
		base = 0
	}
	out.offset = machineAddress(r, f) - base
	return out
}

// machineAddress returns the address that offsets count to: the return address on x86 and amd64,
// and an address inside the call on other CPUs. Breakpad's frames of other CPUs do not have the
// return address (StackFrame::ReturnAddress).
func machineAddress(r *report.Report, f *report.Frame) uint64 {
	if arch := r.SystemInfo.Arch(); f.ReturnAddress == nil || !arch.IsX86() {
		return number(f.Offset)
	}
	return number(*f.ReturnAddress)
}

// machineInline writes an inlined call. Its offset counts from the line to the instruction itself.
func machineInline(f *report.Frame, in *report.Inline) machineFrame {
	out := machineFrame{module: inlineModule(f, in), function: inlineName(in)}
	if in.File != nil && *in.File != "" {
		out.file, out.line = report.Text(in.File), machineLine(in.Line)
	}
	if f.LineOffset != nil {
		out.offset = number(*f.LineOffset)
	}
	return out
}

// machineLine returns a line number. Breakpad has 0 for an unknown one.
func machineLine(line *uint32) string {
	if line == nil {
		return "0"
	}
	return fmt.Sprint(*line)
}

// frameModule returns the name of a frame's module: the loaded one, or the first unloaded one that
// had the address.
func frameModule(f *report.Frame) string {
	if f.Module != nil {
		return Escape(*f.Module)
	}
	if len(f.Unloaded) > 0 {
		return Escape(module.Basename(f.Unloaded[0].Module))
	}
	return ""
}

// inlineModule returns the module of a call without a frame of its own: the language, if it is interpreted.
func inlineModule(f *report.Frame, in *report.Inline) string {
	if in.Interpreted() {
		return Escape(string(in.Kind))
	}
	return frameModule(f)
}

// inlined says how a call runs without a frame of its own.
func inlined(in *report.Inline) string {
	if in.Interpreted() {
		return "interpreted"
	}
	return "inlined"
}

// frameBase returns the base of frameModule's module.
func frameBase(f *report.Frame) (uint64, bool) {
	switch {
	case f.ModuleOffset != nil:
		return number(f.Offset) - number(*f.ModuleOffset), true
	case len(f.Unloaded) > 0 && len(f.Unloaded[0].Offsets) > 0:
		return number(f.Offset) - number(f.Unloaded[0].Offsets[0]), true
	}
	return 0, false
}
