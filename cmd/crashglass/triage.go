package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crashglass/core/report/triage"
)

type triageFlags struct {
	format, out, baseline, failOn string // failOn is new, grown or never
	signature                     string // the rules of signatures
	symbols                       list
	local                         localFlags
	perDump, merge                bool // --map and --merge
	jobs                          int  // dumps read at once
}

// register adds the flags. Their defaults are those for a user at a terminal; docs/ci.md has those of
// a job.
func (t *triageFlags) register(f *pflag.FlagSet) {
	f.StringVar(&t.format, "format", "table", "`format` of the groups: table, json, lines, csv or markdown; with --map lines or parquet")
	f.StringVarP(&t.out, "output", "o", "", "write to `file` instead of standard output")
	f.Var(&t.symbols, "symbols", "symbol `path`, as for walk; may be repeated")
	t.local.register(f)
	f.StringVar(&t.signature, "signature", string(triage.Own), "`rules` of signatures: crashglass, the function to blame; or socorro, as in Mozilla's crash-stats")
	f.StringVar(&t.baseline, "baseline", "", "compare with the groups of this `file`, which --format json or lines wrote")
	f.StringVar(&t.failOn, "fail-on", "new", "with --baseline, the `groups` that cause exit status 4: new (and back), grown (and new ones), or never")
	f.BoolVar(&t.perDump, "map", false, "write a line of JSON, or with --format parquet a row, for each dump, without grouping")
	f.BoolVar(&t.merge, "merge", false, "read groups instead of dumps: files that --map or this command wrote, or - for standard input")
	f.IntVar(&t.jobs, "jobs", runtime.GOMAXPROCS(0), "number of dumps read at once")
}

// triageForms write groups in each format. The number is the width of a terminal, or 0.
var triageForms = map[string]func(io.Writer, []triage.Change, int) error{
	"table": triageTable, "json": triageJSON, "lines": triageLines, "csv": triageCSV, "markdown": triageMarkdown,
}

// mapForms write a line, or a row of a table, for each dump. --map has them, and without --format the one for lines.
var mapForms = map[string]func(io.Writer, func(add func(triage.Group) error)) error{
	"table": triageMapLines, "lines": triageMapLines, "parquet": triageMapParquet,
}

// triageCommand answers which crashes there are and which are new. docs/triage.md has the rules.
func triageCommand(c *cli) *cobra.Command {
	var t triageFlags
	cmd := &cobra.Command{
		Use:   "triage [flags] PATH...",
		Short: "many dumps, grouped by signature; against a baseline",
		Long: `Groups dumps by the signature of their crash: the function of the program that is to
blame or, with --signature socorro, the name that Mozilla's crash-stats gives. A path is a
dump, an archive, a folder of dumps, or symbols.

--map writes a line for each dump, and --merge adds up lines. The result is the same in any
order and grouping, so any engine can distribute dumps over processes or machines.
--map --format parquet writes a table that DuckDB, Spark, BigQuery and others read.`,
		Example: `  crashglass triage crashes/ symbols/
  crashglass triage --format json -o today.json --baseline yesterday.json crashes/
  find crashes -name '*.dmp' | parallel -j4 -m crashglass triage --map {} | crashglass triage --merge -`,
	}
	c.command(cmd, "name dumps, or folders of dumps", t.register, func(args []string) int { return c.triage(args, &t) })
	complete(cmd, "format", append(slices.Sorted(maps.Keys(triageForms)), "parquet")...)
	complete(cmd, "fail-on", "new", "grown", "never")
	complete(cmd, "signature", string(triage.Own), string(triage.Socorro))
	return cmd
}

// triage checks the flags, then reads the baseline and the dumps, and reports groups by signature. A
// baseline that cannot be read ends it: without one, every crash would be new.
func (c *cli) triage(paths []string, t *triageFlags) int {
	switch {
	case t.perDump && mapForms[t.format] == nil:
		return c.wrong("no format %q with --map; want lines or parquet", t.format)
	case t.format == "parquet" && !t.perDump:
		return c.wrong("a table for Parquet has a row for each dump: add --map")
	case t.format == "parquet" && (t.out == "" || t.out == "-") && isTerminal(c.out):
		return c.wrong("a table for Parquet is no text for a terminal: name a file with --output")
	case !t.perDump && triageForms[t.format] == nil:
		return c.wrong("no format %q; want table, json, lines, csv or markdown", t.format)
	case !slices.Contains([]string{"new", "grown", "never"}, t.failOn):
		return c.wrong("--fail-on cannot be %q; want new, grown or never", t.failOn)
	case t.signature != string(triage.Own) && t.signature != string(triage.Socorro):
		return c.wrong("--signature cannot be %q; want crashglass or socorro", t.signature)
	case t.perDump && (t.merge || t.baseline != ""):
		return c.wrong("--map groups nothing: leave out --merge and --baseline")
	case t.jobs < 1:
		return c.wrong("--jobs cannot be %d", t.jobs)
	}
	files := newLocalFiles(c, &t.local, nil)
	if files == nil {
		return exitInput
	}
	defer files.close()
	var baseline *triage.Set
	if t.baseline != "" {
		baseline = &triage.Set{}
		if err := files.readGroups(t.baseline, baseline); err != nil {
			c.fail(t.baseline, err)
			return c.status
		}
	}
	if t.perDump {
		return c.triageMap(files, paths, t)
	}
	var set triage.Set
	if !c.triageGroups(files, paths, t, &set) {
		return c.status
	}
	if err := sameRules(&set, baseline); err != nil {
		c.fail(cmp.Or(t.baseline, paths[0]), err)
		return c.status
	}
	changes := set.Against(baseline)
	shown := changes
	if t.format != "json" {
		shown = forReaders(changes, baseline)
	}
	if err := c.to(files, t.out, func(w io.Writer) error { return triageForms[t.format](w, shown, columns(c.out)) }); err != nil {
		c.failOutput(t.out, err)
		return c.status
	}
	return c.triageStatus(changes, t)
}

// sameRules reports signatures by different rules, which must not be compared: every crash would be new.
func sameRules(set, baseline *triage.Set) error {
	now, ok := set.Rules()
	if !ok {
		return errors.New("these are groups by signatures of different rules; make them with the same --signature")
	}
	if baseline == nil {
		return nil
	}
	before, ok := baseline.Rules()
	if !ok || before != "" && now != "" && before != now {
		return fmt.Errorf("its signatures are not by the rules %q: use --signature %s, or write the baseline anew", now, cmp.Or(before, triage.Own))
	}
	return nil
}

// triageGroups reports whether there was anything. A file that cannot be read costs one line, and for a dump one in the group "unreadable".
func (c *cli) triageGroups(files *files, paths []string, t *triageFlags, set *triage.Set) bool {
	if !t.merge {
		return c.eachDump(files, paths, t, func(g triage.Group) error { set.Add(g); return nil })
	}
	for _, path := range paths {
		if err := files.readGroups(path, set); err != nil {
			c.fail(path, err)
		}
	}
	return len(set.Groups()) > 0
}

// triageMap writes a line for each dump as soon as it is read, in no fixed order. An error of writing
// ends the work, for example when the reader of a pipe is gone.
func (c *cli) triageMap(files *files, paths []string, t *triageFlags) int {
	err := c.to(files, t.out, func(w io.Writer) error {
		return mapForms[t.format](w, func(add func(triage.Group) error) { c.eachDump(files, paths, t, add) })
	})
	if err != nil {
		c.failOutput(t.out, err)
	}
	return c.status
}

// readGroups adds the groups of a file, which --map or triage wrote as JSON or lines. An empty file is
// an error: a run that failed leaves one where the shell redirects its output.
func (f *files) readGroups(path string, set *triage.Set) error {
	if path == "-" {
		return triage.ReadLines(os.Stdin, set)
	}
	src, err := f.source(path)
	if err != nil {
		return err
	}
	if src.Size() == 0 {
		return errors.New("this is empty")
	}
	return triage.ReadLines(io.NewSectionReader(src, 0, src.Size()), set)
}

// triageStatus returns the exit status. A crash that the baseline lacks has precedence over an
// unreadable dump: it is new whatever the unreadable dump holds, and a job that reacts to new
// crashes must not miss it because another process was killed while it wrote its dump.
func (c *cli) triageStatus(changes []triage.Change, t *triageFlags) int {
	if slices.ContainsFunc(changes, t.fails) {
		return exitChanged
	}
	return c.status
}

// fails reports whether a change is one that --fail-on names. A crash that is back counts as new.
func (t *triageFlags) fails(change triage.Change) bool {
	if change.Kind != triage.Crash || t.failOn == "never" {
		return false
	}
	isNew := change.State == triage.New || change.State == triage.Back
	return isNew || change.State == triage.Grown && t.failOn == "grown"
}
