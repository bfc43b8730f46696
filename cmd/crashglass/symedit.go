package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// A symEdit is what dump_syms is asked to write differently.
type symEdit struct {
	os, name, extra, code       string // code is INFO CODE_ID of the library beside
	noCFI, inlines, noGenerator bool
	rules                       []mapping
}

// A symEditor edits a symbol file while it is written, a line at a time.
type symEditor struct {
	symEdit
	w      io.Writer
	header bool // MODULE and INFO lines alone
	frames bool // there was call frame information

	rest    []byte
	started bool // past the INFO lines
	coded   bool // there was an INFO CODE_ID
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

// flush writes what was not a whole line, and the INFO lines of a file that has
// nothing else.
func (e *symEditor) flush() error {
	if len(e.rest) > 0 {
		if err := e.line(string(e.rest)); err != nil {
			return err
		}
	}
	return e.infos()
}

// line writes one record, unless it is not wanted.
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
	switch {
	case e.header && kind != "MODULE" && kind != "INFO":
		return nil
	case e.noCFI && kind == "STACK":
		return nil
	case !e.inlines && (kind == "INLINE" || kind == "INLINE_ORIGIN"):
		return nil
	case kind == "FILE":
		line = e.file(line)
	}
	_, err := fmt.Fprintln(e.w, line)
	return err
}

// infos writes our own INFO lines behind those of the file, once.
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
	_, err := fmt.Fprintf(e.w, "INFO GENERATOR crashglass %s\n", versionWord())
	return err
}

// module is the first line: MODULE OS CPU ID NAME.
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
	return strings.Join(fields, " ")
}

// file is FILE NUMBER PATH, whose path may be mapped to another one.
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

// A mapping makes one path of a source file of another one.
type mapping struct {
	from *regexp.Regexp
	to   string
	vars map[string]string
}

// mappingFlags are the flags of mappings, each of which may be repeated.
type mappingFlags struct{ vars, from, to []string }

func registerMapping(s *standIn) *mappingFlags {
	var m mappingFlags
	s.StringArrayVar(&m.vars, "mapping-var", nil, "`NAME=VALUE` for {NAME} in --mapping-dest")
	s.StringArrayVar(&m.from, "mapping-src", nil, "`expression` for paths of source files")
	s.StringArrayVar(&m.to, "mapping-dest", nil, "what such a path becomes: a `text` with {1} for groups and {NAME} for variables")
	return &m
}

// mapped makes rules of flags.
func (e *symEdit) mapped(m *mappingFlags) error {
	if len(m.from) != len(m.to) {
		return fmt.Errorf("there are %d --mapping-src for %d --mapping-dest: give as many of each", len(m.from), len(m.to))
	}
	vars := map[string]string{}
	for _, v := range m.vars {
		name, value, ok := strings.Cut(v, "=")
		if !ok {
			return fmt.Errorf("--mapping-var %q has no =", v)
		}
		vars[name] = value
	}
	for i := range m.from {
		from, err := regexp.Compile(m.from[i])
		if err != nil {
			return fmt.Errorf("--mapping-src: %v", err)
		}
		if strings.Contains(strings.ToLower(m.to[i]), "{digest}") {
			return errors.New("{digest} in --mapping-dest needs the source files, which are not read: leave it out")
		}
		e.rules = append(e.rules, mapping{from, m.to[i], vars})
	}
	return nil
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// apply maps a path, if the rule is for it.
func (m mapping) apply(path string) (string, bool) {
	groups := m.from.FindStringSubmatch(path)
	if groups == nil {
		return path, false
	}
	return placeholder.ReplaceAllStringFunc(m.to, func(p string) string {
		name := p[1 : len(p)-1]
		if value, ok := m.vars[name]; ok {
			return value
		}
		var n int
		if _, err := fmt.Sscanf(name, "%d", &n); err == nil && n < len(groups) {
			return groups[n]
		}
		return p
	}), true
}
