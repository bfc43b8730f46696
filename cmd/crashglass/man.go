package main

import (
	"bufio"
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manCommand writes the manual page from the same texts as the help.
func manCommand(c *cli) *cobra.Command {
	cmd := &cobra.Command{Use: "man", Short: "write the manual page, as crashglass.1", Example: "  crashglass man >/usr/local/share/man/man1/crashglass.1"}
	return c.command(cmd, "", nil, func(args []string) int {
		if len(args) > 0 {
			return c.wrong("unexpected argument %q", args[0])
		}
		m := manPage{bufio.NewWriter(c.out)}
		m.page(cmd.Root())
		return c.written(m.Flush())
	})
}

// A manPage writes roff, in the macros of man(7).
type manPage struct{ *bufio.Writer }

// page writes the whole manual page in roff: the commands with their flags and examples, and the exit codes.
func (m manPage) page(root *cobra.Command) {
	fmt.Fprintf(m, ".TH CRASHGLASS 1\n.SH NAME\ncrashglass \\- read crash dumps\n.SH SYNOPSIS\n.B crashglass\n.I COMMAND\n[flags] PATH...\n.SH COMMANDS\n")
	for _, cmd := range listed(root) {
		fmt.Fprintf(m, ".SS crashglass %s\n", roff(usage(cmd)))
		m.text(cmp.Or(cmd.Long, sentence(cmd.Short)))
		m.example(cmd.Example)
		cmd.LocalFlags().VisitAll(m.flag)
	}
	fmt.Fprintf(m, ".SH EXIT STATUS\n.nf\n%s.fi\n", roff(strings.TrimPrefix(exitCodes, "Exit status:\n")))
}

// text writes a paragraph, which man fills to the width of the terminal.
func (m manPage) text(text string) { fmt.Fprintf(m, "%s\n", roff(text)) }

// example writes lines as they are (.nf), because a command line may not be filled.
func (m manPage) example(text string) {
	if text != "" {
		fmt.Fprintf(m, ".PP\n.nf\n%s\n.fi\n", roff(strings.TrimRight(text, "\n")))
	}
}

// flag writes a tagged paragraph (.TP): the flag with the name of its value, and what it does.
func (m manPage) flag(f *pflag.Flag) {
	if f.Hidden {
		return
	}
	value, about := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	fmt.Fprintf(m, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(name+" "+value)), roff(about))
}

// roff escapes backslashes and dashes, and dots and quotes at the beginning of a line, because roff
// would take them for instructions.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
