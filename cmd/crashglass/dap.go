package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crashglass/cmd/internal/adapter"
	"crashglass/core/analyze"
	"crashglass/symbols"
)

// dapCommand serves an editor.
func dapCommand(c *cli) *cobra.Command {
	var socket string
	cmd := &cobra.Command{
		Use:   "dap [flags]",
		Short: "show a dump in an editor",
		Long: `Answers an editor by the Debug Adapter Protocol on standard input and output. The editor's
configuration names the dump and the symbols: {"dump": PATH, "symbols": [PATH...], "sourceMap":
{FROM: TO}, "local": true}. docs/editors.md has configurations of editors.

With --socket, any number of editors' sessions connect to a local socket, until the program is
interrupted.`,
		Args: cobra.NoArgs,
	}
	register := func(f *pflag.FlagSet) {
		f.StringVar(&socket, "socket", "", "answer at this `path`, a socket that only this user may open, instead of standard input and output")
	}
	return c.command(cmd, "", register, func([]string) int {
		if socket == "" {
			return c.dap(os.Stdin)
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer context.AfterFunc(ctx, stop)() // a second signal ends the program at once
		defer stop()
		return c.dapAt(ctx, socket)
	})
}

// dap answers until its input ends.
func (c *cli) dap(in io.Reader) int {
	if err := c.adapt(in, c.out); err != nil {
		c.fail(standardOutput, err)
	}
	return c.status
}

// adapt answers one client, which has files of its own.
func (c *cli) adapt(in io.Reader, out io.Writer) error {
	var opened *files
	defer func() {
		if opened != nil {
			opened.close()
		}
	}()
	return adapter.Serve(in, out, func(l adapter.Launch, console io.Writer) (out adapter.Opened, err error) {
		if l.Dump == "-" || slices.Contains(l.Symbols, "-") {
			return out, errors.New("standard input has the requests, and no file")
		}
		said := &cli{out: console, err: console, name: c.name, machine: c.machine} // standard output is the editor's
		files := newLocalFiles(said, &localFlags{off: l.Local != nil && !*l.Local}, nil)
		if opened != nil {
			opened.close() // of a launch that failed
		}
		opened = files
		files.addSymbols(said, l.Symbols)
		sessions, err := files.sessionsOf(l.Dump)
		if len(sessions) == 0 {
			return out, fmt.Errorf("%s: %w", visible(l.Dump), err)
		}
		if err != nil {
			said.fail(l.Dump, err)
		}
		return adapter.Opened{Session: sessions[0], Symbols: files.store, Options: files.wholeReport()}, nil
	})
}

// sessionsOf opens the dumps of a file, which stay open. Besides them, an error says what of the file was not read. If
// there are none, there is an error.
func (f *files) sessionsOf(path string) (out []*analyze.Session, err error) {
	before := len(f.open)
	defer func() {
		if len(out) == 0 {
			f.closeFrom(before)
		}
	}()
	items, err := f.add(path)
	if err != nil {
		return nil, err
	}
	var all partial
	dumps := 0
	for _, item := range items {
		if item.Use != symbols.IsDump {
			continue
		}
		dumps++
		if err := all.add(item.Name, func() error {
			sessions, err := analyze.OpenAll(item.Source)
			out = append(out, sessions...)
			return err
		}); err != nil {
			return nil, err
		}
	}
	if dumps == 0 {
		return nil, errors.New(notDump(items[0].Kind))
	}
	return out, all.result(dumps, leftIn(items))
}
