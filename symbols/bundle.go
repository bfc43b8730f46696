package symbols

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"crashglass/symbols/formats"
	"crashglass/symbols/layout"
)

// Limits of looking for Apple's bundles in a folder.
const (
	maxBundleDirs  = 1 << 12
	maxBundleDepth = 12
	maxRootDirs    = 256 // a root with more is a symbol store
	maxTried       = 64  // files without the module's name of which the UUID is read
)

// A bundles has the files of Apple's bundles in a folder: debug files in .dSYM bundles, programs in
// .app and .framework bundles, and the maps that undo hidden names. A .dSYM may have any name and
// any parent: App.app.dSYM, an .xcarchive, a folder named by a UUID.
type bundles struct {
	files     []string          // debug files and programs
	maps      map[string]string // .bcsymbolmap files by their UUID
	originals map[string]string // .plist files of dSYMs by the UUID in their name
}

// bundles lists the root, the folders in the root, and below these only folders with the names of parts of bundles.
func (d *folder) bundles() *bundles {
	if d.apple != nil {
		return d.apple
	}
	d.apple = &bundles{maps: map[string]string{}, originals: map[string]string{}}
	dirs, depth := []string{"."}, 0
	for listed := 0; len(dirs) > 0 && depth < maxBundleDepth; depth++ {
		var below []string
		for _, dir := range dirs {
			if listed++; listed > maxBundleDirs {
				break
			}
			l := d.list(dir)
			for _, name := range l.dirs {
				if layout.IsBundleDir(name) || depth == 0 && len(l.dirs) <= maxRootDirs && !strings.HasPrefix(name, ".") {
					below = append(below, path.Join(dir, name))
				}
			}
			d.apple.take(path.Base(path.Join(d.name, dir)), dir, l)
		}
		dirs = below
	}
	return d.apple
}

// take keeps the useful files of a folder. name is the folder's own name, or the name that the user
// gave for the root, which may be a part of a bundle (the DWARF folder of a dSYM).
func (b *bundles) take(name, dir string, l *listing) {
	inside := strings.ToLower(name)
	for name := range l.exact {
		p := path.Join(dir, name)
		switch lower := strings.ToLower(name); {
		case slices.Contains(l.dirs, name):
		case strings.HasSuffix(lower, ".bcsymbolmap") && layout.UUID(name) != "":
			b.maps[layout.UUID(name)] = p
		case strings.HasSuffix(lower, ".plist") && layout.UUID(name) != "":
			b.originals[layout.UUID(name)] = p
		case inside == "dwarf" || inside == "macos":
			b.files = append(b.files, p)
		case layout.IsBundle(inside) && lower == strings.TrimSuffix(inside, path.Ext(inside)):
			b.files = append(b.files, p)
		}
	}
	slices.Sort(b.files)
}

// findBundled adds the files of bundles that are a module's: those with its
// name, or else the others that have its UUID.
func (d *folder) findBundled(out []*file, t *target) []*file {
	all := d.bundles().files
	var named, others []string
	for _, p := range all {
		if s := stem(p); s == t.stems[0] || s == t.stems[1] {
			named = append(named, p)
		} else {
			others = append(others, p)
		}
	}
	for _, p := range named {
		out = d.findAt(out, p)
	}
	good := func(f *file) bool { return f.fit(t).good() }
	if slices.ContainsFunc(out, good) || len(others) > maxTried || t.id == "" && t.codeID == "" {
		return out
	}
	for _, p := range others {
		for _, f := range d.at(p) {
			if good(f) {
				out = appendNew(out, f)
			}
		}
	}
	return out
}

// DebugFiles lists the debug files in a .dSYM bundle, in a part of one, or in a
// folder of them, and behind them the files that undo their hidden names. name
// is the folder's own.
func DebugFiles(name string, fsys fs.FS) (out []string) {
	d := newFolder(name, fsys, nil, formats.All)
	b := d.bundles()
	for _, p := range b.files {
		if strings.EqualFold(path.Base(path.Join(d.name, path.Dir(p))), "DWARF") {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return nil
	}
	out = append(out, slices.Sorted(maps.Values(b.originals))...)
	return append(out, slices.Sorted(maps.Values(b.maps))...)
}
