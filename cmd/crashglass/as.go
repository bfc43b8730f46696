package main

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// originals lists the programs that crashglass can stand in for. It does so when a link to it has
// the original's name, or as `crashglass as NAME`. Each entry reads the original's flags and writes
// the original's output.
var originals map[string]func(c *cli, args []string) int

func init() { // asCommand finds them, and they belong to it
	originals = map[string]func(c *cli, args []string) int{
		"minidump-stackwalk": stackwalkRust,
		"minidump_stackwalk": stackwalkBreakpad,
		"minidump_dump":      minidumpDump,
		"minidump-2-core":    minidumpToCore,
		"dump_syms":          dumpSyms,
	}
}

// asOriginal returns the command line for a program that was called by an original's name, through a
// link or a copy. The arguments of any other name are returned as they are.
func asOriginal(program string, args []string) []string {
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	if originals[name] == nil {
		return args
	}
	return append([]string{"as", name}, args...)
}

// asCommand hands its arguments to an original unparsed, because the flags of the five programs
// contradict each other and those of crashglass: -o is a file for some and a system for others.
func asCommand(c *cli) *cobra.Command {
	names := slices.Sorted(maps.Keys(originals))
	cmd := &cobra.Command{
		Use:   "as NAME [ARGUMENT...]",
		Short: "stand in for " + strings.Join(names, ", "),
		Long: `Reads the command line of another program, and writes what that program writes.
A link to crashglass with that program's name does the same.
docs/originals.md lists the differences.`,
		Example:            "  crashglass as minidump_stackwalk -m crash.dmp symbols/\n  ln -s crashglass minidump-stackwalk",
		ValidArgs:          names,
		DisableFlagParsing: true,
	}
	return c.command(cmd, "", nil, func(args []string) int {
		switch {
		case len(args) > 0 && (args[0] == "-h" || args[0] == "--help"):
			return c.help(cmd)
		case len(args) == 0 || originals[strings.TrimSuffix(args[0], ".exe")] == nil:
			return c.wrong("name one of these programs: %s", strings.Join(names, ", "))
		}
		return originals[strings.TrimSuffix(args[0], ".exe")](c, args[1:])
	})
}

// A standIn reads the command line of an original program.
type standIn struct {
	*pflag.FlagSet
	c     *cli
	usage string // the line that the original prints for a usage error

	refused map[string]string // refused flags, and what to do instead
}

// standInFor creates the flag set of an original, with the --help and --version that each has. The
// flag set prints nothing by itself: parse words the errors.
func (c *cli) standInFor(name, usage string) *standIn {
	c.name = "as " + name
	f := pflag.NewFlagSet(name, pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.SortFlags = false
	f.Usage = func() {}
	s := &standIn{f, c, usage, map[string]string{}}
	f.BoolP("help", "h", false, "help for "+name)
	f.BoolP("version", "V", false, "name this build")
	return s
}

// ignore accepts flags that change how an original works, but not what it writes. Scripts pass them,
// and would otherwise fail.
func (s *standIn) ignore(flags ...string) {
	for _, name := range flags {
		s.Bool(name, false, "accepted, without effect")
	}
}

// ignoreValues is ignore for flags with a value, which would otherwise be taken for the dump.
func (s *standIn) ignoreValues(flags ...string) {
	for _, name := range flags {
		s.Var(unused{}, name, "accepted, without effect")
	}
}

// unused is the value of a flag that is accepted or refused. Help calls it "value".
type unused struct{}

// Type, String and Set implement pflag.Value.
func (unused) Type() string     { return "value" }
func (unused) String() string   { return "" }
func (unused) Set(string) error { return nil }

// refusal is the help of a refused flag. The help would take a word in backticks for the name of the value.
func refusal(why string) string { return "refused: " + strings.ReplaceAll(why, "`", "") }

// refuse defines a flag with a value whose use is an error that says what to do instead. Ignoring such
// a flag would write another result than the script expects.
func (s *standIn) refuse(name, why string) {
	s.Var(unused{}, name, refusal(why))
	s.refused[name] = why
}

// refuseShort is refuse for a flag that has a one-letter form, too.
func (s *standIn) refuseShort(name, short, why string) {
	s.VarP(unused{}, name, short, refusal(why))
	s.refused[name] = why
}

// refuseSwitch is refuse for a flag without a value.
func (s *standIn) refuseSwitch(name, short, why string) {
	s.BoolP(name, short, false, refusal(why))
	s.refused[name] = why
}

// parse reads the arguments, which must have at least `least` files, and reports whether the program
// continues. If it does not, it ends with the returned status: 0 after --help and --version.
func (s *standIn) parse(args []string, least int) (status int, ok bool) {
	if err := s.Parse(args); err != nil {
		return s.c.wrong("%s", flagMistake(err, s.FlagSet, "--help")), false
	}
	if help, _ := s.GetBool("help"); help {
		_, err := fmt.Fprintf(s.c.out, "usage: %s\n\ncrashglass stands in for %s. Flags:\n%s", s.usage, s.Name(), s.FlagUsagesWrapped(columns(s.c.out)))
		return s.c.written(err), false
	}
	if version, _ := s.GetBool("version"); version {
		_, err := fmt.Fprintf(s.c.out, "%s (%s)\n", s.Name(), versionLine())
		return s.c.written(err), false
	}
	why := ""
	s.Visit(func(f *pflag.Flag) {
		if w, ok := s.refused[f.Name]; ok {
			why = fmt.Sprintf("--%s is refused: %s", f.Name, w)
		}
	})
	switch {
	case why != "":
		return s.c.wrong("%s", why), false
	case s.NArg() < least:
		return s.c.wrong("usage: %s", s.usage), false
	}
	return exitOK, true
}
