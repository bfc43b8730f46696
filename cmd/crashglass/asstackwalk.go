package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"

	"crashglass/core/analyze"
	"crashglass/core/base/bug"
	"crashglass/core/report"
	"crashglass/core/report/render"
	"crashglass/symbols"
)

// A walkAs is one dump as an original program walks it.
type walkAs struct {
	dump    string
	symbols []string // folders or files, which need not exist
	brief   bool     // only the crashing thread
}

// walkAs analyzes a dump and passes the report to write. A missing symbol path costs one line on
// standard error, and no exit status: the originals treat it as empty, and scripts pass paths that
// exist only on some machines.
func (c *cli) walkAs(w walkAs, write func(files *files, s *analyze.Session, r *report.Report) error) int {
	files := newFiles(c)
	defer files.close()
	var there []string
	for _, path := range w.symbols {
		if _, err := os.Stat(path); err != nil {
			c.warn(path, cause(err).Error())
		} else {
			there = append(there, path)
		}
	}
	files.addSymbols(c, there)
	c.status = exitOK
	if err := c.walkOneAs(files, w, write); err != nil {
		c.fail(w.dump, err)
	}
	return c.status
}

// walkOneAs reports the one dump that the original takes. --brief walks only the thread that crashed.
// An archive or a log may have several dumps; write is called for each.
func (c *cli) walkOneAs(files *files, w walkAs, write func(files *files, s *analyze.Session, r *report.Report) error) (err error) {
	defer bug.Catch(&err)
	which := analyze.All()
	if w.brief {
		which = analyze.Crashing()
	}
	for _, in := range files.inputs(c, []string{w.dump}) {
		err := files.sessions(in, func(_ symbols.Item, s *analyze.Session) error {
			r, err := s.Report(files.store, analyze.Options{Threads: which})
			if err != nil {
				return err
			}
			return write(files, s, r)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// A form writes a report in one format of an original.
type form func(io.Writer, *report.Report) error

// humanForm makes a form of a text for reading. brief leaves out the modules; the other threads were not walked.
func humanForm(text func(io.Writer, *report.Report, render.Options) error, brief bool) form {
	return func(w io.Writer, r *report.Report) error { return text(w, r, render.Options{NoModules: brief}) }
}

// jsonForm writes JSON on one line or, as --pretty has it, indented by two spaces.
func jsonForm(pretty bool) form {
	return func(w io.Writer, r *report.Report) error {
		var one bytes.Buffer
		if err := render.JSON(&one, r); err != nil {
			return err
		}
		if pretty {
			var lines bytes.Buffer
			if err := json.Indent(&lines, one.Bytes(), "", "  "); err != nil {
				return err
			}
			one = lines
		}
		_, err := w.Write(one.Bytes())
		return err
	}
}

// writeForm writes a report to a file, or to standard output if the path is "" or "-".
func (c *cli) writeForm(files *files, path string, r *report.Report, f form) error {
	return c.to(files, path, func(w io.Writer) error { return f(w, r) })
}
