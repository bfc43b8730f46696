package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"crashglass/core/bin"
	"crashglass/symbols"
	"crashglass/symbols/archive"
	"crashglass/symbols/decompress"
)

// files are the files of one run: they stay open until its end, because
// symbols are read when an address asks for them.
type files struct {
	store *symbols.Store
	open  []*os.File
	read  []fs.FileInfo // of all files that were opened, those of folders among them
}

func newFiles(c *cli, useCache bool) *files {
	opt := symbols.Options{
		Limits:   archive.Limits{Decompressors: decompress.All()},
		Progress: newProgress(c.err).show,
	}
	if useCache {
		cache, err := openCache(c.warn)
		if err != nil {
			c.warn("cache", cause(err).Error())
		} else {
			opt.Cache = cache
		}
	}
	return &files{store: symbols.NewStore(opt)}
}

// close closes everything; errors of files that were only read mean nothing.
func (f *files) close() {
	f.store.Close()
	for _, file := range f.open {
		file.Close()
	}
}

// source opens a file.
func (f *files) source(path string) (bin.Source, error) {
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
	case !info.Mode().IsRegular():
		return bin.Source{}, errors.New("this is not a regular file: what is in it cannot be read twice")
	}
	return bin.NewSource(file, info.Size()), nil
}

// hasRead reports whether a file is one of those that were opened, by whatever name.
func (f *files) hasRead(file fs.FileInfo) bool {
	return slices.ContainsFunc(f.read, func(r fs.FileInfo) bool { return os.SameFile(r, file) })
}

// A recorded folder tells which of its files were opened.
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

// cause drops the path out of an error: the line has it already.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// addSymbols takes the paths of -symbols. One that is not there, or is no use,
// is said so and does not stop the others: a report without symbols is better
// than none.
func (f *files) addSymbols(c *cli, paths []string) {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			f.store.AddFS(path, recorded{os.DirFS(path), f})
			continue
		}
		src, err := f.source(path)
		if err != nil {
			c.warn(path, err.Error())
			continue
		}
		for _, item := range f.store.Add(filepath.ToSlash(path), src) {
			if item.Message != "" {
				c.warn(item.Name, item.Message)
			}
		}
	}
}

// dumps finds the dumps in a file: the file itself, or those in an archive.
// Symbols that are in the archive, too, are used.
func (f *files) dumps(path string) ([]symbols.Item, error) {
	src, err := f.source(path)
	if err != nil {
		return nil, err
	}
	var dumps []symbols.Item
	why := "this is neither a dump nor a symbol file"
	for i, item := range f.store.Add(filepath.ToSlash(path), src) {
		switch {
		case item.Use == symbols.IsDump:
			dumps = append(dumps, item)
		case i > 0:
		case item.Message != "":
			why = item.Message
		case item.Kind != symbols.Unknown:
			why = "this is " + item.Kind.Sentence() + ", not a minidump"
		}
	}
	if len(dumps) == 0 {
		return nil, errors.New(why)
	}
	return dumps, nil
}
