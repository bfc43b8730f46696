package analyze

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"crashglass/core/base/sorting"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

// wanted lists the symbol files that would name more frames. Modules of the crashing thread come
// first, then those with the most frames.
func (a *analysis) wanted(r *report.Report) []report.Wanted {
	byModule := map[int]*report.Wanted{}
	for t := range r.Threads {
		for i := range r.Threads[t].Frames {
			f := &r.Threads[t].Frames[i]
			if f.ModuleIndex == nil || f.Function != nil && !f.Public && !f.UsedAnyway {
				continue
			}
			a.want(byModule, *f.ModuleIndex, r.Threads[t].Crashed)
		}
	}
	out := []report.Wanted{}
	for _, i := range sortedKeys(byModule) {
		out = append(out, *byModule[i])
	}
	sorting.Stable(out, func(x, y report.Wanted) int {
		switch {
		case x.Crashing != y.Crashing && x.Crashing:
			return -1
		case x.Crashing != y.Crashing:
			return 1
		}
		return cmp.Compare(y.Frames, x.Frames)
	})
	return out
}

// want counts a frame that has no name yet. It does not count a frame whose matching symbols have
// no name for it, or are still being read.
func (a *analysis) want(byModule map[int]*report.Wanted, index int, crashing bool) {
	mod := &a.modules.Modules()[index]
	state := a.lookup.of(mod).state
	if state.State == report.SymbolsMatched || state.State == report.SymbolsReading {
		return
	}
	w := byModule[index]
	if w == nil {
		w = &report.Wanted{
			Module: index, DebugFile: module.Basename(mod.DebugFile), DebugID: mod.DebugID,
			CodeFile: mod.Name(), CodeID: mod.CodeID, Paths: storePaths(a.os, mod),
			State: state.State, Why: state.Why,
		}
		byModule[index] = w
	}
	w.Frames++
	w.Crashing = w.Crashing || crashing
}

// storePaths returns the paths of a module's files in symbol stores: Breakpad's layout first, then
// the system's native one. Names and ids come from the dump, and the paths are joined to folders
// and addresses. So a name that would lead out of the store gives no path.
//
// Breakpad: NAME/ID/NAME.sym, where .pdb is replaced (SimpleSymbolSupplier).
// Microsoft: https://learn.microsoft.com/windows-hardware/drivers/debugger/symstore-folder-tree
// debuginfod: https://sourceware.org/elfutils/Debuginfod.html
func storePaths(os process.OS, mod *module.Module) []string {
	paths := []string{}
	add := func(parts ...string) {
		if !slices.ContainsFunc(parts, unsafePart) {
			paths = append(paths, strings.Join(parts, "/"))
		}
	}
	debug, code := module.Basename(mod.DebugFile), mod.Name()
	if id := mod.DebugID; strings.Trim(id, "0") != "" && debug != "" {
		stem := debug
		if n := len(stem) - len(".pdb"); n > 0 && strings.EqualFold(stem[n:], ".pdb") {
			stem = stem[:n]
		}
		add(debug, id, stem+".sym")
		if os.IsWindows() {
			add(debug, id, debug)
		}
	}
	build := mod.BuildID()
	switch {
	case os.IsWindows() && mod.CodeID != "":
		add(code, imageID(mod.CodeID), code)
	case os.IsLinux() && build != "":
		add("buildid", build, "debuginfo")
		add("buildid", build, "executable")
	}
	return paths
}

// maxPart is the limit of all systems for a name in a path.
const maxPart = 255

// unsafePart reports whether a name may not be part of a path. It would leave its folder, name a
// drive or a stream of a file, or look like another name (a line feed, a mark that changes the
// direction of writing).
func unsafePart(name string) bool {
	return name == "" || name == "." || name == ".." || len(name) > maxPart || !utf8.ValidString(name) ||
		strings.ContainsAny(name, `/\:`) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
}

// imageID formats a PE's id as symstore does: the time stamp in upper case, the image size in lower
// case.
func imageID(codeID string) string {
	const stamp = 8
	if len(codeID) <= stamp {
		return codeID
	}
	return strings.ToUpper(codeID[:stamp]) + codeID[stamp:]
}
