package main

import (
	"bytes"
	"io"
	"os"
	"strings"

	"crashglass/core/render"
)

// A console is a terminal that results are written to. Control characters of
// a dump do not reach it: whatever writes them, they arrive as \x1b. Colours are
// added after that, a line at a time.
type console struct {
	*os.File
	colour bool
	rest   []byte // of a line that is not complete
}

// onConsole wraps a file that is a terminal.
func onConsole(file *os.File) io.Writer {
	if !isTerminal(file) {
		return file
	}
	return &console{File: file}
}

// paint switches colours on for text that has the look of a report, where
// they are wanted: NO_COLOR (no-color.org) and TERM=dumb say no.
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

// Close writes what is left.
func (t *console) Close() error {
	_, err := io.WriteString(t.File, shown(string(t.rest), t.colour))
	t.rest = nil
	return err
}

// shown is text as a terminal gets it.
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

// looks are the lines of a report that are not plain: by what they begin with.
var looks = []struct{ start, sgr string }{
	{"Crash reason:", "1;31"},
	{"Thread ", "1"},
	{"    Found by:", "2"},
	{"WARNING:", "33"},
}

// sgr is the code of a line's look (ECMA-48, Select Graphic Rendition), or "".
func sgr(line string) string {
	for _, l := range looks {
		if strings.HasPrefix(line, l.start) {
			return l.sgr
		}
	}
	return ""
}
