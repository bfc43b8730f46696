package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mistake explains an error of the command line, and what to write instead. The flags are those of the
// command that was named, if there was one.
func (c *cli) mistake(root *cobra.Command, err error) int {
	cmd := root
	if sub, _, found := root.Find([]string{c.name}); found == nil && c.name != "" {
		cmd = sub
	}
	return c.wrong("%s", flagMistake(err, cmd.Flags(), c.called()+" --help"))
}

// flagMistake rewords an error of pflag, whose own texts quote Go's strconv and list one-letter flags.
func flagMistake(err error, flags *pflag.FlagSet, help string) string {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return noFlag(unknown, flags, help)
	case errors.As(err, &value) && errors.As(err, new(*strconv.NumError)):
		return fmt.Sprintf("--%s %s: not a valid number; see %s", value.GetFlag().Name, value.GetValue(), help)
	}
	return fmt.Sprintf("%v; see %s", err, help)
}

// noFlag reports an unknown flag as the user wrote it: pflag reads -password as eight one-letter
// flags.
func noFlag(unknown *pflag.NotExistError, flags *pflag.FlagSet, help string) string {
	name, dashes := unknown.GetSpecifiedName(), "--"
	if all := unknown.GetSpecifiedShortnames(); all != "" {
		name, dashes = all, "-"
	}
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if closest := nearest(name, names); closest != "" {
		return fmt.Sprintf("there is no flag %s%s: did you mean --%s?", dashes, name, closest)
	}
	return fmt.Sprintf("there is no flag %s%s; see %s", dashes, name, help)
}

// noCommandBy answers a word that is no command: it may be a file, or a misspelled command. A
// folder called dumps/ is not a misspelled dump.
func noCommandBy(root *cobra.Command, word string) string {
	if info, err := os.Stat(word); err == nil {
		what := "this file"
		if info.IsDir() {
			what = "the dumps in this folder"
		}
		return fmt.Sprintf("no command %q: for a report of %s, use crashglass walk %s", word, what, word)
	}
	var names []string
	for _, cmd := range listed(root) {
		names = append(names, cmd.Name())
	}
	if closest := nearest(word, names); closest != "" {
		return fmt.Sprintf("no command %q: did you mean %s?", word, closest)
	}
	return fmt.Sprintf("no command %q; see crashglass help", word)
}

// maxTypos is the number of letters of a word that may be wrong. In a short word at most half may
// be, because short words resemble many others.
const maxTypos = 2

// nearest returns the name that a misspelled word probably means, or "" if none is near. Of several
// equally near names it takes the first.
func nearest(word string, names []string) string {
	best := slices.MinFunc(append(names, ""), func(a, b string) int { return cmp.Compare(typos(word, a), typos(word, b)) })
	if typos(word, best) > min(maxTypos, len(word)/2) {
		return ""
	}
	return best
}

// typos returns the edit distance of two words: insertions, deletions and replacements of letters
// (Levenshtein), with one row of the table at a time.
func typos(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := corner
			if a[i] != b[j] {
				replaced++
			}
			corner = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// gnuFlags adds the second dash to long flags that have only one. Earlier versions used Go's flag
// package, which accepted -format and --format, and scripts use both. A value that looks like such a
// flag is changed, too, but no path or format begins with a dash and the name of a flag.
func gnuFlags(root *cobra.Command, args []string) []string {
	if len(args) > 0 && args[0] == "as" {
		return args // these flags belong to another program
	}
	long := map[string]bool{"help": true, "version": true}
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { long[f.Name] = true })
	}
	out := make([]string, len(args))
	for i, arg := range args {
		if arg == "--" {
			copy(out[i:], args[i:])
			break
		}
		out[i] = arg
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=") // --format keeps a dash and is in no list
		if strings.HasPrefix(arg, "-") && long[name] && len(name) > 1 {
			out[i] = "-" + arg
		}
	}
	return out
}
