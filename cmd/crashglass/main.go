// Command crashglass reads crash dumps on a terminal, with the same analysis
// as the page, and serves the page.
//
//	crashglass walk [flags] DUMP...   what happened, and every thread's stack
//	crashglass dump DUMP              every stream of a dump, decoded
//	crashglass syms FILE [DEBUGFILE]  a Breakpad symbol file of a library
//	crashglass sanitize [flags] DUMP  a smaller dump that is fit to share
//	crashglass convert [flags] CORE   an ELF core as a minidump
//	crashglass serve [flags]          the page, for this machine
//
// The exit status is 0 when a report was made, however partial; 1 when a file
// cannot be read or is not a dump, with one line on standard error for each
// such file; 2 when the command line is wrong. Results go to standard output,
// everything else to standard error.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// Exit statuses.
const (
	exitOK    = 0
	exitInput = 1
	exitUsage = 2
)

func main() {
	limitMemory(os.Stderr, os.Exit)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// A command is one verb of the command line.
type command struct {
	name, args, about string
	run               func(c *cli, args []string) int
}

var commands = []command{
	{"walk", "[flags] DUMP...", "what happened, and every thread's stack", walk},
	{"dump", "DUMP...", "every stream of a dump, decoded", dump},
	{"syms", "[flags] FILE [DEBUGFILE]", "a Breakpad symbol file of a library or debug file", syms},
	{"sanitize", "[flags] DUMP", "a smaller dump that is fit to share", sanitizeDump},
	{"convert", "[flags] CORE", "an ELF core as a minidump", convertCore},
	{"serve", "[flags]", "serve the page on this machine", serve},
}

// A cli is where a command writes.
type cli struct {
	command
	out, err io.Writer
}

func run(args []string, out, errs io.Writer) int {
	if len(args) == 0 {
		usage(errs)
		return exitUsage
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.run(&cli{c, out, errs}, args[1:])
		}
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		usage(out)
		return exitOK
	}
	fmt.Fprintf(errs, "crashglass: no command %q; see crashglass help\n", args[0])
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprintf(w, "crashglass looks into crash dumps.\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  crashglass %-8s %-25s %s\n", c.name, c.args, c.about)
	}
	fmt.Fprintf(w, "\nEach command explains its flags with -h.\n")
}

// flags returns the command's flag set.
func (c *cli) flags() *flag.FlagSet {
	f := flag.NewFlagSet(c.name, flag.ContinueOnError)
	f.SetOutput(c.err)
	f.Usage = func() {
		fmt.Fprintf(f.Output(), "usage: crashglass %s %s\n", c.name, c.args)
		f.PrintDefaults()
	}
	return f
}

// parse parses args and reports whether the command goes on; otherwise it
// ends with the returned status. Help that was asked for is a result.
func (c *cli) parse(f *flag.FlagSet, args []string) (status int, ok bool) {
	for _, a := range args {
		if a == "-h" || a == "-help" || a == "--help" {
			f.SetOutput(c.out)
		}
	}
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitOK, false
	case err != nil: // already said by the flag set
		return exitUsage, false
	}
	return exitOK, true
}

// wrong reports a mistake on the command line.
func (c *cli) wrong(format string, args ...any) int {
	fmt.Fprintf(c.err, "crashglass %s: %s\n", c.name, fmt.Sprintf(format, args...))
	return exitUsage
}

// fail reports a file that gives no result, on one line.
func (c *cli) fail(file string, err error) { c.say(file + ": " + err.Error()) }

// warn reports a file that is no use, where that does not change the status.
func (c *cli) warn(file, why string) { c.say(file + ": " + why) }

func (c *cli) say(text string) { fmt.Fprintf(c.err, "crashglass: %s\n", oneLine(text)) }
