package symbols

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"crashglass/core/bin"
	"crashglass/core/module"
	"crashglass/symbols/archive"
)

// maxOthers bounds how many other builds of a module are looked at, to say why
// none of them is the one.
const maxOthers = 16

// A folder is a tree of symbol files of which most are never asked for.
type folder struct {
	name   string
	fsys   fs.FS
	budget *archive.Budget

	files  map[string]*file // by path; nil for what is there but no symbol file
	lists  map[string]*listing
	opened []fs.File
}

// A listing is what is in one folder.
type listing struct {
	exact map[string]bool
	fold  map[string]string // names by their lower case
	dirs  []string
}

func newFolder(name string, fsys fs.FS, budget *archive.Budget) *folder {
	return &folder{name: name, fsys: fsys, budget: budget, files: map[string]*file{}, lists: map[string]*listing{}}
}

// find returns the files in the folder that are a module's by their place, in
// a store's layout or in the folder itself.
func (d *folder) find(m *module.Module) (out []*file) {
	names := symNames(m)
	places := []string{"."}
	for _, root := range storeRoots(m) {
		wanted, _ := d.builds(root, m)
		places = append(places, wanted...)
	}
	for _, dir := range places {
		for _, name := range names {
			for _, n := range packedNames(name) {
				if p, ok := d.resolve(dir + "/" + n); ok {
					out = appendNew(out, d.file(p))
				}
			}
		}
	}
	return out
}

// packedNames are the names that a file may have when it is compressed, and
// its own. symstore /compress makes a cabinet and replaces the last letter.
func packedNames(name string) []string {
	return []string{name, name + ".gz", name + ".zst", name + ".xz", name[:len(name)-1] + "_"}
}

func appendNew(files []*file, f *file) []*file {
	if f == nil || slices.Contains(files, f) {
		return files
	}
	return append(files, f)
}

// others returns files of other builds of a module, without opening them: a
// store says by the folder which build a file is of.
func (d *folder) others(m *module.Module) (out []*file) {
	for _, root := range storeRoots(m) {
		_, others := d.builds(root, m)
		for _, dir := range others[:min(len(others), maxOthers)] {
			for _, name := range symNames(m) {
				p, ok := d.resolve(dir + "/" + name)
				if !ok {
					continue
				}
				if _, known := d.files[p]; !known {
					d.files[p] = newFile(d.name+"/"+p, -1, Breakpad, buildOfPath(p), func() (bin.Source, error) { return d.source(p) })
				}
				out = appendNew(out, d.files[p])
			}
		}
	}
	return out
}

// storeRoots are the folders that a store keeps all builds of a module in.
func storeRoots(m *module.Module) (out []string) {
	for _, name := range []string{module.Basename(m.DebugFile), m.Name()} {
		if safeName(name) {
			out = append(out, name, twoTier(name))
		}
	}
	return out
}

// builds lists the folders of a module's builds: that of the wanted one, and
// the others.
func (d *folder) builds(root string, m *module.Module) (wanted, others []string) {
	want := idOf(m.DebugID)
	dir, ok := d.resolve(root)
	if !ok {
		return nil, nil
	}
	for _, name := range d.list(dir).dirs {
		if have := idOf(name); have != "" && (have == want || have == want.swapped()) {
			wanted = append(wanted, dir+"/"+name)
		} else {
			others = append(others, dir+"/"+name)
		}
	}
	return wanted, others
}

// symNames are the names that a module's symbol file may have. Breakpad's
// SimpleSymbolSupplier replaces .pdb by .sym and otherwise appends it.
func symNames(m *module.Module) (out []string) {
	for _, name := range []string{module.Basename(m.DebugFile), m.Name()} {
		if !safeName(name) {
			continue
		}
		short := name
		for _, ending := range []string{".pdb", ".exe", ".dll"} {
			if n := len(name) - len(ending); n > 0 && strings.EqualFold(name[n:], ending) {
				short = name[:n]
			}
		}
		for _, n := range []string{short + ".sym", name + ".sym"} {
			out = append(out, n)
		}
	}
	return out
}

// safeName reports whether a name out of a dump may become part of a path.
func safeName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\\x00")
}

// twoTier is where symstore puts a file when index2.txt is in its root: below
// the first two letters of its name.
func twoTier(name string) string { return name[:min(2, len(name))] + "/" + name }

// resolve finds a path in the folder, whatever the case of its letters.
func (d *folder) resolve(p string) (string, bool) {
	real := "."
	for part := range strings.SplitSeq(path.Clean(p), "/") {
		list := d.list(real)
		if !list.exact[part] {
			var ok bool
			if part, ok = list.fold[strings.ToLower(part)]; !ok {
				return "", false
			}
		}
		real = path.Join(real, part)
	}
	return real, true
}

// list lists a folder, once. What cannot be listed is empty.
func (d *folder) list(dir string) *listing {
	if l, ok := d.lists[dir]; ok {
		return l
	}
	l := &listing{exact: map[string]bool{}, fold: map[string]string{}}
	entries, _ := fs.ReadDir(d.fsys, dir) // in the order of names, whatever the system
	for _, e := range entries {
		l.exact[e.Name()] = true
		if lower := strings.ToLower(e.Name()); l.fold[lower] == "" {
			l.fold[lower] = e.Name()
		}
		if e.IsDir() {
			l.dirs = append(l.dirs, e.Name())
		}
	}
	d.lists[dir] = l
	return l
}

// file opens the file at a path that is there, once.
func (d *folder) file(p string) *file {
	f, ok := d.files[p]
	if !ok {
		f = d.openFile(p)
		d.files[p] = f
	}
	return f
}

// openFile makes a file of what is at a path. What cannot be read is a file
// that says why; what is no symbol file is none.
func (d *folder) openFile(p string) *file {
	name := d.name + "/" + p
	src, err := d.source(p)
	if err != nil {
		return newUseless(name, 0, buildOfPath(p), flawOf(err))
	}
	open := func() (bin.Source, error) { return src, nil }
	if src.Size() == 0 {
		return newUseless(name, 0, buildOfPath(p), Empty.instead())
	}
	head, err := src.Read("start of the file", 0, uint64(min(src.Size(), SniffSize)))
	if err != nil {
		return newUseless(name, src.Size(), buildOfPath(p), flawOf(err))
	}
	size := src.Size()
	if Sniff(head).Archive() {
		members, err := archive.List(p, src, d.budget)
		if err != nil || len(members) != 1 {
			return nil
		}
		if head, err = members[0].Head(SniffSize); err != nil && len(head) == 0 {
			return newUseless(name, size, buildOfPath(p), flawOf(err))
		}
		open = members[0].Open
	}
	if k := Sniff(head); k != Breakpad {
		if symNamed(p) {
			return newUseless(name, size, buildOfPath(p), k.instead())
		}
		return nil
	}
	builds, err := identifyBreakpad(bin.NewSource(strings.NewReader(string(head)), int64(len(head))))
	if err != nil {
		return nil
	}
	return newFile(name, size, Breakpad, builds[0], open)
}

// buildOfPath is what a file that says nothing itself should be, by where it is.
func buildOfPath(p string) (b build) {
	if dir, _ := path.Split(p); dir != "" {
		b.ID = path.Base(dir)
		b.Name = path.Base(path.Dir(path.Clean(dir)))
	}
	return b
}

func (d *folder) source(p string) (bin.Source, error) {
	f, err := d.fsys.Open(p)
	if err != nil {
		return bin.Source{}, err
	}
	d.opened = append(d.opened, f)
	info, err := f.Stat()
	if err != nil {
		return bin.Source{}, err
	}
	r, ok := f.(io.ReaderAt)
	if !ok {
		return bin.Source{}, fmt.Errorf("symbols: %s: %T cannot be read at an offset", p, f)
	}
	return bin.NewSource(r, info.Size()), nil
}

func (d *folder) close() (err error) {
	for _, f := range d.opened {
		err = errors.Join(err, f.Close())
	}
	d.opened = nil
	return err
}
