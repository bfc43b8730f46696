package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"crashglass/core/base/sorting"
	"crashglass/core/report"
)

// Text writes a report for people. The first line is the headline. The rest has the order and style of
// minidump_stackwalk's text, with the end of each stack, the missing symbols, and the defects of the dump.
//
// The thread that crashed comes first, and only once. Known registers follow each frame. brief.go has the short form.
func Text(w io.Writer, r *report.Report, opt Options) error {
	return bounded(w, r, func(w io.Writer, r *report.Report) error { return writeText(w, r, opt) })
}

// writeText writes the verdict, then the parts in minidump_stackwalk's order, and the parts that it does not have
// after them.
func writeText(w io.Writer, r *report.Report, opt Options) error {
	t := texter{newPrinter(w), r, opt}
	t.verdict()
	if opt.Brief {
		t.brief()
		return t.flush()
	}
	t.printf("\n")
	t.system()
	t.crash()
	t.process()
	t.globals()
	t.threads()
	t.tasks()
	if !opt.NoModules {
		t.modules()
		t.unloaded()
	}
	t.annotations()
	t.unused()
	t.local()
	t.wanted()
	t.notes()
	if r.MadeBy != "" {
		t.printf("\nMade by %s\n", Escape(r.MadeBy))
	}
	return t.flush()
}

type texter struct {
	*printer
	r   *report.Report
	opt Options
}

func (t texter) system() {
	s := &t.r.SystemInfo
	t.printf("Operating system: %s\n", cmp.Or(text(s.OS), "unknown"))
	if version := version(t.r); version != nil {
		t.printf("                  %s\n", text(version))
	}
	t.printf("CPU: %s\n", cmp.Or(text(s.CPU), "unknown"))
	if cpu := model(t.r); cpu != nil && legible(*cpu) {
		t.printf("     %s\n", text(cpu))
	}
	if n := s.CPUCount; n != nil && *n > 0 {
		t.printf("     %d %s\n", *n, plural(uint64(*n), "CPU", "CPUs"))
	}
	if g := s.GPU; g != nil {
		t.printf("GPU: %s\n     %s\n     %s\n", Escape(g.Version), Escape(g.Vendor), Escape(g.Renderer))
	}
	if l := t.r.LSBRelease; l != nil {
		t.printf("Linux %s %s - %s (%s)\n", Escape(l.ID), Escape(l.Release), Escape(l.Codename), Escape(l.Description))
	}
	t.printf("\n")
}

// version returns the system's version, or nil. LLDB writes a version that it never set
// (MinidumpFileBuilder::AddSystemInfo), from uninitialized memory. JSON and machine text still have
// it, as rust-minidump and Breakpad do.
func version(r *report.Report) *string {
	if report.Text(r.Dump.Writer) == "LLDB" {
		return nil
	}
	return r.SystemInfo.OSVersion
}

// model returns the processor's description, or nil for a model of zeros, which does not exist:
// converted cores have zeros, and LLDB does not set it. JSON and machine text still have it, as
// rust-minidump and Breakpad do.
func model(r *report.Report) *string {
	info := r.SystemInfo.CPUInfo
	if info == nil || report.Text(r.Dump.Writer) == "LLDB" {
		return nil
	}
	out := *info
	// the words of package analyze for x86 and ARM
	for _, unknown := range []string{"family 0 model 0 stepping 0", "ARMv0"} {
		out = strings.TrimSuffix(out, unknown)
	}
	if out = strings.TrimSpace(out); out == "" {
		return nil
	}
	return &out
}

// legible reports whether a text is readable: LLDB writes uninitialized memory as the name of the
// CPU's vendor.
func legible(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) })
}

func (t texter) crash() {
	c := &t.r.CrashInfo
	switch {
	case c.Type == nil && t.r.Verdict.Crashed:
		t.printf("Crash reason:  unknown\n")
	case c.Type == nil && t.r.Verdict.What == "": // the verdict knows more: the reason of a damaged dump is unknown
		t.printf("No crash\n")
	case c.Type == nil:
	default:
		t.printf("Crash reason:  %s\n", text(reason(c)))
		t.address(c)
		t.parameters(c)
		t.instruction(c)
	}
	if unquotedAssertion(t.r) {
		t.printf("Assertion: %s\n", text(c.Assertion))
	}
	t.macCrash()
}

// address writes the address of a crash, and the adjusted address that explains it better.
func (t texter) address(c *report.CrashInfo) {
	if c.Address == nil {
		return
	}
	if !t.adjusts(c) || c.NoAddress != nil { // the address means nothing: a process sent the signal
		t.printf("Crash address: %s\n", crashAddress(c))
		return
	}
	t.printf("Crash address: %s **\n", *c.Address)
	switch a := c.AdjustedAddress; {
	case a.Address != nil:
		t.printf("    ** Non-canonical address detected: %s\n", *a.Address)
	case a.Offset != nil:
		t.printf("    ** Null pointer detected with offset: %s\n", *a.Offset)
	}
}

// adjusts reports whether the adjusted address is useful. rust-minidump treats every address as one
// with a null base register, and the schema keeps its field.
func (t texter) adjusts(c *report.CrashInfo) bool {
	a := c.AdjustedAddress
	return a != nil && (a.Offset == nil || t.r.Verdict.What == "" || t.r.Verdict.Finding == report.FindingNullPointer)
}

func (t texter) parameters(c *report.CrashInfo) {
	if len(c.Parameters) == 0 {
		return
	}
	t.printf("Crash parameters:\n")
	for i, p := range c.Parameters {
		t.printf("    value: %s%s\n", p, after("  description: ", c.Meaning(i)))
	}
}

// instruction writes the instruction at the crash and its analysis. Lines that a claim of the
// verdict says better are left out.
func (t texter) instruction(c *report.CrashInfo) {
	switch {
	case c.Instruction == nil:
	case c.NoAddress != nil: // the signal came from outside or from abort: the instruction did not fail
		t.printf("Instruction at the program counter: `%s`\n", text(c.Instruction))
	default:
		t.printf("Crashing instruction: `%s`\n", text(c.Instruction))
		t.accesses(c)
	}
	if len(c.PossibleBitFlips) > 0 && t.judged(report.FindingBitFlip) {
		t.printf("Crashing address may be the result of a flipped bit:\n")
		for i, b := range bitFlips(c.PossibleBitFlips) {
			t.printf("  %d. Valid address: %s\n", i, b)
		}
	}
	if len(c.Inconsistencies) > 0 && t.r.Verdict.What == "" { // otherwise a badge has it as a sentence
		t.printf("Crash is inconsistent:\n")
		for _, s := range c.Inconsistencies {
			t.printf("  %s\n", Escape(s))
		}
	}
}

// judged reports whether the verdict has a claim of that kind, or there is no verdict.
func (t texter) judged(kind report.FindingKind) bool {
	v := &t.r.Verdict
	return v.What == "" || slices.ContainsFunc(v.Badges, func(b report.Badge) bool { return b.Finding == kind })
}

// accesses writes the memory that the instruction accesses and the address that it jumps to, in
// rust-minidump's words.
func (t texter) accesses(c *report.CrashInfo) {
	if len(c.MemoryAccesses) == 0 {
		t.printf("No memory accessed by instruction\n")
	} else {
		t.printf("Memory accessed by instruction:\n")
	}
	for i, a := range c.MemoryAccesses {
		t.printf("  %d. Address: %s\n", i, a.Address)
		if a.Size != nil {
			t.printf("     Size: %d\n", *a.Size)
		} else {
			t.printf("     Size: Unknown\n")
		}
		t.guard(a.LikelyGuard)
		if a.AccessType != "" {
			t.printf("     Access type: %s\n", Escape(a.AccessType))
		}
	}
	if u := c.InstructionPointerUpdate; u != nil {
		t.printf("Instruction pointer update done by instruction:\n  Address: %s\n", u.Address)
		t.guard(u.LikelyGuard)
	}
}

// guard writes rust-minidump's line for an address in a probable guard page.
func (t texter) guard(likely bool) {
	if likely {
		t.printf("     This address falls in a likely guard page.\n")
	}
}

// bitFlips writes the candidates, the likeliest first, then by address.
func bitFlips(flips []report.BitFlip) []string {
	sorted := slices.Clone(flips)
	sorting.Stable(sorted, func(a, b report.BitFlip) int {
		switch ca, cb := confidence(a), confidence(b); {
		case ca != cb && ca > cb:
			return -1
		case ca != cb:
			return 1
		}
		return strings.Compare(string(a.Address), string(b.Address))
	})
	out := make([]string, len(sorted))
	for i, b := range sorted {
		register := ""
		if b.SourceRegister != nil {
			register = text(b.SourceRegister) + "="
		}
		out[i] = fmt.Sprintf("%s%s (%.3f)", register, b.Address, confidence(b))
	}
	return out
}

// confidence returns the confidence in a flipped bit; an unknown one sorts last.
func confidence(b report.BitFlip) float64 {
	if b.Confidence == nil {
		return 0
	}
	return *b.Confidence
}

// verdict writes the headline, which says what happened, with the claims of the verdict and the next steps.
func (t texter) verdict() {
	v := &t.r.Verdict
	t.printf("What happened: %s\n", headline(t.r))
	if t.r.Dump.File != "" {
		t.printf("Dump: %s\n", Escape(t.r.Dump.File))
	}
	if v.Detail != "" {
		t.printf("    %s\n", Escape(v.Detail))
	}
	for i := range v.Badges {
		t.badge(&v.Badges[i])
	}
	t.origin()
	t.next()
}

// badge writes a claim with its evidence. For the cause it writes only the evidence, because the
// claim is the title.
func (t texter) badge(b *report.Badge) {
	indent := "    "
	if b.Kind != report.BadgeCause {
		t.printf("    - %s%s\n", Escape(b.Text), percent(b.Confidence))
		indent = "        "
	}
	for _, e := range b.Evidence {
		t.printf("%s%s\n", indent, Escape(e))
	}
}

func (t texter) next() {
	if len(t.r.NextSteps) > 0 {
		t.printf("What to do next:\n")
	}
	for i := range t.r.NextSteps {
		t.printf("  %d. %s\n", i+1, Escape(nextSentence(&t.r.NextSteps[i])))
	}
}

// headline returns the title: what happened, the function and the source line.
func headline(r *report.Report) string {
	v := &r.Verdict
	line := Escape(happened(r))
	if v.Where != nil {
		line += preposition(v) + text(v.Where)
	}
	if v.At != nil {
		line += " at " + text(v.At)
	}
	return line
}

// percent returns a confidence in brackets, with that word, or "" for one that was not estimated.
func percent(c *float32) string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf(" (confidence %.0f %%)", *c*100)
}
