package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crashglass/cmd/internal/fetch"
	"crashglass/cmd/internal/fetch/plan"
	"crashglass/core/analyze"
	"crashglass/core/process/module"
	"crashglass/symbols"
)

type fetchFlags struct {
	store   string // a folder
	servers list   // presets or addresses; empty asks each module's vendor
	symbols list
	local   localFlags
	only    string // a pattern of path.Match
	list    bool   // only show the list
	yes     bool   // consent given in advance
}

// register adds the flags. None of them can give consent for later runs.
func (f *fetchFlags) register(p *pflag.FlagSet) {
	p.StringVar(&f.store, "store", "symbols", "write a symbol store to `folder`; files that are there already are not requested")
	p.Var(&f.servers, "server", "ask this `server` for every module: one of "+strings.Join(plan.Presets(), ", ")+
		", or an address, which may begin with breakpad=, symstore= or debuginfod=; may be repeated")
	p.Var(&f.symbols, "symbols", "`path` of symbols that you have, as for walk")
	f.local.register(p)
	p.StringVar(&f.only, "only", "", "ask only for modules whose name matches `pattern`, where * is any text")
	p.BoolVar(&f.list, "list", false, "print the list and send no request")
	p.BoolVarP(&f.yes, "yes", "y", false, "agree to the list without being asked")
}

// fetchCommand is the only command that sends requests. docs/fetch.md has the whole argument for its
// two processes and the consent.
func fetchCommand(c *cli) *cobra.Command {
	var f fetchFlags
	cmd := &cobra.Command{
		Use:   "fetch [flags] DUMP... [SYMBOLS...]",
		Short: "download the symbols that these stacks lack, after asking you",
		Long: `Lists the symbol files that would name more frames, and the servers that would be asked for them. After
you agree, a separate process downloads them. It gets the list of names and IDs, and no dump.

Without --server, the server of each module's vendor is asked, if it is known: Microsoft, Mozilla, Chromium, Electron,
NVIDIA, Intel, AMD, and for Linux packages the servers in DEBUGINFOD_URLS. No server is asked for your own modules.
A server learns which builds crashed, and your IP address.`,
		Example: `  crashglass fetch --list crash.dmp                       the files, and the servers that would be asked
  crashglass fetch crash.dmp && crashglass walk crash.dmp symbols/
  crashglass fetch --yes --server https://symbols.example.org/ --store store/ crash.dmp`,
	}
	c.command(cmd, "name a dump", f.register, func(args []string) int { return c.fetch(args, &f) })
	complete(cmd, "server", plan.Presets()...)
	return cmd
}

// fetch prints the list, asks for consent, downloads the files and checks them. All mistakes on the
// command line are reported before the dumps are read.
func (c *cli) fetch(args []string, f *fetchFlags) int {
	servers, err := plan.Servers(f.servers, os.Getenv("DEBUGINFOD_URLS"))
	if err != nil {
		return c.wrong("%v", err)
	}
	if _, err := path.Match(f.only, ""); err != nil {
		return c.wrong("--only %s: not a valid pattern", f.only)
	}
	w := c.wants(args, f, &plan.Options{Servers: servers, DebuginfodURLs: os.Getenv("DEBUGINFOD_URLS"), Only: f.only})
	if err := w.write(c.out); err != nil {
		return c.written(err)
	}
	switch {
	case len(w.Items) == 0 || f.list:
		return c.status
	case !f.yes && !c.agreed(w):
		return c.status
	}
	return c.download(w, f.store)
}

// A wanted is the list of symbol files that would help the dumps of a command line.
type wanted struct {
	plan.List
	modules []module.Module // of the dumps, to check the downloaded files
}

func (w *wanted) count() string {
	if len(w.Items) == 1 {
		return "1 module"
	}
	return fmt.Sprintf("%d modules", len(w.Items))
}

// Symbols are requested by the debug ID, and libraries by the code ID.
func (w *wanted) of(item int) (out []module.Module) {
	for _, m := range w.modules {
		if id := w.Items[item].ID; m.DebugID == id || m.CodeID == id {
			out = append(out, m)
		}
	}
	return out
}

// wants reads the dumps and makes the list. All dumps are closed when it returns.
func (c *cli) wants(args []string, f *fetchFlags, opt *plan.Options) *wanted {
	files := newLocalFiles(c, &f.local, nil)
	if files == nil {
		return &wanted{}
	}
	defer files.close()
	files.addSymbols(c, f.symbols)
	if info, err := os.Stat(f.store); err == nil && info.IsDir() {
		files.addFolder(f.store)
	}
	w := &wanted{}
	for _, in := range files.inputs(c, args) {
		if err := w.read(files, in, opt); err != nil {
			c.fail(in.path, err)
		}
	}
	return w
}

// read adds the missing symbols of an input to the list, and keeps its modules to check the files
// that are downloaded.
func (w *wanted) read(files *files, in input, opt *plan.Options) error {
	return files.sessions(in, func(_ symbols.Item, s *analyze.Session) error {
		r, err := s.Report(files.store, analyze.Options{})
		if err != nil {
			return err
		}
		w.modules = append(w.modules, s.Modules()...)
		w.Add(r, opt)
		return nil
	})
}

// write prints the list: each file, and the servers that would be asked for it, in the order in which
// they are asked. Modules without a server follow.
func (w *wanted) write(out io.Writer) error {
	var b strings.Builder
	for i := range w.Items {
		it := &w.Items[i]
		fmt.Fprintf(&b, "%s %s\n", oneLine(it.Name), oneLine(it.ID))
		for _, try := range it.Tries {
			fmt.Fprintf(&b, "  %s: %s\n", try.Server, names(try.Files))
		}
	}
	for _, name := range w.Not {
		fmt.Fprintf(&b, "%s: no server is asked; name one with --server\n", oneLine(name))
	}
	if b.Len() == 0 {
		b.WriteString("These stacks lack no symbols that a server could have.\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// names returns the file names of a try, without the folders of its layout. Of a file's several
// names, such as app.pdb and app.pd_, the first is shown.
func names(files []fetch.File) string {
	var out []string
	for _, f := range files {
		out = append(out, oneLine(path.Base(f[0].Path)))
	}
	return strings.Join(out, ", ")
}

// agreed asks for consent on a terminal. Without a terminal there is no consent: a script has to pass
// --yes. Any answer but y or yes, also the end of input, is a no and a usage error.
func (c *cli) agreed(w *wanted) bool {
	if !isTerminal(os.Stdin) {
		c.status = c.wrong("nothing was downloaded: agree to this list with --yes, or see it alone with --list")
		return false
	}
	fmt.Fprintf(c.err, "Ask for the symbols of %s? [y/N] ", w.count())
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	if yes := answer == "y" || answer == "yes"; yes && err == nil {
		return true
	}
	c.status = exitUsage
	c.say("nothing was downloaded")
	return false
}
