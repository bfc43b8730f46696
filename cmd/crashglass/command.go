package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crashglass/core/base/version"
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
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { c.status = c.help(cmd) })
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
	root.AddCommand(triageCommand(c), sliceCommand(c), capsuleCommand(c), fetchCommand(c), mcpCommand(c), dapCommand(c))
	root.AddCommand(asCommand(c), completionCommand(c), manCommand(c), licensesCommand(c))
	root.SetHelpCommand(helpCommand(c, root))
	return root
}

// noCommand is the help or the error for a command line without a command.
func (c *cli) noCommand(root *cobra.Command, args []string) error {
	if version, _ := root.Flags().GetBool("version"); version || len(args) == 1 && args[0] == "version" {
		_, err := fmt.Fprintln(c.out, versionLine())
		c.status = c.written(err)
		return nil
	}
	c.status = exitUsage
	if len(args) == 0 {
		writeHelp(c.err, root, columns(c.err))
		return nil
	}
	c.say(noCommandBy(root, args[0]))
	return nil
}

// command completes a command with its flags and the function that runs it, and need is the error for a command line without
// arguments, if it needs any. Help lists flags in the order in which they are added, and errors begin with the command's name.
func (c *cli) command(cmd *cobra.Command, need string, flags func(*pflag.FlagSet), run func(args []string) int) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c.name = cmd.Name()
		if need != "" && len(args) == 0 {
			c.status = c.wrong("%s", need)
		} else {
			c.status = run(args)
		}
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

// fail reports a file without a result on one line, or each part of it that has none, and sets exit status 1. If the
// output could not be written, the line is about the output.
func (c *cli) fail(file string, err error) {
	for _, line := range failureLines(visible(file), err) {
		c.say(line)
	}
	c.status = exitInput
}

// visible returns a path as errors have it: an empty one is visible.
func visible(path string) string { return cmp.Or(path, `""`) }

// failOutput is fail for the file that a flag names, or for standard output.
func (c *cli) failOutput(flag string, err error) {
	if flag == "-" {
		flag = ""
	}
	c.fail(cmp.Or(flag, standardOutput), err)
}

// about prefixes an error with the file's name, unless the error has it already. The operation that
// the os package names ("open") is left out: users care for the file and the reason.
func about(file string, err error) string {
	var out *outputError
	if errors.As(err, &out) {
		return out.Error()
	}
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
		c.fail(standardOutput, failedOutput(standardOutput, err))
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

// commit is set by the linker: -ldflags "-X main.commit=...". Without it, the revision that the go
// command recorded is used.
var commit string

// versionLine returns the version, commit and platform of this build, which a bug report needs.
func versionLine() string {
	c := commit
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				c = cmp.Or(c, s.Value)
			}
		}
	}
	return fmt.Sprintf("crashglass %s (commit %s, %s, %s/%s)", version.Number(), cmp.Or(c, "unknown"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
