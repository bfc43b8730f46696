package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"crashglass/core/base/version"
)

// A symEdit holds the changes that dump_syms' flags ask for.
type symEdit struct {
	os, name, extra, code       string    // code is the INFO CODE_ID line of the library
	noCFI, inlines, noGenerator bool      // inlined calls are written only on request, as in the originals
	rules                       []mapping // the first that matches a path rewrites it
}

// A symEditor edits a symbol file while it is written, a line at a time. A file of a gigabyte is never
// in memory twice. Records are those of Breakpad's docs/symbol_files.md.
type symEditor struct {
	symEdit
	w      io.Writer // gets the edited lines
	header bool      // only MODULE and INFO lines
	frames bool      // there was call frame information
	lines  callLines // without inlined calls

	rest    []byte // of an incomplete line
	started bool   // past the INFO lines
	coded   bool   // there was an INFO CODE_ID
	stored  string // the name in the MODULE line
}

// Write implements io.Writer.
func (e *symEditor) Write(p []byte) (int, error) {
	e.rest = append(e.rest, p...)
	for {
		end := bytes.IndexByte(e.rest, '\n')
		if end < 0 {
			e.rest = append([]byte(nil), e.rest...)
			return len(p), nil
		}
		if err := e.line(string(e.rest[:end])); err != nil {
			return 0, err
		}
		e.rest = e.rest[end+1:]
	}
}

// flush writes an incomplete last line, and the INFO lines of a file without other records.
func (e *symEditor) flush() error {
	if len(e.rest) > 0 {
		if err := e.line(string(e.rest)); err != nil {
			return err
		}
	}
	if err := e.lines.flush(); err != nil {
		return err
	}
	return e.infos()
}

// withoutInlines takes the records of inlined calls and of lines, unless inlined calls are written, and reports whether
// the record is done.
func (e *symEditor) withoutInlines(kind, line string) (done bool, err error) {
	if e.inlines || e.header {
		return false, nil
	}
	e.lines.w = e.w
	switch kind {
	case "INLINE_ORIGIN":
		return true, nil
	case "INLINE":
		e.lines.inline(line)
		return true, nil
	case "FUNC":
		return false, e.lines.function()
	case "MODULE", "INFO", "FILE", "PUBLIC", "STACK":
		return false, e.lines.flush()
	}
	return e.lines.line(line)
}

// line writes one record, unless a flag omits it. Call frame information counts as there even if
// --no-cfi omits it, for --check-cfi.
func (e *symEditor) line(line string) error {
	kind, _, _ := strings.Cut(line, " ")
	switch kind {
	case "MODULE":
		line = e.module(line)
	case "INFO":
		e.coded = e.coded || strings.HasPrefix(line, "INFO CODE_ID ")
	default:
		if err := e.infos(); err != nil {
			return err
		}
	}
	e.frames = e.frames || kind == "STACK"
	if done, err := e.withoutInlines(kind, line); done || err != nil {
		return err
	}
	switch {
	case e.header && kind != "MODULE" && kind != "INFO":
		return nil
	case e.noCFI && kind == "STACK":
		return nil
	case kind == "FILE":
		line = e.file(line)
	}
	_, err := fmt.Fprintln(e.w, line)
	return err
}

// infos writes the added INFO lines after those of the file, once. A file has at most one INFO CODE_ID,
// and --header leaves out the lines that name a generator.
func (e *symEditor) infos() error {
	if e.started {
		return nil
	}
	e.started = true
	if !e.coded && e.code != "" {
		if _, err := fmt.Fprintln(e.w, e.code); err != nil {
			return err
		}
	}
	if e.header {
		return nil
	}
	if e.extra != "" {
		if _, err := fmt.Fprintf(e.w, "INFO %s\n", oneLine(e.extra)); err != nil {
			return err
		}
	}
	if e.noGenerator {
		return nil
	}
	_, err := fmt.Fprintf(e.w, "INFO GENERATOR crashglass %s\n", version.Number())
	return err
}

// module is the first line: MODULE OS CPU ID NAME. The name is the rest of the line, with its spaces.
func (e *symEditor) module(line string) string {
	fields := strings.SplitN(line, " ", 5)
	if len(fields) < 5 {
		return line
	}
	if e.os != "" {
		fields[1] = e.os
	}
	if e.name != "" {
		fields[4] = oneLine(e.name)
	}
	e.stored = fields[4]
	return strings.Join(fields, " ")
}

// file is FILE NUMBER PATH, whose path may be rewritten by mappings. Other records refer to the number.
func (e *symEditor) file(line string) string {
	fields := strings.SplitN(line, " ", 3)
	if len(fields) < 3 {
		return line
	}
	for _, rule := range e.rules {
		if to, ok := rule.apply(fields[2]); ok {
			fields[2] = to
			break
		}
	}
	return strings.Join(fields, " ")
}
