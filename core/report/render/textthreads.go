package render

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"crashglass/core/process/module"
	"crashglass/core/report"
)

// threads writes the crashing thread, then the others in the dump's order. The thread that wrote
// the dump is left out, because its stack is that of the crash handler.
func (t texter) threads() {
	crashing := t.r.Subject()
	if crashing >= 0 {
		t.thread(crashing, howOf(&t.r.Threads[crashing]))
	}
	left := 0
	for i := range t.r.Threads {
		switch th := &t.r.Threads[i]; {
		case i == crashing || th.Writer:
		case th.End.Kind == report.NotWalked:
			left++
		default:
			t.thread(i, "")
		}
	}
	if left > 0 {
		t.printf("\n%d other %s left out\n", left, plural(uint64(left), "thread is", "threads are"))
	}
}

func threadName(r *report.Report, i int) string {
	return fmt.Sprintf("Thread %d%s", i, after(" ", report.Text(r.Threads[i].Name)))
}

// thread writes one stack. i is the index of the thread, and how says why the dump is about it.
func (t texter) thread(i int, how string) {
	th := &t.r.Threads[i]
	t.printf("\n%s%s", threadName(t.r, i), how)
	if t.r.Dump.Kind != "microdump" { // originals do not have this line
		t.printf(" - tid: %d", th.ID)
	}
	t.printf("\n")
	if th.LastError != nil {
		t.printf("    Last error: %s\n", text(th.LastError))
	}
	t.waits(th.Waits)
	t.frames(th)
	if reason := endSentence(&th.End); th.End.Complete {
		t.printf("    End of stack%s\n", after(": ", reason))
	} else if reason != "" {
		t.printf("    %s: %s\n", unfinished(th), Escape(reason))
	}
	if t.opt.Evidence {
		t.evidence(th.End.Evidence)
	}
	if len(th.Returned) > 0 && !t.opt.Brief {
		t.printf("    Returned before, by the shadow stack, newest first:\n")
		for i := range th.Returned {
			t.printf("      %s\n", describe(&th.Returned[i], th.Returned[i].RowMark(false), 0))
		}
	}
}

// after returns a text behind a separator, or "" for an empty text.
func after(separator, s string) string {
	if s == "" {
		return ""
	}
	return separator + Escape(s)
}

// frame writes a frame with the calls inlined into it, and returns the number
// of the next row.
func (t texter) frame(row int, f *report.Frame) int {
	for i := range f.Inlines {
		in := &f.Inlines[i]
		t.printf("%2d  %s%s%s\n", row, qualifier(inlineModule(f, in)), f.RowMark(true)+inlineName(in), inlineAt(in))
		if !t.opt.Brief {
			t.printf("    Found by: %s%s\n", inlineWords[in.Interpreted()], after("; ", mismatched(f)))
		}
		t.variables(in.Variables)
		row++
	}
	t.printf("%2d  %s\n", row, describe(f, f.RowMark(false), 0))
	if !t.opt.Brief {
		t.registers(f.Registers)
	}
	t.variables(f.Variables)
	if !t.opt.Brief {
		t.printf("    Found by: %s%s%s\n", foundBy(f), behindGuess(f), after("; ", doubts(f)))
	}
	if t.opt.Evidence {
		if f.Linkage != nil {
			t.printf("      Linkage name: %s\n", text(f.Linkage))
		}
		t.evidence(f.Evidence)
	}
	return row + 1
}

// inlineWords say how calls without a frame of their own were found, by whether they are interpreted.
var inlineWords = map[bool]string{false: "inline record", true: foundByWords[report.ByRuntime]}

// qualifier is what stands before a function's name. A report that is text may name no module.
func qualifier(module string) string {
	if module == "" {
		return ""
	}
	return module + "!"
}

// inlineName is Breakpad's text for an inlined call without a known function.
func inlineName(in *report.Inline) string { return cmp.Or(text(in.Function), "<name omitted>") }

// inlineAt returns the source line of an inlined call, or "".
func inlineAt(in *report.Inline) string {
	if in.File == nil || *in.File == "" {
		return ""
	}
	return " [" + sourcePlace(*in.File, in.Line, in.Column, in.Kind) + "]"
}

// sourcePlace returns minidump_stackwalk's text for a line of a source file, "main.c : 7". A call that a runtime runs may have a column, or no line.
func sourcePlace(file string, line, column *uint32, kind report.FrameKind) string {
	at := Escape(module.Basename(file))
	if kind.Language() == "" || line != nil {
		at += " : " + machineLine(line)
	}
	if column != nil {
		at += fmt.Sprintf(":%d", *column)
	}
	return at
}

// describe returns minidump_stackwalk's text for a frame: the known part of module, function, file and line, and the
// offset from it of an address that is past the frame's own by some bytes. mark stands before the name.
//
// Offsets in our own text are those of JSON and of all other forms: of the frame's instruction. Breakpad's are those
// of the return address.
func describe(f *report.Frame, mark string, past uint64) string {
	mod, name := frameModule(f), mark+text(f.Function)
	mBase, inModule := frameBase(f)
	switch {
	case f.Function != nil && f.File != nil && *f.File != "":
		at := sourcePlace(*f.File, f.Line, f.Column, f.Kind)
		if f.LineOffset != nil {
			at += fmt.Sprintf(" + %#x", number(*f.LineOffset)+past)
		}
		return fmt.Sprintf("%s%s [%s]", qualifier(mod), name, at)
	case f.Function != nil && f.FunctionOffset != nil:
		return fmt.Sprintf("%s%s + %#x", qualifier(mod), name, number(*f.FunctionOffset)+past)
	case f.Function != nil:
		return qualifier(mod) + name
	case inModule:
		return fmt.Sprintf("%s%s + %#x%s", mark, mod, number(f.Offset)+past-mBase, unloaded(f))
	}
	return fmt.Sprintf("%s%#x", mark, number(f.Offset)+past)
}

// unloaded marks a frame whose address was in a module that is not loaded any more.
func unloaded(f *report.Frame) string {
	if f.Module == nil && len(f.Unloaded) > 0 {
		return " (unloaded)"
	}
	return ""
}

// lineWidth is the column at which minidump_stackwalk breaks a line of registers.
const lineWidth = 80

// registers writes the known registers of a frame in Breakpad's columns.
func (t texter) registers(regs report.Registers) {
	t.columns(regs, func(reg report.Register) string {
		return fmt.Sprintf("   %3s = %s", registerName(reg.Name), reg.Value)
	})
}

// columns writes registers, as many on a line as fit.
func (t texter) columns(regs report.Registers, cellOf func(report.Register) string) {
	if len(regs) == 0 {
		return
	}
	column := 0
	t.printf(" ")
	for _, reg := range regs {
		cell := cellOf(reg)
		n := utf8.RuneCountInString(cell)
		if column+n > lineWidth {
			column = 0
			t.printf("\n ")
		}
		column += n
		t.printf("%s", cell)
	}
	t.printf("\n")
}

// registerName pads names to Breakpad's columns of three letters.
func registerName(name string) string {
	if name == "eflags" {
		return "efl"
	}
	return Escape(name)
}

// foundByWords are minidump_stackwalk's words for how a frame was found. Methods that it does not
// have are in the same style.
//
// Source: StackFrame::trust_description in Breakpad's stack_frame.h.
var foundByWords = map[report.Way]string{
	report.ByContext:      "given as instruction pointer in context",
	report.ByCFI:          "call frame info",
	report.ByWin:          "call frame info", // its STACK WIN records count as call frame information
	report.ByFramePointer: "previous frame's frame pointer",
	report.ByLink:         "link register",
	report.BySignal:       "registers saved in a signal frame", // from here on ours
	report.ByLeaf:         "simulating a return from leaf function",
	report.ByScan:         "stack scanning",
	report.ByShadow:       "the shadow stack",
	report.ByRuntime:      "the runtime's list of calls",
}

// foundBy says how a frame was found. A later version's method is named by its code.
func foundBy(f *report.Frame) string {
	if f.Trust == report.TrustCFIScan {
		return "call frame info with scanning"
	}
	if words, ok := foundByWords[f.FoundBy]; ok {
		return words
	}
	return cmp.Or(Escape(string(f.FoundBy)), Escape(string(f.Trust)))
}

func (t texter) evidence(steps []report.Step) {
	for _, s := range steps {
		t.printf("      %s: %s\n", Escape(string(s.Method)), Escape(string(s.Result)))
		for line := range strings.SplitSeq(s.Text, "\n") {
			if line != "" {
				t.printf("        %s\n", Escape(line))
			}
		}
		for _, read := range s.Reads {
			t.printf("        [%s] = %s\n", read.Address, read.Value)
		}
	}
}
