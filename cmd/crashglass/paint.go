package main

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"strings"

	"golang.org/x/term"

	"crashglass/core/report/render"
)

// console escapes control characters, so that none from a dump reaches the terminal. It adds colours after that, line by line.
type console struct {
	*os.File
	colour bool
	rest   []byte // the beginning of an incomplete line
}

// onConsole wraps a file that is a terminal. Any other file gets the bytes as they are.
func onConsole(file *os.File) io.Writer {
	if !isTerminal(file) {
		return file
	}
	return &console{File: file}
}

// paint enables colours for the text of a report. NO_COLOR (no-color.org) and TERM=dumb disable
// them.
func paint(w io.Writer, on bool) {
	if t, ok := w.(*console); ok {
		t.colour = on && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && speaksANSI()
	}
}

// Write implements io.Writer.
func (t *console) Write(p []byte) (int, error) {
	t.rest = append(t.rest, p...)
	end := bytes.LastIndexByte(t.rest, '\n') + 1
	_, err := io.WriteString(t.File, shown(string(t.rest[:end]), t.colour))
	t.rest = append(t.rest[:0], t.rest[end:]...)
	return len(p), err
}

// Close writes the last line, if it has no line end.
func (t *console) Close() error {
	_, err := io.WriteString(t.File, shown(string(t.rest), t.colour))
	t.rest = nil
	return err
}

// shown returns text as it is written to a terminal: control characters escaped, tabs as spaces, and
// each line with its colour.
func shown(text string, colour bool) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line, newline := strings.CutSuffix(line, "\n")
		line = strings.ReplaceAll(render.Escape(strings.ReplaceAll(line, "\t", "        ")), "\r", "")
		if code := sgr(line); colour && code != "" {
			line = "\x1b[" + code + "m" + line + "\x1b[0m"
		}
		out.WriteString(line)
		if newline {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// styles maps the beginning of a line to its look; all other lines are plain.
var styles = []struct{ start, sgr string }{
	{"What happened:", "1;31"},
	{"Thread ", "1"},
	{"    Found by:", "2"},
	{"WARNING:", "33"},
}

// sgr is the code of a line's look (ECMA-48, Select Graphic Rendition), or "".
func sgr(line string) string {
	for _, l := range styles {
		if strings.HasPrefix(line, l.start) {
			return l.sgr
		}
	}
	return ""
}

// isTerminal reports whether w is a terminal, also behind a console.
func isTerminal(w io.Writer) bool {
	if _, ok := w.(*console); ok {
		return true
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// speaksANSI reports whether a terminal supports colours. Each terminal of Windows has its own
// environment variable for that.
func speaksANSI() bool {
	return runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "" || os.Getenv("TERM") != "" || os.Getenv("ANSICON") != ""
}

// columns returns the width of the terminal w in characters, or 0 if w is no terminal: output for
// another program is not wrapped.
func columns(w io.Writer) int {
	file, ok := w.(interface{ Fd() uintptr })
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return width
}
