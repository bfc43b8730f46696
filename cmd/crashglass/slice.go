package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crashglass/core/analyze"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/sanitize"
	"crashglass/symbols"
	"crashglass/symbols/layout"
	"crashglass/symbols/share/capsule"
	"crashglass/symbols/share/slice"
)

type sliceFlags struct {
	out     string // a folder
	symbols list
	local   localFlags
	names   string // a key of capsule.Names
	people  bool   // keep names of people
}

// register adds the flags. --store has no default, because a slice must not replace a symbol file that
// it was made from.
func (s *sliceFlags) register(f *pflag.FlagSet) {
	f.StringVar(&s.out, "store", "", "write the symbol store to `folder`")
	f.Var(&s.symbols, "symbols", "symbol `path`, as for walk")
	s.local.register(f)
	f.StringVar(&s.names, "names", "all", "which function `names` to keep: all, own (of modules that are not the system's) or none")
	f.BoolVar(&s.people, "keep-names", false, "keep the names of people in paths of source files and in names of functions")
}

// sliceCommand makes symbol files for sharing: a few KB with the functions on some stacks, in place
// of a gigabyte with all of the program.
func sliceCommand(c *cli) *cobra.Command {
	var s sliceFlags
	cmd := &cobra.Command{
		Use:     "slice [flags] --store FOLDER DUMP... [SYMBOLS...]",
		Short:   "small symbol files: what the stacks of these dumps need",
		Example: "  crashglass slice --symbols symbols/ --store small/ crash.dmp",
	}
	cmd = c.command(cmd, "name a dump", s.register, func(args []string) int { return c.slice(args, &s) })
	complete(cmd, "names", slices.Sorted(maps.Keys(capsule.Names))...)
	return cmd
}

// slice writes the records of symbol files that the stacks of some dumps need. It then walks the
// dumps again with these records alone.
func (c *cli) slice(args []string, s *sliceFlags) int {
	names, known := capsule.Names[s.names]
	switch {
	case s.out == "":
		return c.wrong("name a folder with --store")
	case !known:
		return c.wrong("--names cannot be %s; want all, own or none", s.names)
	}
	files := newLocalFiles(c, &s.local, nil)
	if files == nil {
		return exitInput
	}
	defer files.close()
	files.addSymbols(c, s.symbols)
	work := &slicing{c: c, files: files, slicer: slice.New(), shown: map[string]outline{}, named: names == slice.AllNames}
	inputs := files.inputs(c, args)
	if !s.people {
		work.mask(inputs)
	}
	failed := map[string]bool{} // was said of the dump or the archive
	for _, in := range inputs {
		if err := work.each(in, work.collect); err != nil {
			c.fail(in.path, err)
			for _, p := range partsOf(in.path, err) {
				failed[p.name] = true
			}
		}
	}
	files.sayUnused(c)
	if len(work.shown) == 0 {
		return c.status
	}
	if err := work.write(s.out, names); err != nil {
		c.fail(s.out, err)
		return exitInput
	}
	work.sliced = symbols.NewStore(symbols.Options{})
	defer work.sliced.Close()
	work.sliced.AddFS("", os.DirFS(s.out))
	for _, in := range inputs {
		if err := work.each(in, work.compare); err != nil {
			for _, p := range partsOf(in.path, err) {
				if !failed[p.name] {
					c.fail(p.name, p.err)
				}
			}
		}
	}
	return c.status
}

type slicing struct {
	c      *cli
	files  *files
	slicer *slice.Slicer      // the records needed so far
	shown  map[string]outline // with all symbols, by the dump's name
	named  bool               // whether the slices have all names
	people []string           // in the dumps
	sliced *symbols.Store     // what was written; nil before
}

// each calls use for the dumps of an input, with the name that exampleName gives each.
func (w *slicing) each(in input, use func(name string, s *analyze.Session) error) error {
	n := 0
	return w.files.sessions(in, func(d symbols.Item, s *analyze.Session) error {
		n++
		return use(exampleName(in, d, n-1), s)
	})
}

// mask makes the slices omit the names of people that any dump contains. It ignores errors: the
// walk reads the same dumps and reports them.
func (w *slicing) mask(inputs []input) {
	for _, in := range inputs {
		_ = w.each(in, func(_ string, s *analyze.Session) error {
			w.people = append(w.people, sanitize.People(s)...)
			return nil
		})
	}
	w.slicer.Mask = sanitize.NewMasker(w.people)
}

// collect adds the records that a dump's stacks need, and keeps what is compared later.
func (w *slicing) collect(name string, s *analyze.Session) error {
	r, err := w.slicer.Add(s, w.files.store)
	if err == nil {
		w.files.unused(s.Modules())
		w.shown[name] = outlineOf(r, w.named, w.slicer.Mask)
	}
	return err
}

// compare says what differs from the report with all symbols.
func (w *slicing) compare(name string, s *analyze.Session) error {
	before, walked := w.shown[name]
	if !walked {
		return nil // collect failed
	}
	r, err := s.Report(w.sliced, analyze.Options{})
	if err != nil {
		return err
	}
	w.c.differs(name, r, before, outlineOf(r, w.named, w.slicer.Mask))
	return nil
}

// An outline is what a report shows, as text: with slices it is to be the same as with all symbols.
type outline struct {
	headline string
	stacks   []string // of each thread
}

func outlineOf(r *report.Report, names bool, mask slice.Mask) outline {
	return outline{slice.Headline(r, names, mask), slice.Stacks(r, names, mask)}
}

// differs reports which stacks of a report with slices differ from those with all symbols, and warns if the verdict or the
// signature does. They can differ, because a library also provides code, which a symbol file cannot.
func (c *cli) differs(name string, r *report.Report, before, after outline) {
	if before.headline != after.headline {
		c.warn(name, fmt.Sprintf("with all symbols it is %s; with the slices alone, which have no code, it is %s", before.headline, after.headline))
	}
	for i := range r.Threads {
		if i < len(before.stacks) && before.stacks[i] != after.stacks[i] {
			c.fail(name, fmt.Errorf("the stack of thread %d differs when only the slices are used", r.Threads[i].ID))
		}
	}
}

// write writes the slices as a symbol store, and prints the size of each.
func (w *slicing) write(folder string, names slice.Names) error {
	mods := w.slicer.Modules()
	if len(mods) == 0 {
		return errors.New("no module of these dumps has symbols")
	}
	for i := range mods {
		m := &mods[i]
		place := layout.Place(m)
		if place == "" {
			w.c.warn(m.Name(), "it has no debug ID, so it has no path in a symbol store")
			continue
		}
		if err := w.writeOne(filepath.Join(folder, filepath.FromSlash(place)), m, names); err != nil {
			return err
		}
	}
	return nil
}

// writeOne writes the slice of one module, and prints its size. The folders of the store are created.
func (w *slicing) writeOne(path string, m *module.Module, names slice.Names) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return failedOutput(path, err)
	}
	err := w.c.to(w.files, path, func(out io.Writer) error { return w.slicer.Write(out, m, names) })
	if err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil {
		w.c.say(fmt.Sprintf("%s: %d bytes", path, info.Size()))
	}
	return nil
}
