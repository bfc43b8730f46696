package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/report/render"
	"crashglass/core/values/natvis"
	"crashglass/symbols"
)

// maxSaid bounds the lines about members of one archive, and about the defects of one symbol file.
const maxSaid = 20

type symbolPath struct {
	path string // the prefix of its files' names in reports
	used bool   // one of its files matches a module, or it has dumps
	why  string // why it cannot be used, if that is known from the start
}

// addSymbols adds the paths of --symbols. An unusable path does not stop the others, because a
// report without symbols is better than none. A missing path is probably a mistake and costs exit
// status 1.
func (f *files) addSymbols(c *cli, paths []string) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err == nil && info.IsDir() {
			f.addFolder(path)
			continue
		}
		items, err := f.add(path)
		if err != nil {
			c.fail(path, err)
			continue
		}
		f.addItems(c, path, items)
	}
}

// addFolder gives a folder to the store, which opens a file when a module needs it. Names of its files
// begin with the path as the user wrote it, without slashes at the end.
func (f *files) addFolder(path string) {
	name := strings.TrimRight(filepath.ToSlash(path), "/")
	f.symbolPaths = append(f.symbolPaths, symbolPath{path: name})
	f.store.AddFS(name, recorded{os.DirFS(path), f})
}

// If a part of the file was not read, only that error is printed, and no warnings.
func (f *files) addItems(c *cli, path string, items []symbols.Item) {
	n := symbolPath{path: filepath.ToSlash(path)}
	if left := leftIn(items); left != nil {
		c.fail(path, left)
	} else {
		c.warnItems(path, items)
	}
	if !slices.ContainsFunc(items, func(i symbols.Item) bool { return i.Use == symbols.IsSymbols }) {
		n.why = "has no symbols"
	}
	f.symbolPaths = append(f.symbolPaths, n)
}

// warnItems reports the defects of the files in an archive, a line for each of the first ones.
func (c *cli) warnItems(path string, items []symbols.Item) {
	said := 0
	for _, item := range items {
		if item.Message != "" {
			if said++; said <= maxSaid {
				c.warn(item.Name, item.Message)
			}
		}
	}
	if said > maxSaid {
		c.warn(path, fmt.Sprintf("%d more of its files have defects", said-maxSaid))
	}
}

// fitting records which of the named paths have symbols for the modules of a dump, for --strict. A
// file of a folder or an archive has that path and a slash before its name.
func (f *files) fitting(modules []module.Module) {
	for i := range modules {
		for _, name := range f.store.Fits(&modules[i]) {
			for n := range f.symbolPaths {
				path := f.symbolPaths[n].path
				f.symbolPaths[n].used = f.symbolPaths[n].used || name == path || strings.HasPrefix(name, path+"/")
			}
		}
	}
}

// strictly applies --strict to symbols: a path that matches no module of any dump costs exit status
// 3. A build server would otherwise publish reports without names for months unnoticed.
func (f *files) strictly(c *cli) {
	for _, n := range f.symbolPaths {
		switch {
		case n.why != "":
			c.strict(n.path + " " + n.why)
		case !n.used:
			c.strict(n.path + " has no symbols for any module of these dumps")
		}
	}
}

// strict reports a defect and sets exit status 3, unless a file without a result has set status 1.
func (c *cli) strict(what string) {
	c.say("strict: " + what)
	if c.status == exitOK {
		c.status = exitStrict
	}
}

// damaged applies --strict to one report: damaged or missing parts of the dump, and damaged
// symbols.
func (c *cli) damaged(path string, r *report.Report) {
	for _, n := range r.Notes {
		if n.Kind == report.NoteDamage || n.Kind == report.NoteTruncated {
			c.strict(path + ": " + n.Where + ": " + n.Text)
		}
	}
	for i := range r.Modules {
		if s := r.Modules[i].Symbols; s != nil && s.State == report.SymbolsDamaged && s.Why != nil {
			c.strict(path + ": " + *s.Why)
		}
	}
}

// readViews reads the named NatVis files, and warns of entries that are not used, for example because
// an expression calls a function. A file that cannot be read ends the command, unlike a symbol file:
// the user named it for the values that it shows.
func (c *cli) readViews(files *files, paths []string, views *natvis.Set) error {
	for _, path := range paths {
		src, err := files.source(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		data, err := src.ReadUpTo("NatVis", 0, natvis.MaxFile+1)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := views.Add(path, data); err != nil {
			return err
		}
	}
	for _, note := range views.Notes() {
		c.say(note)
	}
	return nil
}

// unused returns the files that do not match any module of a dump, and remembers them for sayUnused.
func (f *files) unused(modules []module.Module) []report.Unused {
	out := f.store.Unused(modules, func(file string) bool {
		return slices.ContainsFunc(f.symbolPaths, func(p symbolPath) bool { return p.path == file })
	})
	f.dumps++
	for _, u := range out {
		f.misfit(u, 1)
	}
	return out
}

// unread names the symbol servers of the machine, which are not read, once.
func (f *files) unread(c *cli, servers []string) {
	if len(servers) > 0 && !f.saidServers {
		f.saidServers = true
		c.say(render.ServersSentence(servers))
	}
}

// misfit remembers a file that does not match a number of dumps.
func (f *files) misfit(u report.Unused, dumps int) {
	if f.misfits == nil {
		f.misfits = map[string]misfit{}
	}
	f.misfits[u.File] = misfit{u, f.misfits[u.File].dumps + dumps}
}

// join adds the files that another view of the same symbols remembers.
func (f *files) join(other *files) {
	f.dumps += other.dumps
	for _, m := range other.misfits {
		f.misfit(m.Unused, m.dumps)
	}
}

// A misfit is a file that does not match, and the number of dumps that it does not match.
type misfit struct {
	report.Unused
	dumps int
}

// sayUnused names the files that match no dump of the command line.
func (f *files) sayUnused(c *cli) {
	said := 0
	for _, name := range slices.Sorted(maps.Keys(f.misfits)) {
		if m := f.misfits[name]; m.dumps == f.dumps {
			if said++; said <= maxSaid {
				c.say(render.UnusedSentence(&m.Unused))
			}
		}
	}
	if said > maxSaid {
		c.say(fmt.Sprintf("%d more files do not match", said-maxSaid))
	}
}
