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

// perByte bounds the text for each byte of a dump. A byte of memory takes two digits, or five
// characters in rows, and a stack is written twice: with its thread, and in the memory list.
// Streams of a damaged dump may overlap, so that it shows its bytes more often.
const perByte = 16

// newPrinter starts a text whose length is bounded by the size of the dump.
func newPrinter(w io.Writer, f *minidump.File, opt Options) *printer {
	return &printer{bufio.NewWriter(w), f, opt, bin.NewBudget(render.MaxOutput + perByte*f.Size())}
}

// printf writes formatted text. Texts of the dump have to be escaped by [plain] or [quoted].
func (p *printer) printf(format string, args ...any) { p.text(fmt.Sprintf(format, args...)) }

// text writes a text, or nothing once the limit is reached. An error of the writer stays in its
// buffer, and end returns it.
func (p *printer) text(s string) {
	if p.room.Spend(int64(len(s))) {
		p.w.WriteString(s)
	}
}

// end writes a line if something was dropped, and flushes. Errors of the writer are returned here.
func (p *printer) end() error {
	if p.room.Over() {
		fmt.Fprintf(p.w, "\nThe rest is left out: this dump shows the same bytes many times over.\n")
	}
	return p.w.Flush()
}

// A row is a line of a record: its label, and its formatted value.
type row struct {
	name, format string
	value        any
}

// rows writes a record's name and its lines, with labels padded to a width.
func (p *printer) rows(record string, width int, rows []row) {
	p.text(record + "\n")
	p.more(width, rows)
}

// more writes further lines of a record, which depend on its version or on the system.
func (p *printer) more(width int, rows []row) {
	for _, r := range rows {
		p.printf("  %-*s = "+r.format+"\n", width, r.name, r.value)
	}
}

// quoted returns a text of the dump that is safe on a terminal.
func quoted(s string) string { return `"` + plain(s) + `"` }

// plain does the same, but keeps line ends and tabs, which do no harm.
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

// stamped formats a time in seconds since 1970, with the date in UTC.
//
// Source: minidump.cc, TimeTToUTCString.
func stamped(seconds uint32) string {
	return fmt.Sprintf("0x%x %s", seconds, time.Unix(int64(seconds), 0).UTC().Format(time.DateTime))
}
