package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// root is the program's command with all its subcommands. cobra prints nothing by itself: errors and
// help go through our functions, which escape and wrap.
func (c *cli) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "crashglass",
		Short:         "crashglass reads crash dumps.",
		Args:          cobra.ArbitraryArgs, // a word that is no command is our own error
		RunE:          func(cmd *cobra.Command, args []string) error { return c.noCommand(cmd, args) },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { writeHelp(cmd.OutOrStdout(), cmd) })
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if cmd.HasParent() {
			c.name = cmd.Name()
		}
		return err
	})
	root.Flags().BoolP("version", "V", false, "name this build") // cobra's own needs templates, which weigh 3 MB
	cobra.EnableCommandSorting = false                           // help lists them in the order of use
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(walkCommand(c), dumpCommand(c), symsCommand(c), sanitizeCommand(c), serveCommand(c), convertCommand(c))
	root.AddCommand(triageCommand(c), sliceCommand(c), capsuleCommand(c), fetchCommand(c))
	root.AddCommand(asCommand(c), completionCommand(c), manCommand(c), licensesCommand(c))
	return root
}

// noCommand is the help or the error for a command line without a command.
func (c *cli) noCommand(root *cobra.Command, args []string) error {
	if ask, _ := root.Flags().GetBool("version"); ask || len(args) == 1 && args[0] == "version" {
		_, err := fmt.Fprintln(c.out, versionLine())
		c.status = c.written(err)
		return nil
	}
	c.status = exitUsage
	if len(args) == 0 {
		writeHelp(c.err, root)
		return nil
	}
	c.say(noCommandBy(root, args[0]))
	return nil
}

// command completes a command with its flags and the function that runs it. Help lists flags in the
// order in which they are added, and errors begin with the command's name.
func (c *cli) command(cmd *cobra.Command, flags func(*pflag.FlagSet), run func(args []string) int) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c.name = cmd.Name()
		c.status = run(args)
		return nil
	}
	cmd.DisableFlagsInUseLine = true
	cmd.Flags().SortFlags = false
	if flags != nil {
		flags(cmd.Flags())
	}
	return cmd
}

// called returns the running command's name as the command line has it.
func (c *cli) called() string { return strings.TrimSuffix("crashglass "+c.name, " ") }

// wrong reports a mistake on the command line and returns exit status 2. Nothing was read or written.
func (c *cli) wrong(format string, args ...any) int {
	fmt.Fprintf(c.err, "%s: %s\n", c.called(), oneLine(fmt.Sprintf(format, args...)))
	return exitUsage
}

// fail reports a file without a result, on one line, and sets exit status 1.
func (c *cli) fail(file string, err error) {
	c.say(about(cmp.Or(file, "standard output"), err))
	c.status = exitInput
}

// about prefixes an error with the file's name, unless the error has it already. The operation that
// the os package names ("open") is left out: users care for the file and the reason.
func about(file string, err error) string {
	var path *fs.PathError
	if errors.As(err, &path) && path.Path == file {
		err = path.Err
	}
	if text := err.Error(); strings.HasPrefix(text, file+": ") {
		return text
	}
	return file + ": " + err.Error()
}

// warn reports a file that cannot be used. The exit status stays as it is.
func (c *cli) warn(file, why string) { c.say(file + ": " + why) }

// written returns the exit status of a command that only writes.
func (c *cli) written(err error) int {
	if err != nil {
		c.fail("standard output", err)
		return exitInput
	}
	return exitOK
}

// say writes one line to standard error. Texts may have names of a dump, so they are escaped.
func (c *cli) say(text string) { fmt.Fprintf(c.err, "crashglass: %s\n", oneLine(text)) }

// complete registers the values of a flag for shell completion, in place of names of files.
func complete(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the command has no such flag
	}
}
