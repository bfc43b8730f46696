package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crashglass/cmd/internal/assistant"
	"crashglass/core/analyze"
	"crashglass/core/report"
	"crashglass/core/report/triage"
	"crashglass/symbols"
)

type mcpFlags struct {
	symbols list
	local   localFlags
	reveal  bool
	log     string
}

func (m *mcpFlags) register(f *pflag.FlagSet) {
	f.Var(&m.symbols, "symbols", "symbol `path`, as for walk; may be repeated")
	m.local.register(f)
	f.BoolVar(&m.reveal, "reveal", false, "do not mask names of people, texts in memory and probable secrets")
	f.StringVar(&m.log, "log", "", "append each query and its answer to this `file`, as a line of JSON")
}

// mcpCommand serves an assistant. Only the person who starts it decides what is masked and which folders are read.
func mcpCommand(c *cli) *cobra.Command {
	var m mcpFlags
	cmd := &cobra.Command{
		Use:   "mcp [flags] FOLDER...",
		Short: "answer an assistant's queries about dumps, masked",
		Long: `Answers an assistant's queries about the dumps in folders, by the Model Context Protocol on
standard input and output. Its tools only read. Answers are masked, bounded in size, and
marked as data: a text in a dump may be an instruction to a model. docs/editors.md has the
configuration of clients.`,
		Example: "  crashglass mcp --symbols symbols/ crashes/",
	}
	return c.command(cmd, "name folders with dumps", m.register, func(args []string) int { return c.mcp(os.Stdin, args, &m) })
}

// mcp answers until its input ends.
func (c *cli) mcp(in io.ReadCloser, folders []string, m *mcpFlags) int {
	files := newLocalFiles(c, &m.local, nil)
	if files == nil {
		return exitInput
	}
	defer files.close()
	files.addSymbols(c, m.symbols)
	dumps := allowed{files: files, folders: map[string]string{}}
	for _, folder := range folders {
		whole, err := filepath.Abs(folder)
		if err == nil {
			_, err = os.ReadDir(whole)
		}
		name := filepath.Base(whole)
		switch {
		case err != nil:
			c.fail(folder, cause(err))
			return c.status
		case dumps.folders[name] != "":
			return c.wrong("two folders have the name %s", name)
		}
		dumps.folders[name] = whole
		dumps.names = append(dumps.names, name)
	}
	opt := assistant.Options{Reveal: m.reveal}
	if m.log != "" {
		log, err := os.OpenFile(m.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			c.fail(m.log, cause(err))
			return c.status
		}
		defer log.Close()
		opt.Log = log
	}
	if err := assistant.Serve(context.Background(), in, unclosed{c.out}, dumps, opt); err != nil {
		c.fail(standardOutput, err)
	}
	return c.status
}

// unclosed is an output that stays open.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// allowed are the dumps in the folders of the command line. Their names begin with the last part of the folder's path.
type allowed struct {
	files   *files
	folders map[string]string // paths by name
	names   []string          // in the order of the command line
}

// List implements assistant.Dumps.
func (a allowed) List() (out, left []string) {
	for _, name := range a.names {
		inputs, failed := dumpsOf(a.folders[name], maxListed)
		if failed != nil {
			left = append(left, name+": "+cause(failed).Error())
		}
		for _, in := range inputs {
			out = append(out, a.named(name, in.path))
		}
	}
	return out, left
}

func (a allowed) named(folder, path string) string {
	return folder + strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(a.folders[folder]))
}

// Open implements assistant.Dumps. A name that leads out of its folder, also by a link, is refused.
func (a allowed) Open(name string) (out []*analyze.Session, left []string, err error) {
	folder, rest, _ := strings.Cut(name, "/")
	if a.folders[folder] == "" {
		return nil, nil, fmt.Errorf("%s is in none of the folders that were allowed", name)
	}
	root, err := os.OpenRoot(a.folders[folder])
	if err != nil {
		return nil, nil, cause(err)
	}
	defer root.Close()
	// The file system follows a link before "..", and filepath.Join does not: after Clean, both find the same file.
	rest = filepath.Clean(filepath.FromSlash(rest))
	info, err := root.Stat(rest)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("this is not a regular file") // a pipe may have no end
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, cause(err))
	}
	path := filepath.Join(a.folders[folder], rest)
	if !isDumpFile(path) {
		return nil, nil, fmt.Errorf("%s: this is not in the list of dumps", name)
	}
	out, err = a.files.sessionsOf(path)
	if len(out) == 0 {
		return nil, nil, errors.New(strings.Join(a.failures(folder, path, err), "\n"))
	}
	if err != nil {
		left = a.failures(folder, path, err)
	}
	return out, left, nil
}

// failures are the lines about a file that was not read, or not wholly, by its name and those of its parts. The sentence
// of a leftOut may have the path of the file.
func (a allowed) failures(folder, path string, err error) []string {
	some := &partial{}
	for _, p := range partsOf(path, err) {
		err := cause(p.err)
		var left *leftOut
		if errors.As(err, &left) {
			err = &leftOut{left.count, fmt.Sprintf("%d of its files were not read", left.count)}
		}
		some.parts = append(some.parts, part{a.named(folder, p.name), err})
	}
	return failureLines(a.named(folder, path), some)
}

// Triage implements assistant.Dumps.
func (a allowed) Triage(w io.Writer, shown func(*analyze.Session, *report.Report) *report.Report) error {
	var set triage.Set
	for _, name := range a.names {
		inputs, err := dumpsOf(a.folders[name], maxListed)
		if err != nil {
			set.Add(failedIn(name, err))
		}
		for _, in := range inputs {
			err := a.files.sessions(in, func(_ symbols.Item, s *analyze.Session) error {
				options := a.files.wholeReport()
				options.Threads = analyze.Crashing()
				r, err := s.Report(a.files.store, options)
				if err == nil {
					set.Add(triage.Of(a.named(name, in.path), shown(s, r), triage.Own))
				}
				return err
			})
			if err == nil {
				continue
			}
			for _, p := range partsOf(in.path, err) {
				set.Add(failedIn(a.named(name, p.name), p.err))
			}
		}
	}
	return triageTable(w, set.Against(nil), 0)
}

// failedIn is the group of a file that was not read, or not wholly. The sentence of a leftOut has the path of the file.
func failedIn(name string, err error) triage.Group {
	var left *leftOut
	if !errors.As(err, &left) {
		return triage.Failed(name, cause(err).Error())
	}
	failed := triage.Failed(name, "some of its files were not read")
	failed.Count = uint64(left.count)
	return failed
}

// Symbols implements assistant.Dumps.
func (a allowed) Symbols() analyze.Symbols { return a.files.store }
