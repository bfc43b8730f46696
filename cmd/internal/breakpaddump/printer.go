// Package breakpaddump writes a minidump as Breakpad's minidump_dump prints it. Sections, names and
// widths are the same, so that scripts which parse that text keep working. A part that is damaged
// is left out, as the original leaves it out, and the size of the output is bounded by the size of
// the dump. It decodes nothing by itself: package minidump reads the streams, and crashglass dump
// explains defects.
//
// Source: Breakpad's src/processor/minidump_dump.cc, minidump.cc (the Print
// methods) and dump_context.cc.
//
// Read this file first, then head.go. Each other file writes the streams that its name says.
package breakpaddump

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/report/render"
)

// Options select how memory is shown. The zero value is one line of digits for each range, as
// without -x.
type Options struct {
	Rows bool // rows of 16 bytes with their text, as with -x
}

// Write writes a dump. Streams that cannot be read are left out, as the original leaves them out.
func Write(w io.Writer, f *minidump.File, opt Options) error {
	p := &printer{bufio.NewWriter(w), f, opt, bin.NewBudget(render.MaxOutput + perByte*f.Size())}
	for _, section := range []func(*printer){
		header, directory, streams, threads, threadNames, modules, memoryList,
		exception, assertion, systemInfo, miscInfo, breakpadInfo, memoryInfo, crashpad, texts,
	} {
		section(p)
	}
	return p.end()
}

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
	if p.room.Exceeded() {
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

// Of a damaged list, it writes the records before the damage; the original would leave the list out.
func list[T any](p *printer, title, of string, records []T, err error, write func(*T)) {
	if err != nil && records == nil {
		return
	}
	p.printf("%s\n  %s_count = %d\n\n", title, of, len(records))
	for i := 0; i < len(records) && !p.room.Exceeded(); i++ {
		p.printf("%s[%d]\n", of, i)
		write(&records[i])
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
