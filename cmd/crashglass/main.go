// Command crashglass reads crash dumps on a terminal, with the same analysis
// as the page, and serves the page. `crashglass help` lists its commands.
//
// Results go to standard output, everything else to standard error.
//
// Read this file first, then command.go, inputs.go, symbolpaths.go and files.go, which every command uses
// to tell dumps from symbols. walk.go is the main command. Each other command has a file of its
// name, and helpers in files with its name in front (dumpvalue.go, triagework.go). as.go stands in
// for other programs. output.go, unfinished.go and progress.go write, paint.go knows the
// terminal, help.go, man.go and completion.go explain.
package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"crashglass/cmd/internal/fetch/download"
	"crashglass/cmd/internal/local"
	"crashglass/core/base/bug"
	"crashglass/symbols"
)

// Exit statuses. The help of the program has the same table.
const (
	exitOK    = 0 // a report was written, possibly partial
	exitInput = 1 // a file cannot be read, or is not a dump: one line on standard error for each
	exitUsage = 2 // the command line is wrong

	exitChanged = 4 // triage: a crash is new, or back after the baseline had it as gone; even if a dump is unreadable

	exitStrict = 3 // --strict: a report was written, but a dump or symbols were damaged or unused
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == download.Command {
		os.Exit(downloading()) // a process that is given a list, and no dump
	}
	limitMemory(os.Stderr, os.Exit)
	collectLate()
	out := onConsole(os.Stdout)
	status := runOn(local.This(), asOriginal(os.Args[0], os.Args[1:]), out, os.Stderr)
	if t, ok := out.(*console); ok {
		t.Close()
	}
	os.Exit(status)
}

// A cli holds a command's output streams and its exit status.
type cli struct {
	name     string        // of the command that runs, "as NAME" for an original; "" before it is known
	out, err io.Writer     // results, and everything else
	status   int           // the worst so far
	machine  symbols.Local // whose files are found without being named; nil for none
}

// run is runOn without files of the machine. Tests call it in place of the program, so that no result depends on
// what is installed.
func run(args []string, out, errs io.Writer) int { return runOn(nil, args, out, errs) }

// runOn runs one command line and returns its exit status.
func runOn(machine symbols.Local, args []string, out, errs io.Writer) (status int) {
	c := &cli{out: out, err: errs, machine: machine}
	defer c.catch(&status)
	root := c.root()
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd {
		plainUsages(root)
	}
	root.SetArgs(gnuFlags(root, args))
	if err := root.Execute(); err != nil {
		return c.mistake(root, err)
	}
	return c.status
}

// catch ends the program with one line after a panic. Panics about one file are caught where the
// file is opened.
func (c *cli) catch(status *int) {
	if p := recover(); p != nil {
		c.say(bug.Of(p).Error())
		*status = exitInput
	}
}
