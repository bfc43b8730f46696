package symbols

import (
	"cmp"

	"crashglass/core/base/sorting"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

// maxUnused bounds the files that are named as unused: archives may have thousands.
const maxUnused = 64

// Unused returns the given files that are of no module's build, with the module that each is of another build of, by name.
// Of files that were not named, such as members of an archive, it returns only those of modules without a file. Parts of debug
// information are left out: the files that they belong to find them.
func (s *Store) Unused(modules []module.Module, named func(file string) bool) (out []report.Unused) {
	s.mu.Lock()
	defer s.mu.Unlock()
	used, has := map[string]bool{}, make([]bool, len(modules))
	targets := make([]*target, len(modules))
	for i := range modules {
		targets[i] = targetOf(&modules[i])
		for _, c := range s.identified(candidates(s.files, &modules[i]), &modules[i]) {
			fits := c.fit.good() || s.forced[keyOf(&modules[i])] && c.fit.forcible()
			used[c.name] = used[c.name] || fits
			has[i] = has[i] || fits
		}
	}
	for _, f := range s.files {
		if f.build.Split || f.useless || used[f.name] {
			continue
		}
		used[f.name] = true // a library for several CPUs is one file
		u, closest := report.Unused{File: f.name, ID: f.build.ID}, fitNot
		for i, t := range targets {
			if fit := f.fit(t); fit < closest {
				closest, u.Module, u.Wanted = fit, &i, t.DebugID
			}
		}
		if named(f.name) || u.Module != nil && !has[*u.Module] {
			out = append(out, u)
		}
	}
	sorting.Stable(out, func(a, b report.Unused) int { return cmp.Compare(a.File, b.File) })
	return out[:min(len(out), maxUnused)]
}
