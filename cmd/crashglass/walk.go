package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"crashglass/core/analyze"
	"crashglass/core/bug"
	"crashglass/core/module"
	"crashglass/core/render"
	"crashglass/core/report"
	"crashglass/core/sanitize"
	"crashglass/core/variables"
)

// formats are the ways to write a report.
var formats = map[string]func(io.Writer, *report.Report, render.Options) error{
	"text":     render.Text,
	"machine":  render.Machine,
	"markdown": render.Markdown,
	"html":     render.HTML,
	"json":     func(w io.Writer, r *report.Report, _ render.Options) error { return render.JSON(w, r) },
}

// walkFlags are the flags of walk.
type walkFlags struct {
	format  string
	symbols list
	anyway  list
	threads analyze.Which
	frames  int
	explain bool
	cache   bool
	reveal  bool
	values  bool
}

func (w *walkFlags) register(f *flag.FlagSet) {
	f.StringVar(&w.format, "format", "text", "`format` of the report: text, machine, json, markdown or html")
	f.Var(&w.symbols, "symbols", "symbol `path`: a file, an archive, or a folder in any symbol store's layout; may be repeated")
	f.Var(&w.anyway, "use-anyway", "name frames of the `module` of that name by symbols of another build, which are likely wrong; may be repeated")
	f.Func("thread", "walk `which` threads: crashing, all, or one's number (default all)", func(s string) (err error) {
		w.threads, err = parseThread(s)
		return err
	})
	f.IntVar(&w.frames, "frames", 0, "the most frames of each stack; 0 is no limit but the program's")
	f.BoolVar(&w.cache, "cache", false, "keep indexes of large symbol files in the user's cache folder, and use those that are there")
	f.BoolVar(&w.reveal, "reveal", false, "html, markdown: keep names of people, ids of users, the environment and what looks like a secret")
	f.BoolVar(&w.values, "variables", false, "text, json: read the arguments and local variables of each frame; values are memory, so think before sharing them")
	f.BoolVar(&w.explain, "explain", false, "say how each frame was found, and what was tried before")
}

// list is a flag that may be repeated.
type list []string

func (l *list) String() string     { return strings.Join(*l, " ") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func parseThread(s string) (analyze.Which, error) {
	switch s {
	case "all":
		return analyze.All(), nil
	case "crashing":
		return analyze.Crashing(), nil
	}
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return analyze.Which{}, fmt.Errorf("want crashing, all or a number")
	}
	return analyze.One(int(n)), nil
}

// walk makes reports of dumps. Each dump that gives none costs exit status 1,
// and the others are still reported.
func walk(c *cli, args []string) int {
	var w walkFlags
	f := c.flags()
	w.register(f)
	if status, ok := c.parse(f, args); !ok {
		return status
	}
	switch {
	case formats[w.format] == nil:
		return c.wrong("no format %q; want text, machine, json, markdown or html", w.format)
	case w.frames < 0:
		return c.wrong("frames cannot be %d", w.frames)
	case f.NArg() == 0:
		return c.wrong("which dump?")
	}
	files := newFiles(c, w.cache)
	defer files.close()
	files.addSymbols(c, w.symbols)
	status := exitOK
	for _, file := range f.Args() {
		if err := c.walkFile(files, file, &w); err != nil {
			c.fail(file, err)
			status = exitInput
		}
	}
	return status
}

// walkFile writes the report of each dump in a file.
func (c *cli) walkFile(files *files, file string, w *walkFlags) (err error) {
	defer bug.Catch(&err)
	dumps, err := files.dumps(file)
	if err != nil {
		return err
	}
	for i := range dumps {
		sessions, err := analyze.OpenAll(dumps[i].Source)
		if err != nil {
			return err
		}
		for _, s := range sessions {
			if err := c.report(files, s, dumps[i].Archive, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// report writes the report of one dump, whole or not at all.
func (c *cli) report(files *files, s *analyze.Session, archive []string, w *walkFlags) error {
	for _, m := range s.Modules() {
		if slices.Contains(w.anyway, m.Name()) || slices.Contains(w.anyway, module.Basename(m.DebugFile)) {
			files.store.Force(m.DebugFile, m.DebugID, true)
		}
	}
	asked := analyze.Options{Threads: w.threads, Frames: w.frames, Explain: w.explain}
	if w.values && (w.format == "text" || w.format == "json") {
		asked.Variables = variables.Read
	}
	r, err := s.Report(files.store, asked)
	if err != nil {
		return err
	}
	r.Dump.Archive = archive
	if (w.format == "html" || w.format == "markdown") && !w.reveal { // they are made to be sent
		r = sanitize.Mask(r, sanitize.People(s))
	}
	var out bytes.Buffer
	opt := render.Options{Brief: w.threads != analyze.All(), Evidence: w.explain}
	if err := formats[w.format](&out, r, opt); err != nil {
		return err
	}
	_, err = c.out.Write(out.Bytes())
	return err
}

// oneLine makes an error fit on a line of a terminal.
func oneLine(s string) string { return render.Escape(s) }
