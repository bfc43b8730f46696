package symbols

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/symbols/archives/archive"
	"crashglass/symbols/formats"
	"crashglass/symbols/formats/sniff"
	"crashglass/symbols/layout"
)

// maxOthers bounds how many other builds of a module are read, to say why none of them matches.
const maxOthers = 16

// maxPackages bounds the .dwp files of a folder that are opened to read what they belong to.
const maxPackages = 64

// A folder is a tree of symbol files, most of which are never needed.
type folder struct {
	name    string
	fsys    fs.FS
	budget  *archive.Budget
	formats formats.Table

	files  map[string][]*file // by path; none for a file that is no symbol file
	lists  map[string]*listing
	opened []fs.File
	apple  *bundles // nil until it is looked for
	java   bool     // mappings were looked for
}

// A listing is the contents of one folder.
type listing struct {
	exact map[string]bool
	fold  map[string]string // names by their lower case
	dirs  []string
	ids   []string // the folders that are named like a build

	packages []string // .dwp files, whose units say what they belong to
}

func newFolder(name string, fsys fs.FS, budget *archive.Budget, formats formats.Table) *folder {
	return &folder{name: name, fsys: fsys, budget: budget, formats: formats, files: map[string][]*file{}, lists: map[string]*listing{}}
}

// find returns a module's files by their path, in a store's layout or in the folder itself.
func (d *folder) find(m *module.Module) (out []*file) {
	places := append([]string{"."}, d.ownBuilds(m)...)
	for _, root := range layout.Roots(m) {
		wanted, _ := d.builds(root, m)
		places = append(places, wanted...)
	}
	for _, dir := range places {
		for _, name := range layout.SymbolNames(m) {
			for _, n := range layout.Packed(name) {
				out = d.findAt(out, dir+"/"+n)
			}
		}
		for _, name := range layout.NativeNames(m) {
			out = d.findAt(out, dir+"/"+name)
			out = d.findAt(out, dir+"/"+name[:len(name)-1]+"_")
		}
	}
	for _, name := range d.list(".").packages {
		out = d.findAt(out, name)
	}
	for _, p := range layout.ByBuildID(m) {
		out = d.findAt(out, p)
		out = d.findAt(out, d.below(p))
	}
	return d.findBundled(out, targetOf(m))
}

// ownBuilds lists the folders of a module's build, for a folder that is not the root of a store but
// the store's folder of one module.
func (d *folder) ownBuilds(m *module.Module) (out []string) {
	want, code := idOf(m.DebugID), codeIDOf(m.CodeID)
	for _, name := range d.list(".").ids {
		if have := idOf(name); have != "" && (have == want || have == want.swapped() || codeIDOf(name) == code) {
			out = append(out, name)
		}
	}
	return out
}

// below makes a store's path relative to a folder inside the store: NAME/ID/FILE is ID/FILE below
// NAME. It returns "" if the path does not lead through the folder.
func (d *folder) below(p string) string {
	for dir, rest := "", p; ; {
		name, after, ok := strings.Cut(rest, "/")
		if !ok {
			return ""
		}
		dir, rest = path.Join(dir, name), after
		if called := "/" + strings.ToLower(d.name); strings.HasSuffix(called, "/"+strings.ToLower(dir)) {
			return rest
		}
	}
}

// findAt adds the file at a path, if it exists and is a symbol file.
func (d *folder) findAt(files []*file, p string) []*file {
	if p, ok := d.resolve(p); ok && !d.isDir(p) {
		for _, f := range d.at(p) {
			files = appendNew(files, f)
		}
	}
	return files
}

// appendNew appends a file that is not in the list: one file can have several names of a module.
func appendNew(files []*file, f *file) []*file {
	if slices.Contains(files, f) {
		return files
	}
	return append(files, f)
}

// others returns files of other builds of a module, without opening them: in a store, the folder
// names the build.
func (d *folder) others(m *module.Module) (out []*file) {
	for _, root := range d.rootsOf(m) {
		_, others := d.builds(root, m)
		for _, dir := range others[:min(len(others), maxOthers)] {
			for _, name := range layout.SymbolNames(m) {
				p, ok := d.resolve(dir + "/" + name)
				if !ok {
					continue
				}
				if _, known := d.files[p]; !known {
					d.files[p] = []*file{newFile(d.called(p), -1, d.formats.InLayouts(), buildOfPath(p), &content{find: func() (bin.Source, error) { return d.source(p) }})}
				}
				for _, f := range d.files[p] {
					out = appendNew(out, f)
				}
			}
		}
	}
	return out
}

// rootsOf are the folders that may have all builds of a module: this one, too,
// when it is called like one of them.
func (d *folder) rootsOf(m *module.Module) []string {
	roots := layout.Roots(m)
	for _, root := range roots {
		if d.below(root+"/x") == "x" {
			return append(roots, ".")
		}
	}
	return roots
}

// builds lists the folders of a module's builds: the wanted build, and the others.
func (d *folder) builds(root string, m *module.Module) (wanted, others []string) {
	want, code := idOf(m.DebugID), codeIDOf(m.CodeID)
	dir, ok := d.resolve(root)
	if !ok {
		return nil, nil
	}
	for _, name := range d.list(dir).dirs {
		if have := idOf(name); have != "" && (have == want || have == want.swapped() || codeIDOf(name) == code) {
			wanted = append(wanted, dir+"/"+name)
		} else {
			others = append(others, dir+"/"+name)
		}
	}
	return wanted, others
}

// resolve finds a path in the folder, whatever the case of its letters.
func (d *folder) resolve(p string) (string, bool) {
	real := "."
	if p = path.Clean(p); p == "." {
		return p, true
	}
	for part := range strings.SplitSeq(p, "/") {
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

// isDir reports whether a resolved path is a folder.
func (d *folder) isDir(p string) bool {
	return p == "." || slices.Contains(d.list(path.Dir(p)).dirs, path.Base(p))
}

// list lists a folder, once. An unreadable folder is empty.
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
		if strings.HasSuffix(e.Name(), ".dwp") && len(l.packages) < maxPackages {
			l.packages = append(l.packages, e.Name())
		}
		if e.IsDir() {
			l.dirs = append(l.dirs, e.Name())
			if layout.IsBuild(e.Name()) {
				l.ids = append(l.ids, e.Name())
			}
		}
	}
	d.lists[dir] = l
	return l
}

// called is a file's name in reports.
func (d *folder) called(p string) string {
	if d.name == "" {
		return p
	}
	return d.name + "/" + p
}

// at opens the file at an existing path, once.
func (d *folder) at(p string) []*file {
	files, ok := d.files[p]
	if !ok {
		files = d.openFile(p)
		d.files[p] = files
	}
	return files
}

// An unreadable file becomes one that says why; a file that is no symbol file is omitted.
func (d *folder) openFile(p string) []*file {
	name := d.called(p)
	src, err := d.source(p)
	useless := func(why string) []*file {
		return []*file{newUseless(name, src.Size(), buildOfPath(p), why)}
	}
	if err != nil {
		return useless(flawOf(err))
	}
	if src.Size() == 0 {
		return useless(sniff.Empty.Instead())
	}
	block, size, data := int64(0), src.Size(), inPlace(src)
	head, err := src.Read("start of the file", 0, uint64(min(src.Size(), sniff.Size)))
	if err != nil {
		return useless(flawOf(err))
	}
	if sniff.Of(head).Archive() {
		d.budget.AddInput(src.Size())
		members, err := archive.List(p, src, d.budget)
		if err != nil || len(members) != 1 {
			return nil
		}
		if head, err = members[0].Head(sniff.Size); err != nil && len(head) == 0 {
			return useless(flawOf(err))
		}
		data, block = memberContent(&members[0]), members[0].Block
	}
	k := sniff.Of(head)
	if !d.formats.Has(k) {
		if symNamed(p) || k.Managed() {
			return useless(k.Instead())
		}
		return nil
	}
	builds, err := d.identify(k, head, data)
	if err != nil {
		return useless(flawOf(err))
	}
	files := make([]*file, len(builds))
	for i, b := range builds {
		files[i] = newFile(name, size, k, b, data)
		files[i].block = block
	}
	return files
}

// identify reads the builds of a file. The first bytes suffice for formats that begin with their identity; native
// files are opened.
func (d *folder) identify(k sniff.Kind, head []byte, c *content) ([]formats.Build, error) {
	if !d.formats.Native(k) {
		return d.formats.Identify(k, inMemory(head))
	}
	src, err := c.open()
	if err != nil {
		return nil, err
	}
	return d.formats.Identify(k, src)
}

// buildOfPath is the build of a file by its path, for files without an identity.
func buildOfPath(p string) (b formats.Build) {
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

// close closes every file that was opened, and returns all errors.
func (d *folder) close() (err error) {
	for _, f := range d.opened {
		err = errors.Join(err, f.Close())
	}
	d.opened = nil
	return err
}
