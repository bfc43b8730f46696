package main

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"crashglass/cmd/internal/local"
	"crashglass/core/base/bin"
	"crashglass/core/dump/container"
	"crashglass/symbols"
	"crashglass/symbols/archives/archive"
	"crashglass/symbols/archives/decompress"
	"crashglass/symbols/formats"
)

// files holds the open files of one run. They stay open until its end, because symbols are read
// when an address is looked up.
type files struct {
	store       *symbols.Store
	open        []*os.File        // in the order of opening: with closes the latest ones
	read        []fs.FileInfo     // of all opened files, including those in folders
	symbolPaths []symbolPath      // symbol paths of the command line
	misfits     map[string]misfit // by file: given, and of no module's build in some dump
	dumps       int               // that were reported

	saidServers bool // of _NT_SYMBOL_PATH

	oneOfSeveral bool // the file of the dump that is read has others

	temporary []string // files to be removed at the end
	scratch   *os.File // nil until something large is decompressed
}

// newFiles makes a symbol store that unpacks archives, shows progress, and searches large files before
// it scans them.
func newFiles(c *cli) *files { return newFilesWith(c, nil, nil) }

// newLocalFiles returns nil, with an error on standard error, if the folder of --local-root cannot be opened.
func newLocalFiles(c *cli, l *localFlags, cache formats.Cache) *files {
	machine, err := c.localFiles(l)
	if err != nil {
		c.fail(l.root, cause(err))
		return nil
	}
	return newFilesWith(c, machine, cache)
}

// newFilesWith is newFiles with the files of a machine and a cache of indexes, or nil for either.
func newFilesWith(c *cli, machine symbols.Local, cache formats.Cache) *files {
	f := &files{}
	f.store = symbols.NewStore(symbols.Options{
		Limits: archive.Limits{
			Decompressors: decompress.All(), Seekers: decompress.Seekers(), Scratch: f.openScratch, Stated: container.StatedSize,
		},
		Progress:   newProgress(c.err).show,
		SearchFrom: symbols.LeastSearched,
		Cache:      cache,
		Local:      machine,
	})
	return f
}

// Errors are ignored, because the files were only read. The store comes first: its readers still refer to the files.
func (f *files) close() {
	f.store.Close()
	for _, file := range f.open {
		file.Close()
	}
	if f.scratch != nil {
		f.scratch.Close()
	}
	for _, name := range f.temporary {
		os.Remove(name)
	}
}

// source opens a file; "-" is standard input.
func (f *files) source(path string) (bin.Source, error) {
	if path == "-" {
		return f.standardInput()
	}
	file, err := os.Open(path)
	if err != nil {
		return bin.Source{}, cause(err)
	}
	f.open = append(f.open, file)
	info, err := file.Stat()
	if err != nil {
		return bin.Source{}, cause(err)
	}
	f.read = append(f.read, info)
	switch {
	case info.IsDir():
		return bin.Source{}, errors.New("this is a folder")
	case info.Mode()&fs.ModeNamedPipe != 0:
		return f.spool(file)
	case !info.Mode().IsRegular():
		return bin.Source{}, errors.New("this is not a regular file, and its content can be read only once")
	}
	return bin.NewSource(file, info.Size()), nil
}

// hasRead reports whether a file is among the opened ones, under any name: a link to a dump, or a
// path in other case, is the same file.
func (f *files) hasRead(file fs.FileInfo) bool {
	return slices.ContainsFunc(f.read, func(r fs.FileInfo) bool { return os.SameFile(r, file) })
}

// A recorded folder records which of its files were opened, so that --output cannot replace a symbol
// file that is still being read.
type recorded struct {
	fs.FS
	files *files
}

// Open implements fs.FS.
func (r recorded) Open(name string) (fs.File, error) {
	file, err := r.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil {
		r.files.read = append(r.files.read, info)
	}
	return file, nil
}

// ReadDir implements fs.ReadDirFS.
func (r recorded) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(r.FS, name) }

// cause returns an error without its path, which the line has already.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// localFlags are the flags about files of this machine.
type localFlags struct {
	off  bool
	root string // "" is this machine itself
}

func (l *localFlags) register(f *pflag.FlagSet) {
	f.BoolVar(&l.off, "no-local", false, "do not search this machine for the files of modules")
	f.StringVar(&l.root, "local-root", "", "search this `folder`, such as the root of a container, for the files of modules, instead of this machine")
}

// localFiles returns the files of this machine or of --local-root, nil for none. Other programs do not search, and
// neither do tests.
func (c *cli) localFiles(l *localFlags) (symbols.Local, error) {
	switch {
	case l.root != "":
		return local.At(l.root)
	case l.off || c.machine == nil:
		return nil, nil
	}
	return c.machine, nil
}
