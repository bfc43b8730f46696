package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// exitCodes explains the program's exit status, for its help and the manual page.
const exitCodes = exitsOfAll + exitsOfStrict + exitsOfBaseline

// The lines of exitCodes, which commands share. fetch has lines of its own: its servers may fail, too.
const (
	exitsOfAll = `Exit status:
  0  done; a report may be partial
  1  a file or folder cannot be read or is not a dump; standard error has one line for each
  2  the command line is wrong
`
	exitsOfStrict   = "  3  with --strict: a dump was damaged, or symbols of the command line could not be used\n"
	exitsOfBaseline = "  4  triage with --baseline: a crash is new, or back after the baseline had it as gone, even if a dump is unreadable; see --fail-on\n"
	exitsOfFetch    = `Exit status:
  0  every request was answered, though a server may not have the file
  1  a dump cannot be read, or a server failed or sent something else
  2  the command line is wrong, or there was no consent
`
)

// failures say what exit status 1 means for commands that read no dumps, or do more than to read them.
var failures = map[string]string{
	"syms":     "a file cannot be read, or has no symbols; standard error has one line for each",
	"sanitize": "the file cannot be read or is not a dump, or a stack of the new dump differs; standard error says which",
	"slice":    "a file cannot be read or is not a dump, or a stack differs when only the slices are used; standard error has one line for each",
	"capsule":  "a file cannot be read or is not a dump, or a stack of the sanitized dump differs; standard error has one line for each",
	"convert":  "the file cannot be read, or is of a kind that this command does not convert",
	"serve":    "the page is not there, the dump cannot be read, or the address cannot be used",

	"completion": unwritten, "help": unwritten, "licenses": unwritten, "man": unwritten,
}

const unwritten = "the output cannot be written"

// Statuses 3 and 4 are shown only for the commands whose flags cause them.
func exits(cmd *cobra.Command) string {
	name := cmd.Name()
	if cmd.HasParent() && cmd.Parent().HasParent() { // completion has a command for each shell
		name = cmd.Parent().Name()
	}
	why, own := failures[name]
	switch {
	case name == "fetch":
		return exitsOfFetch
	case own:
		return "Exit status:\n  0  done\n  1  " + why + "\n  2  the command line is wrong\n"
	case cmd.Flags().Lookup("strict") != nil:
		return exitsOfAll + exitsOfStrict
	case cmd.Flags().Lookup("baseline") != nil:
		return exitsOfAll + exitsOfBaseline
	}
	return exitsOfAll
}

// helpCommand writes the help of the program or of one command. cobra's own exits with 0 for an unknown one.
func helpCommand(c *cli, root *cobra.Command) *cobra.Command {
	return c.command(&cobra.Command{Use: "help [COMMAND]", Short: "help for a command"}, "", nil, func(args []string) int {
		cmd, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 || len(args) > 0 && cmd == root {
			c.name = "help"
			return c.wrong("%s", noCommandBy(root, args[0]))
		}
		return c.help(cmd)
	})
}

// help writes the help of a command to standard output.
func (c *cli) help(cmd *cobra.Command) int {
	var text strings.Builder
	writeHelp(&text, cmd, columns(c.out))
	_, err := io.WriteString(c.out, text.String())
	return c.written(err)
}

// writeHelp writes the help of the program or of one command, for a terminal of a width. cobra's own templates would do it, but
// text/template keeps the linker from dropping unused methods, which costs 3 MB.
func writeHelp(w io.Writer, cmd *cobra.Command, width int) {
	if !cmd.HasParent() {
		rootHelp(w, cmd)
		return
	}
	fmt.Fprintf(w, "usage: crashglass %s\n\n%s\n", usage(cmd), cmp.Or(cmd.Long, sentence(cmd.Short)))
	for _, sub := range cmd.Commands() {
		fmt.Fprintf(w, "  %-28s %s\n", "crashglass "+usage(sub), sub.Short)
	}
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", strings.TrimRight(cmd.Example, "\n"))
	}
	if flags := cmd.LocalFlags(); flags.HasAvailableFlags() {
		fmt.Fprintf(w, "\nFlags:\n%s", flags.FlagUsagesWrapped(width))
	}
	fmt.Fprintf(w, "\n%s", exits(cmd))
}

// rootHelp writes the help of the program: its commands in one column, and what each does in another.
func rootHelp(w io.Writer, root *cobra.Command) {
	fmt.Fprintf(w, "%s\n\n", root.Short)
	width := 0
	for _, cmd := range listed(root) {
		width = max(width, len(usage(cmd)))
	}
	for _, cmd := range listed(root) {
		fmt.Fprintf(w, "  crashglass %-*s  %s\n", width, usage(cmd), cmd.Short)
	}
	fmt.Fprintf(w, "\nEach command explains its flags with --help. crashglass --version names this build.\n\n%s", exitCodes)
}

// listed returns the commands that help shows: all but cobra's hidden ones and help itself.
func listed(root *cobra.Command) (out []*cobra.Command) {
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() && cmd.Name() != "help" {
			out = append(out, cmd)
		}
	}
	return out
}

// usage returns a command with its arguments, without the program's name.
func usage(cmd *cobra.Command) string {
	if cmd.HasParent() && cmd.Parent().HasParent() {
		return usage(cmd.Parent()) + " " + cmd.Use
	}
	return cmd.Use
}

// sentence turns a command's short description into a sentence, for commands without a long one.
func sentence(short string) string {
	return strings.ToUpper(short[:1]) + strings.TrimSuffix(short[1:], ".") + "."
}
