package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"crashglass/core/report"
)

// Markdown writes a report for an issue tracker: the verdict and the next steps, the facts that
// identify the crash, the stacks with one line a frame, and the missing symbols. Threads that did
// not crash are folded, and left out if the issue would become too long.
//
// Texts from the dump are inside code, fenced by more backticks than they contain, so that they
// neither become markup nor mention a person or another issue. There is no table, because
// cmark-gfm, markdown-it and marked differ in code with a '|' in a cell.
func Markdown(w io.Writer, r *report.Report, opt Options) error {
	return bounded(w, r, func(w io.Writer, some *report.Report) error { return writeMarkdown(w, some, opt) })
}

// writeMarkdown writes the parts of an issue. The first screen has the verdict, the next steps and
// the facts, which search engines and colleagues need most.
func writeMarkdown(w io.Writer, r *report.Report, opt Options) error {
	m := markdown{newPrinter(w), r, opt}
	m.heading()
	m.origin()
	m.next()
	m.facts()
	m.hang()
	m.crashingThread()
	m.variables()
	m.tasks(m.otherThreads())
	m.wanted()
	m.unused()
	m.local()
	m.notes()
	return m.flush()
}

// A markdown writes one report as an issue. Text of the dump reaches the output only through
// mdProse and codeSpan, or within a fence.
type markdown struct {
	*printer
	r   *report.Report
	opt Options
}

// heading writes the verdict, its explanation and its claims. The function's long arguments are
// shortened, because trackers make the heading a title.
func (m markdown) heading() {
	v := &m.r.Verdict
	m.printf("### %s", mdProse(happened(m.r)))
	if v.Where != nil {
		m.printf("%s%s", preposition(v), codeSpan(shorten(*v.Where)))
	}
	if v.At != nil {
		m.printf(" at %s", codeSpan(*v.At))
	}
	m.printf("\n\n")
	if v.Detail != "" {
		m.printf("%s\n\n", mdProse(strings.TrimSpace(v.Detail)))
	}
	for i := range v.Badges {
		m.badge(&v.Badges[i])
	}
	if len(v.Badges) > 0 {
		m.printf("\n")
	}
}

// happened returns the title, in the fewest words.
func happened(r *report.Report) string {
	switch {
	case r.Verdict.What != "":
		return r.Verdict.What
	case r.CrashInfo.Type != nil && *r.CrashInfo.Type != "":
		return *reason(&r.CrashInfo)
	case r.Verdict.Crashed:
		return "Crash of an unknown kind"
	}
	return "Dump of a process that did not crash"
}

// badge writes a claim with its evidence. It skips the cause, which is in the heading.
func (m markdown) badge(b *report.Badge) {
	var sentences []string
	for _, e := range b.Evidence {
		sentences = append(sentences, mdProse(e))
	}
	evidence := strings.Join(sentences, " ")
	switch {
	case b.Kind != report.BadgeCause && evidence == "":
		m.printf("- %s%s\n", mdProse(b.Text), percent(b.Confidence))
	case b.Kind != report.BadgeCause:
		m.printf("- %s%s: %s\n", mdProse(b.Text), percent(b.Confidence), evidence)
	case evidence != "":
		m.printf("- %s\n", evidence)
	}
}

func (m markdown) next() {
	m.numbered("What to do next", len(m.r.NextSteps), func(i int) string { return nextSentence(&m.r.NextSteps[i]) })
}

// numbered writes sentences as a numbered list under a title, or nothing without any.
func (m markdown) numbered(title string, count int, sentence func(i int) string) {
	if count == 0 {
		return
	}
	m.printf("**%s**\n\n", title)
	for i := range count {
		m.printf("%d. %s\n", i+1, mdProse(sentence(i)))
	}
	m.printf("\n")
}

// facts writes the values that distinguish crashes and builds.
func (m markdown) facts() {
	c, s := &m.r.CrashInfo, &m.r.SystemInfo
	m.printf("**Details**\n\n")
	m.fact("Dump", m.r.Dump.File)
	m.fact("Signature", text(m.r.Signature))
	m.fact("Reason", text(reason(c)))
	if c.Address != nil {
		m.fact("Address", crashAddress(c))
	}
	m.fact("Instruction", text(c.Instruction))
	if unquotedAssertion(m.r) {
		m.fact("Assertion", *c.Assertion)
	}
	m.fact("Program", program(m.r))
	m.fact("Build", build(m.r))
	m.fact("System", strings.TrimSpace(text(s.OS)+" "+text(version(m.r))))
	m.fact("CPU", strings.TrimSpace(text(s.CPU)+" "+text(model(m.r))))
	m.fact("Written", written(m.r))
	if m.r.ProcessUptime != nil {
		m.fact("Uptime", fmt.Sprintf("%d s", *m.r.ProcessUptime))
	}
	m.fact("Made by", m.r.MadeBy)
	m.printf("\n")
}

func program(r *report.Report) string {
	main := mainModule(r)
	if main == nil {
		return ""
	}
	return strings.TrimSpace(main.CodeFile + " " + text(main.Version))
}

// mainModule returns the module of the process's path, or else the first module of the dump, or
// nil.
func mainModule(r *report.Report) *report.Module {
	// the dump's first module need not be the program
	is := func(m report.Module) bool { return r.Dump.Process != nil && m.Path == *r.Dump.Process }
	if i := slices.IndexFunc(r.Modules, is); i >= 0 {
		return &r.Modules[i]
	}
	if r.MainModule < 0 || r.MainModule >= len(r.Modules) {
		return nil
	}
	return &r.Modules[r.MainModule]
}

// build returns the id of the program's build: its build ID, or else its debug ID.
func build(r *report.Report) string {
	const leastBuildID = 32 // hex digits; shorter code IDs are a time stamp and a size
	main := mainModule(r)
	switch {
	case main == nil:
		return ""
	case len(main.CodeID) >= leastBuildID: // a GNU build ID or a UUID
		return main.CodeID
	case strings.Trim(main.DebugID, "0") == "":
		return ""
	}
	return main.DebugID
}

func written(r *report.Report) string {
	if r.Dump.Time == nil {
		return ""
	}
	return time.Unix(int64(*r.Dump.Time), 0).UTC().Format("2006-01-02 15:04:05 UTC")
}

func (m markdown) fact(name, value string) {
	if value != "" {
		m.printf("- **%s:** %s\n", name, codeSpan(value))
	}
}

// wanted lists the missing symbols of the stack above. Those of other threads would only make the
// issue longer.
func (m markdown) wanted() {
	var lines []string
	for i := range m.r.WantedSymbols {
		if w := &m.r.WantedSymbols[i]; w.Crashing {
			name, id := wantedFile(w)
			lines = append(lines, fmt.Sprintf("- %s %s", codeSpan(name), codeSpan(id)))
		}
	}
	if len(lines) > 0 {
		m.printf("\nSymbols that would name more frames of this thread:\n\n%s\n", strings.Join(lines, "\n"))
	}
	if len(m.r.UnreadServers) > 0 {
		m.printf("\n%s.\n", mdProse(ServersSentence(m.r.UnreadServers)))
	}
}

// notes lists the defects of the dump, which may explain a gap in a stack.
func (m markdown) notes() {
	if len(m.r.Notes) == 0 {
		return
	}
	m.printf("\nThe dump has damaged or odd parts:\n\n")
	for _, n := range m.r.Notes[:min(len(m.r.Notes), mostNotes)] {
		m.printf("- %s\n", codeSpan(n.Where+": "+n.Text))
	}
	if more := len(m.r.Notes) - mostNotes; more > 0 {
		m.printf("- and %d more\n", more)
	}
}

// mostNotes bounds the notes in an issue.
const mostNotes = 20
