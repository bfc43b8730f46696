package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"crashglass/core/module"
	"crashglass/core/report"
	"crashglass/symbols"
)

// maxSaid bounds the lines about members of one archive.
const maxSaid = 20

// A given path is one that the command line gives symbols by.
type given struct {
	path string // as reports begin the names of its files
	used bool   // a module is of the build of one of its files, or dumps came from it
	why  string // why it is no use, when that is known from the start
}

// addSymbols takes the paths of --symbols. One that is no use does not stop the
// others, because a report without symbols is better than none; one that is
// not there is probably a mistake, and costs exit status 1.
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
		f.take(c, path, items)
	}
}

// addFolder gives a folder to the store, which opens what is asked for.
func (f *files) addFolder(path string) {
	name := strings.TrimRight(filepath.ToSlash(path), "/")
	f.given = append(f.given, given{path: name})
	f.store.AddFS(name, recorded{os.DirFS(path), f})
}

// take notes a symbol file, and says what is wrong with it.
func (f *files) take(c *cli, path string, items []symbols.Item) {
	n := given{path: filepath.ToSlash(path)}
	said := 0
	for _, item := range items {
		if item.Message != "" && said < maxSaid {
			c.warn(item.Name, item.Message)
			said++
		}
	}
	if !slices.ContainsFunc(items, func(i symbols.Item) bool { return i.Use == symbols.IsSymbols }) {
		n.why = "has no symbols"
	}
	f.given = append(f.given, n)
}

// fitting notes which of the named paths have symbols for the modules of a dump.
func (f *files) fitting(modules []module.Module) {
	for i := range modules {
		for _, name := range f.store.Fits(&modules[i]) {
			for n := range f.given {
				path := f.given[n].path
				f.given[n].used = f.given[n].used || name == path || strings.HasPrefix(name, path+"/")
			}
		}
	}
}

// strictly says what --strict does not forgive of symbols, and makes it the
// exit status: paths that fit no module of any dump.
func (f *files) strictly(c *cli) {
	for _, n := range f.given {
		switch {
		case n.why != "":
			c.strict(n.path + " " + n.why)
		case !n.used:
			c.strict(n.path + " has no symbols for a module of these dumps")
		}
	}
}

// strict says what is not forgiven. A file that gave no result weighs more.
func (c *cli) strict(what string) {
	c.say("strict: " + what)
	if c.status == exitOK {
		c.status = exitStrict
	}
}

// damaged says what --strict does not forgive of one report: parts of the dump
// that are damaged or not there, and symbols that are.
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
