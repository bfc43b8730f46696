// Package local finds files of this machine that may belong to the modules of a dump: where debuggers look for
// programs, libraries and their debug information.
//
//	store := symbols.NewStore(symbols.Options{Local: local.This()})
//
// Paths come from the dump, whose author may want any file to be opened. Only regular files are opened, and without
// blocking: no device, no pipe, no path of a network, and no path below /proc, /sys or /dev. The store uses a file
// only if it has the module's ID. No text of a dump becomes an argument of a program: Spotlight gets the UUID, whose
// digits are checked.
//
// Read this file first. places.go is the table of places, path.go checks recorded paths, open.go opens files,
// symbolpath.go reads _NT_SYMBOL_PATH, and xcode.go searches a Mac.
package local

import (
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"crashglass/core/process/module"
	"crashglass/core/report"
)

// A Machine implements symbols.Local for this machine or, with At, for a folder with the files of another one.
type Machine struct {
	files  opener
	dir    string                     // the folder of At, without a slash at its end
	system string                     // as runtime.GOOS has it, "" for a folder
	env    func(name string) string   // "" for all variables, for a folder
	search func(uuid string) []string // of Spotlight: paths of bundles
}

// This is the machine that the program runs on.
func This() *Machine { return &Machine{wholeMachine{}, "", runtime.GOOS, os.Getenv, spotlight} }

// At is a machine whose files are in a folder: the root of a container, or a sysroot. Links that lead out of the
// folder are not followed, and nothing outside of it is read, also not the environment.
func At(dir string) (*Machine, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	dir = strings.TrimRight(filepath.ToSlash(dir), "/")
	nothing := func(string) string { return "" }
	return &Machine{below{root, dir}, dir, "", nothing, func(string) []string { return nil }}, nil
}

// Paths implements symbols.Local. Paths in a folder of At begin with the folder's.
func (m *Machine) Paths(mod *module.Module, slow bool) iter.Seq2[string, report.Place] {
	return func(yield func(string, report.Place) bool) {
		q, known := newQuery(m, mod), []string{}
		for _, p := range places {
			if p.slow != slow || p.system != "" && p.system != m.system {
				continue
			}
			for _, path := range p.paths(q) {
				path = m.dir + path
				if slices.Contains(known, path) {
					continue
				}
				known = append(known, path)
				if !yield(path, p.place) {
					return
				}
			}
		}
	}
}
