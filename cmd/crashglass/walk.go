package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crashglass/cmd/internal/local"
	"crashglass/core/analyze"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/report/render"
	"crashglass/core/runtimes"
	"crashglass/core/runtimes/python"
	"crashglass/core/runtimes/v8"
	"crashglass/core/sanitize"
	"crashglass/core/values/natvis"
	"crashglass/core/values/variables"
	"crashglass/symbols"
	"crashglass/symbols/formats"
)

var reportFormats = map[string]func(io.Writer, *report.Report, render.Options) error{
	"text":     render.Text,
	"machine":  render.Machine,
	"markdown": render.Markdown,
	"html":     render.HTML,
	"json":     func(w io.Writer, r *report.Report, _ render.Options) error { return render.JSON(w, r) },
}

type walkFlags struct {
	format  string // a key of reportFormats
	out     string // "" is standard output
	brief   bool   // the short form of text: by default on a terminal
	full    bool   // the long form
	strict  bool   // damage and unused symbols give exit status 3
	symbols list   // paths
	local   localFlags
	anyway  list          // names of modules whose mismatched symbols are used
	threads analyze.Which // all by default
	frames  int           // 0 is the built-in limit
	explain bool          // the evidence for each frame
	cache   bool          // read and write indexes in the user's cache folder
	verify  bool          // scan the symbol files that were read in part
	reveal  bool          // do not mask html and markdown
	mask    bool          // mask the other formats, too
	values  bool          // --variables
	globals list          // names or patterns
	eval    list          // expressions
	frame   int           // where they are evaluated
	natvis  list          // paths
	views   natvis.Set    // the content of natvis
	several bool          // there are several inputs
	written bool          // a report was written
}

// register adds the flags. Each one that applies to some formats only begins its text with them.
func (w *walkFlags) register(f *pflag.FlagSet) {
	f.StringVar(&w.format, "format", "text", "`format` of the report: text, machine, json, markdown or html")
	f.StringVarP(&w.out, "output", "o", "", "write to `file` instead of standard output, when all reports are made")
	f.BoolVar(&w.brief, "brief", false, "text: what happened, the crashing stack without registers, other threads in a line for each group, what is missing (default on a terminal)")
	f.BoolVar(&w.full, "full", false, "text: everything (default for a file or another program, and with --thread, --explain, --variables or --global)")
	f.Var(&w.symbols, "symbols", "symbol `path`: a file, an archive, or a folder in any symbol store's layout; may be repeated")
	w.local.register(f)
	f.Var(&w.anyway, "use-anyway", "use mismatched symbols for the `module` of this name, although the function names may be wrong; may be repeated")
	f.Func("thread", "`which` threads to walk: crashing, all, or the number of one (default all)", func(s string) (err error) {
		w.threads, err = parseThread(s)
		return err
	})
	f.IntVar(&w.frames, "frames", 0, "maximum frames per stack (0: the built-in limit)")
	f.BoolVar(&w.cache, "cache", false, "keep indexes of large symbol files in the user's cache folder, and use the kept ones")
	f.BoolVar(&w.verify, "verify", false, "read large symbol files completely, and check the answers of partial reads")
	f.BoolVar(&w.mask, "mask", false, "text, json, machine: mask the same data as html and markdown do")
	f.BoolVar(&w.reveal, "reveal", false, "html, markdown: keep names of people, IDs of users, the environment and probable secrets")
	f.BoolVar(&w.values, "variables", false, "text, json, markdown, html: read the arguments and local variables of each frame; values are memory and may be secret")
	f.Var(&w.globals, "global", "text, json: read the global variables of this `name` in every module with symbols: ns::name, name, or with * for any text; may be repeated")
	f.Var(&w.eval, "eval", "text, json: evaluate this `expression` in the crashing frame: order.next->lines[2] * 4, (Node *)$rax, app!counter; may be repeated")
	f.IntVar(&w.frame, "frame", 0, "evaluate in the frame of this number, as the text of the stack has it")
	f.Var(&w.natvis, "natvis", "text, json: show values as a NatVis `file` defines, except for calls of functions; may be repeated")
	f.BoolVar(&w.strict, "strict", false, "exit with status 3 if a dump is damaged, or given symbols cannot be used")
	f.BoolVar(&w.explain, "explain", false, "show how each frame was found, and which methods failed before")
}

// A list is the value of a flag that may be repeated. Unlike pflag's StringSlice, it does not divide a
// value at commas, because paths may have them.
type list []string

// Type, String and Set implement pflag.Value.
func (l *list) Type() string   { return "list" }
func (l *list) String() string { return strings.Join(*l, " ") }
func (l *list) Set(s string) error {
	if s == "" {
		return errors.New("it must not be empty")
	}
	*l = append(*l, s)
	return nil
}

// parseThread reads --thread: crashing, all, or an index of the list of threads.
func parseThread(s string) (analyze.Which, error) {
	switch s {
	case "all":
		return analyze.All(), nil
	case "crashing":
		return analyze.Crashing(), nil
	}
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return analyze.Which{}, errors.New("want crashing, all or a number")
	}
	return analyze.One(int(n)), nil
}

// walkCommand is the main command: most users need no other.
func walkCommand(c *cli) *cobra.Command {
	var w walkFlags
	cmd := &cobra.Command{
		Use:   "walk [flags] DUMP... [SYMBOLS...]",
		Short: "what happened, and every thread's stack",
		Long: `Says what happened in a dump, with the stack of every thread.

A dump is a minidump, an ELF core, a kernel dump of Windows, a microdump or another crash
report that is text, alone or in a log, or an archive with any of these.
A path is a file, an archive, a folder, or - for standard input. Files are identified
by content: dumps are reported, and symbols are used. A folder may hold dumps, or be a
symbol store of any layout, or a folder inside one.`,
		Example: `  crashglass walk crash.dmp                                   what is known without symbols
  crashglass walk crash.dmp symbols/ app.pdb                  dumps and symbols in any order
  crashglass walk --symbols symbols/ --format json crash.dmp
  gunzip -c crash.dmp.gz | crashglass walk -o report.txt -`,
	}
	c.command(cmd, "name a dump", w.register, func(args []string) int { return c.walk(args, &w) })
	complete(cmd, "format", slices.Sorted(maps.Keys(reportFormats))...)
	complete(cmd, "thread", "crashing", "all")
	return cmd
}

// A dump without a report costs exit status 1; the others are still reported.
func (c *cli) walk(paths []string, w *walkFlags) int {
	switch {
	case reportFormats[w.format] == nil:
		return c.wrong("no format %q; want text, machine, json, markdown or html", w.format)
	case w.frames < 0:
		return c.wrong("--frames cannot be %d", w.frames)
	case w.frame < 0:
		return c.wrong("--frame cannot be %d", w.frame)
	case w.frame > 0 && len(w.eval) == 0:
		return c.wrong("--frame says where --eval evaluates: name an expression")
	case w.brief && w.full:
		return c.wrong("name either --brief or --full")
	}
	w.brief = w.brief || !w.full && w.plain() && isTerminal(c.out) && (w.out == "" || w.out == "-")
	files := newLocalFiles(c, &w.local, w.indexes(c))
	if files == nil {
		return exitInput
	}
	defer files.close()
	w.views.ReadsMore()
	if err := c.readViews(files, w.natvis, &w.views); err != nil {
		c.say(err.Error())
		return exitInput
	}
	files.addSymbols(c, w.symbols)
	inputs := files.inputs(c, paths)
	if len(inputs) == 0 {
		return c.status
	}
	w.several = len(inputs) > 1
	paint(c.out, w.format == "text")
	err := c.to(files, w.out, func(out io.Writer) error {
		return c.each(inputs, w.out, func(in input) error { return c.walkInput(files, in, w, out) })
	})
	if err != nil {
		c.failOutput(w.out, err)
	}
	files.sayUnused(c)
	if w.strict {
		files.strictly(c)
	}
	return c.status
}

// plain reports whether no flag requests a part that the short form does not have.
func (w *walkFlags) plain() bool {
	return w.threads == analyze.All() && !w.explain && !w.values && len(w.globals) == 0
}

// walkInput writes the report of each dump in a file: an archive, a log of microdumps and an upload
// may have several. Its error is about the file; other files are still read.
func (c *cli) walkInput(files *files, in input, w *walkFlags, out io.Writer) error {
	all := several{out: out}
	return files.sessions(in, func(d symbols.Item, s *analyze.Session) error {
		if err := all.full(); err != nil {
			return err
		}
		r, err := w.report(files, s, d.Archive)
		if err != nil {
			return err
		}
		if len(r.WantedSymbols) > 0 && c.machine != nil && w.local == (localFlags{}) {
			r.UnreadServers = local.Servers(os.Getenv("_NT_SYMBOL_PATH"))
			files.unread(c, r.UnreadServers)
		}
		if w.several || files.oneOfSeveral {
			r.Dump.File = d.Name
		}
		if !w.hasThread(r) {
			c.warn(in.path, fmt.Sprintf("this dump has no thread with that number; its %d are numbered from 0", len(r.Threads)))
		}
		if w.strict {
			files.fitting(s.Modules())
			c.damaged(in.path, r)
		}
		return all.write(func(out io.Writer) error { return w.write(out, s, r) })
	})
}

// indexes returns the cache of --cache, or nil. One that cannot be used costs a warning, because it only saves time.
func (w *walkFlags) indexes(c *cli) formats.Cache {
	if !w.cache {
		return nil
	}
	cache, err := openCache(c.warn)
	if err != nil {
		c.warn("cache", cause(err).Error())
		return nil
	}
	return cache
}

// A several writes the reports of all dumps of one file up to a total size, each report complete or
// not at all. A log or an archive may have hundreds of dumps, made to have long reports.
type several struct {
	out  io.Writer
	size int // bytes of all reports, also of one that exceeded the limit
}

// write writes one more report, unless the total would exceed the limit. Then it is an error, and the
// reports before it stay.
func (s *several) write(report func(io.Writer) error) error {
	var text bytes.Buffer
	if err := report(&text); err != nil {
		return err
	}
	s.size += text.Len()
	if err := s.full(); err != nil {
		return err
	}
	_, err := s.out.Write(text.Bytes())
	return err
}

// full returns an error if the limit was exceeded. Then no further dump is analyzed.
func (s *several) full() error {
	if s.size <= render.MaxOutput {
		return nil
	}
	return fmt.Errorf("this has no report, because those of all dumps in one file are longer than %d MiB: unpack it", render.MaxOutput>>20)
}

// The number is the index in the report's list, which the text has in "Thread 3", and not the system's ID.
func (w *walkFlags) hasThread(r *report.Report) bool {
	if w.threads == analyze.All() || w.threads == analyze.Crashing() {
		return true
	}
	for i := range r.Threads {
		if w.threads == analyze.One(i) {
			return true
		}
	}
	return false
}

// report analyzes one dump. --use-anyway matches the name of a module's library or of its debug file.
// The machine format has no room for values, so it does not read any.
func (w *walkFlags) report(files *files, s *analyze.Session, archive []string) (*report.Report, error) {
	for _, m := range s.Modules() {
		if slices.Contains(w.anyway, m.Name()) || slices.Contains(w.anyway, module.Basename(m.DebugFile)) {
			files.store.Force(m.DebugFile, m.DebugID, true)
		}
	}
	options := files.wholeReport()
	options.Threads, options.Frames, options.Explain = w.threads, w.frames, w.explain
	if w.format != "machine" {
		w.memory(&options)
	}
	r, err := s.Report(files.store, options)
	if err == nil && w.verify {
		r, err = verified(files.store, s, options, r)
	}
	if err != nil {
		return nil, err
	}
	if len(w.eval) > 0 && (w.format == "text" || w.format == "json") {
		if r.Evaluated, err = w.evaluate(files.store, s, options, r); err != nil {
			return nil, err
		}
	}
	r.Dump.Archive = archive
	r.UnusedSymbols = files.unused(s.Modules())
	return r, nil
}

// verified scans the symbol files that were read in part. If a scan contradicts an answer, the
// report is made again, with a note.
func verified(store *symbols.Store, s *analyze.Session, options analyze.Options, r *report.Report) (*report.Report, error) {
	differ, err := store.Verify()
	if err != nil || len(differ) == 0 {
		return r, err
	}
	if r, err = s.Report(store, options); err != nil {
		return nil, err
	}
	for _, d := range differ {
		r.Notes = append(r.Notes, report.Note{
			Kind: report.NoteOdd, Where: d.File, Count: d.Answers,
			Text: "has several records for one address, far from each other: this report uses the record that a scan of the file finds",
		})
	}
	return r, nil
}

// evaluate evaluates the expressions of --eval in one frame of the thread that --thread names, or of the one that crashed.
func (w *walkFlags) evaluate(store *symbols.Store, s *analyze.Session, options analyze.Options, r *report.Report) (*report.Evaluated, error) {
	out := report.Evaluated{Thread: max(r.Subject(), 0), Frame: w.frame}
	for i := range r.Threads {
		if w.threads == analyze.One(i) {
			out.Thread = i
		}
	}
	if out.Thread >= len(r.Threads) {
		return nil, errors.New("the dump has no threads, in whose frames expressions are evaluated")
	}
	frame, scope, ok := r.Threads[out.Thread].At(w.frame)
	if !ok {
		return nil, fmt.Errorf("thread %d has no frame %d", out.Thread, w.frame)
	}
	var err error
	out.Values, err = s.Evaluate(store, analyze.EvaluateQuery{Thread: out.Thread, Frame: frame, Scope: scope, Expressions: w.eval}, options)
	return &out, err
}

// memory sets the options that put values from memory into a report.
func (w *walkFlags) memory(options *analyze.Options) {
	options.Views, options.Lists = &w.views, variables.CustomLists()
	if w.values {
		options.Variables = variables.Read
	}
	if len(w.globals) > 0 && (w.format == "text" || w.format == "json") {
		options.Globals = variables.Named(w.globals, variables.Limits{})
	}
}

// write writes a report in the requested format, completely or not at all. HTML and Markdown are
// masked unless --reveal is given, because they end up in bug trackers. An empty line separates reports for reading.
func (w *walkFlags) write(out io.Writer, s *analyze.Session, r *report.Report) error {
	if w.written && (w.format == "text" || w.format == "markdown") {
		if _, err := io.WriteString(out, "\n"); err != nil {
			return err
		}
	}
	w.written = true
	sent := w.format == "html" || w.format == "markdown"
	if w.mask || sent && !w.reveal {
		r = sanitize.Mask(r, sanitize.People(s))
	}
	return reportFormats[w.format](out, r, render.Options{Brief: w.brief, NoModules: w.threads != analyze.All(), Evidence: w.explain})
}

// oneLine makes an error one line that is safe on a terminal.
func oneLine(s string) string { return render.Escape(s) }

// wholeReport are the options of a report with all that this program can find, which other programs do not link.
func (f *files) wholeReport() analyze.Options {
	return analyze.Options{Retrace: f.store.Retrace, Generated: f.store.Generated, Runtimes: []runtimes.Runtime{python.Runtime(), v8.Runtime()}, Compare: analyze.CompareCode}
}
