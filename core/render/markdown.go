package render

import (
	"fmt"
	"io"
	"strings"

	"crashglass/core/report"
)

// Markdown writes a report for an issue tracker: the verdict, the facts, the
// crashing thread, and what symbols are missing. Other threads are left out:
// an issue is read by people, and trackers limit its size.
//
// Whatever comes from the dump stands inside code, fenced by more backticks
// than it contains, so that it can neither become markup nor mention a person
// or another issue.
func Markdown(w io.Writer, r *report.Report, opt Options) error {
	m := markdown{newPrinter(w)}
	m.heading(r)
	m.facts(r)
	m.stack(r, opt)
	m.wanted(r)
	m.notes(r)
	return m.flush()
}

type markdown struct{ *printer }

func (m markdown) heading(r *report.Report) {
	v := &r.Verdict
	what := v.What
	if what == "" {
		what = or(text(r.CrashInfo.Type), "Dump of a process that did not crash")
	}
	m.printf("### Crash report\n\n**%s**", codeSpan(what))
	if v.Where != nil {
		m.printf("%s%s", preposition(v), codeSpan(*v.Where))
	}
	if v.At != nil {
		m.printf(" at %s", codeSpan(*v.At))
	}
	m.printf("\n\n")
	if v.Detail != "" {
		m.printf("%s\n\n", codeSpan(v.Detail))
	}
	for _, b := range v.Badges {
		m.printf("- %s%s\n", codeSpan(b.Text), percent(b.Confidence))
	}
	if len(v.Badges) > 0 {
		m.printf("\n")
	}
}

func (m markdown) facts(r *report.Report) {
	m.printf("| Fact | Value |\n|---|---|\n")
	c, s := &r.CrashInfo, &r.SystemInfo
	m.fact("Reason", text(c.Type))
	if c.Address != nil {
		m.fact("Address", crashAddress(c))
	}
	m.fact("Instruction", text(c.Instruction))
	m.fact("Assertion", text(c.Assertion))
	m.fact("Operating system", or(strings.TrimSpace(text(s.OS)+" "+text(s.OSVersion)), "unknown"))
	m.fact("CPU", or(strings.TrimSpace(text(s.CPU)+" "+text(s.CPUInfo)), "unknown"))
	if r.MainModule < len(r.Modules) {
		main := &r.Modules[r.MainModule]
		m.fact("Program", strings.TrimSpace(main.CodeFile+" "+text(main.Version)))
		m.fact("Build", main.DebugID)
	}
	if r.ProcessUptime != nil {
		m.fact("Uptime", fmt.Sprintf("%d s", *r.ProcessUptime))
	}
	m.printf("\n")
}

func (m markdown) fact(name, value string) {
	if value != "" {
		m.printf("| %s | %s |\n", name, strings.ReplaceAll(codeSpan(value), "|", `\|`))
	}
}

func (m markdown) stack(r *report.Report, opt Options) {
	c := r.CrashInfo.CrashingThread
	if c == nil || *c < 0 || *c >= len(r.Threads) {
		m.printf("Which thread crashed is not known.\n")
		return
	}
	th := &r.Threads[*c]
	var b strings.Builder
	t := texter{newPrinter(&b), r, opt}
	row := 0
	for i := range th.Frames {
		f := th.Frames[i]
		if i > 0 || !opt.Evidence {
			f.Registers = nil
		}
		row = t.frame(row, &f)
	}
	if reason := endSentence(&th.End); reason != "" {
		t.printf("    %s\n", Escape(reason))
	}
	if t.flush() != nil { // a strings.Builder takes everything
		return
	}
	fence := strings.Repeat("`", max(3, longestRun(b.String(), '`')+1))
	m.printf("Thread %d%s\n\n%stext\n%s%s\n", *c, threadLabel(r, th), fence, b.String(), fence)
}

// threadLabel is a thread's name or, failing that, its number, which
// microdumps do not have.
func threadLabel(r *report.Report, th *report.Thread) string {
	switch {
	case th.Name != nil && *th.Name != "":
		return " " + codeSpan(text(th.Name))
	case r.Dump.Kind == "microdump":
		return ""
	}
	return " " + codeSpan(fmt.Sprintf("tid %d", th.ID))
}

func (m markdown) wanted(r *report.Report) {
	var lines []string
	for i := range r.WantedSymbols {
		if w := &r.WantedSymbols[i]; w.Crashing {
			lines = append(lines, fmt.Sprintf("- %s %s", codeSpan(w.DebugFile), codeSpan(w.DebugID)))
		}
	}
	if len(lines) > 0 {
		m.printf("\nSymbols that would name more of these frames:\n\n%s\n", strings.Join(lines, "\n"))
	}
}

func (m markdown) notes(r *report.Report) {
	if len(r.Notes) == 0 {
		return
	}
	m.printf("\nThe dump has damaged or odd parts:\n\n")
	for _, n := range r.Notes {
		m.printf("- %s\n", codeSpan(n.Where+": "+n.Text))
	}
}

// codeSpan puts text into backticks. Text that contains backticks gets more of
// them around it, and text that begins or ends with one a space in between
// (CommonMark 0.31.2, section 6.1).
func codeSpan(s string) string {
	s = Escape(s)
	if s == "" {
		return ""
	}
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
