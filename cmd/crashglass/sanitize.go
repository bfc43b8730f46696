package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crashglass/core/analyze"
	"crashglass/core/sanitize"
	"crashglass/symbols"
)

type sanitizeFlags struct {
	out     string
	local   localFlags
	symbols list             // what stacks need of the memory depends on their symbols
	opt     sanitize.Options // --keep-memory and --keep-names
}

// register adds the flags. Without any, everything is removed that the stacks do not need.
func (s *sanitizeFlags) register(f *pflag.FlagSet) {
	f.StringVarP(&s.out, "output", "o", "", "write to `file` instead of standard output")
	f.Var(&s.symbols, "symbols", "symbol `path`, as for walk: what the stacks need depends on them")
	s.local.register(f)
	f.BoolVar(&s.opt.Memory, "keep-memory", false, "keep all memory of the stacks, not only what the walks used")
	f.BoolVar(&s.opt.Names, "keep-names", false, "keep the names of people in paths")
}

// sanitizeCommand makes a dump for a bug report. docs/privacy.md lists what it removes.
func sanitizeCommand(c *cli) *cobra.Command {
	var s sanitizeFlags
	cmd := &cobra.Command{
		Use:     "sanitize [flags] DUMP [SYMBOLS...]",
		Short:   "a smaller dump that is fit to share",
		Example: "  crashglass sanitize --symbols symbols/ -o small.dmp crash.dmp",
	}
	return c.command(cmd, "name one dump", s.register, func(args []string) int { return c.sanitize(args, &s) })
}

// sanitize writes a smaller dump that is fit to share, and lists on standard error what was
// removed. A stack that differs after it is an error, although the dump is written: the user decides.
func (c *cli) sanitize(args []string, s *sanitizeFlags) int {
	if s.out == "" && isTerminal(c.out) {
		return c.wrong("a dump is no text for a terminal: name a file with --output")
	}
	files := newLocalFiles(c, &s.local, nil)
	if files == nil {
		return exitInput
	}
	defer files.close()
	files.addSymbols(c, s.symbols)
	in, ok := files.onlyInput(c, args, "name one dump")
	if !ok {
		return c.status
	}
	result, err := sanitizeInput(files, in, s.opt)
	if err = c.partly(in.path, err); err == nil {
		err = c.toFile(files, s.out, result.Data)
	}
	if err != nil {
		c.fail(in.path, err)
		return exitInput
	}
	files.sayUnused(c)
	for _, line := range sanitized(result) {
		c.say(line)
	}
	if len(result.Changed) > 0 {
		return exitInput
	}
	return c.status
}

func sanitizeInput(files *files, in input, opt sanitize.Options) (r *sanitize.Result, err error) {
	err = files.one(in, func(d symbols.Item) error {
		sessions, err := analyze.OpenAll(d.Source)
		if err != nil {
			return err
		}
		files.unused(sessions[0].Modules())
		if r, err = cleaned(sessions[0], files.store, opt); err != nil || !r.Text {
			return err
		}
		for _, s := range sessions[1:] { // a log may have several reports
			more, err := cleaned(s, files.store, opt)
			if err != nil {
				return err
			}
			r.Join(more)
		}
		return nil
	})
	return r, err
}

// cleaned is sanitize.Clean for every kind of dump.
func cleaned(s *analyze.Session, syms analyze.Symbols, opt sanitize.Options) (*sanitize.Result, error) {
	opt.Kernel = sanitize.Kernel()
	return sanitize.Clean(s, syms, opt)
}

// mostNamed bounds the names, and the places of one kind of secret, that are listed.
const mostNamed = 8

// secrets lists the secrets of a dump, one line for each of the first places of a kind, and one for the
// others.
func secrets(list []sanitize.Secret) (out []string) {
	count := map[string]int{}
	for _, s := range list {
		what := "removed " + s.Kind
		if s.Stays {
			what = "NOT removed: " + s.Kind
		}
		if count[what]++; count[what] <= mostNamed {
			out = append(out, what+" in "+s.Where)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(count)) {
		if more := count[what] - mostNamed; more > 0 {
			out = append(out, fmt.Sprintf("%s in %d more places", what, more))
		}
	}
	return out
}

// sanitized lists what was removed or replaced, a line each, in the order of attention: sizes first,
// then what the user may miss, secrets, and last whether the stacks are unchanged.
func sanitized(r *sanitize.Result) (out []string) {
	out = append(out, fmt.Sprintf("%d bytes became %d", r.Before, len(r.Data)))
	for _, x := range r.Removed {
		line := "removed " + x.What
		if x.Count > 1 {
			line += fmt.Sprintf(" (%d)", x.Count)
		}
		if x.Bytes > 0 {
			line += fmt.Sprintf(", %d bytes", x.Bytes)
		}
		out = append(out, line)
	}
	for _, name := range r.People[:min(len(r.People), mostNamed)] {
		out = append(out, fmt.Sprintf("replaced the name %q", name))
	}
	if more := len(r.People) - mostNamed; more > 0 {
		out = append(out, fmt.Sprintf("replaced %d more names", more))
	}
	out = append(out, secrets(r.Secrets)...)
	if len(r.Changed) == 0 {
		return append(out, "every stack is unchanged")
	}
	for _, line := range r.Changed {
		out = append(out, "CHANGED: "+line)
	}
	return out
}
