package breakpaddump

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"crashglass/core/bin"
	"crashglass/core/minidump"
	"crashglass/core/render"
)

// A printer writes the lines of one dump.
type printer struct {
	w    *bufio.Writer
	f    *minidump.File
	opt  Options
	room *bin.Budget // bytes of text that may still be written
}

// perByte is how much text a byte of a dump may become. Its memory takes two
// digits a byte, or five with rows, and a stack is written twice: with its
// thread, and in the list of memory. A damaged dump may show its bytes more often.
const perByte = 16

func newPrinter(w io.Writer, f *minidump.File, opt Options) *printer {
	return &printer{bufio.NewWriter(w), f, opt, bin.NewBudget(render.MaxOutput + perByte*f.Size())}
}

func (p *printer) printf(format string, args ...any) { p.text(fmt.Sprintf(format, args...)) }

func (p *printer) text(s string) {
	if p.room.Spend(int64(len(s))) {
		p.w.WriteString(s)
	}
}

// end says what is missing, and flushes.
func (p *printer) end() error {
	if p.room.Over() {
		fmt.Fprintf(p.w, "\nThe rest is left out: this dump shows the same bytes many times over.\n")
	}
	return p.w.Flush()
}

// A row is a line of a record: what it is called, and how its value is written.
type row struct {
	name, format string
	value        any
}

// rows writes a record's name and its lines, whose names have a width.
func (p *printer) rows(record string, width int, rows []row) {
	p.text(record + "\n")
	p.more(width, rows)
}

func (p *printer) more(width int, rows []row) {
	for _, r := range rows {
		p.printf("  %-*s = "+r.format+"\n", width, r.name, r.value)
	}
}

// quoted is a text of the dump, fit for a terminal.
func quoted(s string) string { return `"` + plain(s) + `"` }

// plain keeps line ends and tabs of a text, which do no harm.
func plain(s string) string {
	var b strings.Builder
	for part := range strings.SplitAfterSeq(s, "\n") {
		body := strings.TrimSuffix(part, "\n")
		for i, cell := range strings.Split(body, "\t") {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(render.Escape(cell))
		}
		b.WriteString(part[len(body):])
	}
	return b.String()
}

// stamped is a time in seconds with its meaning.
func stamped(seconds uint32) string {
	return fmt.Sprintf("0x%x %s", seconds, time.Unix(int64(seconds), 0).UTC().Format(time.DateTime))
}
