package layout

import (
	"cmp"
	"io"
	"io/fs"
	"path"
	"slices"
	"time"

	"crashglass/core/base/bin"
	"crashglass/core/base/sorting"
)

// A Tree makes a folder of files that come one by one: those of a folder that the user dropped into
// the page. Package symbols reads it as an fs.FS. The zero value is empty.
type Tree struct {
	files map[string]bin.Source
	dirs  map[string][]fs.DirEntry // sorted by name; nil until first needed
}

var _ fs.ReadDirFS = (*Tree)(nil)

// Add adds a file to the tree, and reports whether it did: it refuses invalid (fs.ValidPath) and
// existing paths. It must not be called after the tree is in use.
func (t *Tree) Add(name string, src bin.Source) bool {
	if t.files == nil {
		t.files = map[string]bin.Source{}
	}
	if _, taken := t.files[name]; taken || name == "." || !fs.ValidPath(name) {
		return false
	}
	t.files[name], t.dirs = src, nil
	return true
}

// Open opens a file or a folder. Files are io.ReaderAts.
func (t *Tree) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if entries, ok := t.list()[name]; ok {
		return &treeDir{treeInfo{path.Base(name), 0, fs.ModeDir | 0o555}, entries}, nil
	}
	src, ok := t.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &treeFile{io.NewSectionReader(src, 0, src.Size()), treeInfo{path.Base(name), src.Size(), 0o444}}, nil
}

// ReadDir lists a folder.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	if entries, ok := t.list()[name]; ok {
		return slices.Clone(entries), nil
	}
	return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
}

// list makes the folders of the files' paths. If a folder and a file have the same path, the folder
// wins.
func (t *Tree) list() map[string][]fs.DirEntry {
	if t.dirs != nil {
		return t.dirs
	}
	t.dirs = map[string][]fs.DirEntry{".": nil}
	for name := range t.files {
		for dir := path.Dir(name); t.dirs[dir] == nil && dir != "."; dir = path.Dir(dir) {
			t.dirs[dir] = []fs.DirEntry{}
		}
	}
	add := func(name string, info treeInfo) {
		t.dirs[path.Dir(name)] = append(t.dirs[path.Dir(name)], fs.FileInfoToDirEntry(info))
	}
	for name := range t.dirs {
		if name != "." {
			add(name, treeInfo{path.Base(name), 0, fs.ModeDir | 0o555})
		}
	}
	for name, src := range t.files {
		if _, isDir := t.dirs[name]; !isDir {
			add(name, treeInfo{path.Base(name), src.Size(), 0o444})
		}
	}
	for _, entries := range t.dirs {
		sorting.Stable(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	}
	return t.dirs
}

// treeInfo describes a file or folder. Their times are unknown.
type treeInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i treeInfo) Name() string       { return i.name }
func (i treeInfo) Size() int64        { return i.size }
func (i treeInfo) Mode() fs.FileMode  { return i.mode }
func (i treeInfo) ModTime() time.Time { return time.Time{} }
func (i treeInfo) IsDir() bool        { return i.mode.IsDir() }
func (i treeInfo) Sys() any           { return nil }

type treeFile struct {
	*io.SectionReader
	info treeInfo
}

func (f *treeFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *treeFile) Close() error               { return nil }

type treeDir struct {
	info treeInfo
	rest []fs.DirEntry
}

func (d *treeDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *treeDir) Close() error               { return nil }

func (d *treeDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.name, Err: fs.ErrInvalid}
}

// ReadDir returns the next n entries or, if n is not positive, all remaining ones.
func (d *treeDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(d.rest)
	} else if len(d.rest) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.rest))
	out := slices.Clone(d.rest[:n])
	d.rest = d.rest[n:]
	return out, nil
}
