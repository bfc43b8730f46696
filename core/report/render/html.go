package render

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"crashglass/core/report"
)

// An Excerpt is bytes of the process to be shown in a report.
type Excerpt struct {
	Title string
	Base  uint64
	Bytes []byte
}

//go:embed report.css
var reportCSS string

// HTML writes a report as one self-contained page: it has no script, no picture and no external
// address, and a policy that forbids all of them. It opens from a file, offline, and prints.
//
// It has all parts of the report, and of the process's memory only opt.Memory. Texts from the dump
// are escaped as in the other forms, and then for HTML.
func HTML(w io.Writer, r *report.Report, opt Options) error {
	return bounded(w, r, func(w io.Writer, some *report.Report) error {
		if some != r {
			opt.Memory = nil
		}
		return writeHTML(w, some, opt)
	})
}

// writeHTML writes the parts of the page, the most important first: a reader may stop anywhere.
// Without opt.Memory no byte of the process is in it.
func writeHTML(w io.Writer, r *report.Report, opt Options) error {
	h := htmler{newPrinter(w), r, opt}
	h.head()
	h.verdict()
	h.hang()
	h.crashingThread()
	h.facts()
	h.unused()
	h.symbols()
	h.otherThreads()
	h.tasks()
	h.notes()
	h.modules()
	h.regions()
	h.attached()
	h.memory()
	h.streams()
	h.madeBy()
	h.printf("</main>\n</body>\n</html>\n")
	return h.flush()
}

// madeBy ends the page with the name of the program that made it.
func (h htmler) madeBy() {
	if h.r.MadeBy != "" {
		h.printf("<footer>Made by %s</footer>\n", esc(h.r.MadeBy))
	}
}

// An htmler writes one report as HTML. Every text of the report passes esc on its way out.
type htmler struct {
	*printer
	r   *report.Report
	opt Options
}

// htmlEscaper replaces the characters that have a meaning between tags or in an attribute, so that
// a text is safe in both.
var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// esc makes any text safe in the page, between tags or in quotes.
func esc(s string) string { return htmlEscaper.Replace(Escape(s)) }

func str(s *string) string { return esc(report.Text(s)) }

// prose writes a sentence of the analysis. Text between backticks is code.
func prose(s string) string {
	var b strings.Builder
	for {
		before, rest, one := strings.Cut(s, "`")
		code, after, two := strings.Cut(rest, "`")
		if !one || !two {
			b.WriteString(esc(s))
			return b.String()
		}
		fmt.Fprintf(&b, "%s<code>%s</code>", esc(before), esc(code))
		s = after
	}
}

// head writes the element head. The policy forbids scripts and all requests, so that a name that
// escaped the escaping could still not run or send anything.
func (h htmler) head() {
	h.printf("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	h.printf("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n")
	h.printf("<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
	h.printf("<title>Crash report: %s</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", esc(happened(h.r)), reportCSS)
}

// verdict writes the title of the page, the explanation, the claims and the next steps.
func (h htmler) verdict() {
	v := &h.r.Verdict
	class := ""
	if v.Crashed {
		class = " class=\"crashed\""
	}
	h.printf("<header>\n<h1%s>%s", class, esc(happened(h.r)))
	if v.Where != nil {
		h.printf("%s<code>%s</code>", preposition(v), str(v.Where))
	}
	if v.At != nil {
		h.printf(" at <code>%s</code>", str(v.At))
	}
	h.printf("</h1>\n")
	if v.Detail != "" {
		h.printf("<p>%s</p>\n", prose(v.Detail))
	}
	for i := range v.Badges {
		h.badge(&v.Badges[i])
	}
	h.origin()
	h.next()
	h.printf("</header>\n")
}

// badge writes a claim with its evidence, which unfolds. It skips the cause: its claim is the
// title, and its evidence goes with the explanation.
func (h htmler) badge(b *report.Badge) {
	if b.Kind == report.BadgeCause {
		for _, e := range b.Evidence {
			h.printf("<p>%s</p>\n", prose(e))
		}
		return
	}
	h.printf("<details class=\"badge %s\"><summary>%s%s</summary><ul>", esc(string(b.Kind)), esc(b.Text), percent(b.Confidence))
	for _, e := range b.Evidence {
		h.printf("<li>%s</li>", prose(e))
	}
	h.printf("</ul></details>\n")
}

func (h htmler) next() {
	if len(h.r.NextSteps) == 0 {
		return
	}
	h.printf("<h2>What to do next</h2>\n<ol class=\"next\">\n")
	for i := range h.r.NextSteps {
		h.printf("<li>%s</li>\n", prose(nextSentence(&h.r.NextSteps[i])))
	}
	h.printf("</ol>\n")
}

// section writes a part under a heading, or nothing for an empty part.
func (h htmler) section(title string, n int, body func()) {
	if n == 0 {
		return
	}
	h.printf("<section>\n<h2>%s</h2>\n", esc(title))
	body()
	h.printf("</section>\n")
}

// folded writes a section that is closed at first.
func (h htmler) folded(title string, n int, body func()) {
	if n == 0 {
		return
	}
	h.printf("<section>\n<details><summary><h2>%s <small>%d</small></h2></summary>\n", esc(title), n)
	body()
	h.printf("</details>\n</section>\n")
}

func (h htmler) table(heads []string, rows func(row func(cells ...string))) {
	h.printf("<div class=\"scroll\"><table><thead><tr>")
	for _, head := range heads {
		h.printf("<th scope=\"col\">%s</th>", esc(head))
	}
	h.printf("</tr></thead><tbody>\n")
	rows(func(cells ...string) {
		h.printf("<tr>")
		for _, c := range cells {
			h.printf("<td>%s</td>", esc(c))
		}
		h.printf("</tr>\n")
	})
	h.printf("</tbody></table></div>\n")
}

func (h htmler) fact(name, value string) {
	if value != "" {
		h.printf("<div><dt>%s</dt><dd>%s</dd></div>\n", esc(name), esc(value))
	}
}

// facts writes names and values of the crash, the machine and the file. Unknown ones are left out.
func (h htmler) facts() {
	c, s, d := &h.r.CrashInfo, &h.r.SystemInfo, &h.r.Dump
	h.printf("<section>\n<h2>Facts</h2>\n<dl>\n")
	h.fact("File", d.File)
	h.fact("Reason", report.Text(reason(c)))
	if c.Address != nil {
		h.fact("Address", crashAddress(c))
	}
	h.fact("Instruction", report.Text(c.Instruction))
	if unquotedAssertion(h.r) {
		h.fact("Assertion", *c.Assertion)
	}
	h.fact("Signature", report.Text(h.r.Signature))
	for i, p := range c.Parameters {
		h.fact("Parameter", strings.TrimSpace(string(p)+" "+c.Meaning(i)))
	}
	h.fact("Operating system", strings.TrimSpace(report.Text(s.OS)+" "+report.Text(version(h.r))))
	h.fact("CPU", strings.TrimSpace(report.Text(s.CPU)+" "+report.Text(model(h.r))))
	h.fact("Program", program(h.r))
	h.fact("Build", build(h.r))
	h.fact("Written", written(h.r))
	h.fact("Process", report.Text(d.Process))
	if h.r.PID != nil {
		h.fact("Process ID", fmt.Sprint(*h.r.PID))
	}
	if h.r.ProcessUptime != nil {
		h.fact("Uptime", fmt.Sprintf("%d s", *h.r.ProcessUptime))
	}
	if d.Size > 0 {
		h.fact("Dump", fmt.Sprintf("%d %s, %s %s", d.Size, plural(uint64(d.Size), "byte", "bytes"), d.Kind, report.Text(d.Hash)))
	}
	h.printf("</dl>\n</section>\n")
	h.section("Annotations", len(h.r.Annotations), func() {
		h.table([]string{"Name", "Value", "From"}, func(row func(...string)) {
			for _, a := range h.r.Annotations {
				row(a.Name, a.Value, strings.TrimSpace(a.Source+" "+report.Text(a.Module)))
			}
		})
	})
}

// symbols lists the symbol files that would name more frames, the most useful first.
func (h htmler) symbols() {
	h.section("Symbols that would help", len(h.r.WantedSymbols), func() {
		h.table([]string{"File", "ID", "Frames", "Why"}, func(row func(...string)) {
			for _, w := range h.r.WantedSymbols {
				name, id := wantedFile(&w)
				row(name, id, fmt.Sprint(w.Frames), report.Text(w.Why))
			}
		})
		if len(h.r.UnreadServers) > 0 {
			h.printf("<p>%s.</p>\n", prose(ServersSentence(h.r.UnreadServers)))
		}
	})
}

// notes writes the defects of the dump, below the stacks, whose gaps they explain.
func (h htmler) notes() {
	h.section("Notes", len(h.r.Notes), func() {
		h.table([]string{"Where", "What"}, func(row func(...string)) {
			for _, n := range h.r.Notes {
				row(n.Where, n.Text)
			}
		})
	})
}
