package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mistake says what is wrong with a command line, and what to write instead.
func (c *cli) mistake(root *cobra.Command, err error) int {
	cmd := root
	if sub, _, found := root.Find([]string{c.name}); found == nil && c.name != "" {
		cmd = sub
	}
	see := "; see " + c.called() + " --help"
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return c.wrong("%v%s", err, see)
	}
	name, dashes := unknown.GetSpecifiedName(), "--"
	if all := unknown.GetSpecifiedShortnames(); all != "" {
		name, dashes = all, "-" // -password is one word to its writer, and eight flags to pflag
	}
	if near := nearest(name, flagNames(cmd)); near != "" {
		see = ": did you mean --" + near + "?"
	}
	return c.wrong("there is no flag %s%s%s", dashes, name, see)
}

func flagNames(cmd *cobra.Command) (out []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { out = append(out, f.Name) })
	return out
}

// noCommandBy is what to say of a word that is no command: it may be a
// misspelled one, or a file.
func noCommandBy(root *cobra.Command, word string) string {
	var names []string
	for _, cmd := range listed(root) {
		names = append(names, cmd.Name())
	}
	if near := nearest(word, names); near != "" {
		return fmt.Sprintf("no command %q: did you mean %s?", word, near)
	}
	if _, err := os.Stat(word); err == nil {
		return fmt.Sprintf("no command %q: for a report of this dump, crashglass walk %s", word, word)
	}
	return fmt.Sprintf("no command %q; see crashglass help", word)
}

// maxTypos is how many letters of a word may be wrong, so that another is meant.
const maxTypos = 2

// nearest is the name that a misspelled one probably means, or "". Short words
// are near to everything.
func nearest(word string, names []string) string {
	if len(word) <= maxTypos || len(word) > 40 {
		return ""
	}
	best := slices.MinFunc(append(names, ""), func(a, b string) int { return cmp.Compare(typos(word, a), typos(word, b)) })
	if typos(word, best) > maxTypos {
		return ""
	}
	return best
}

// typos is how many letters have to be put in, taken out or replaced to make one
// word of another.
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
