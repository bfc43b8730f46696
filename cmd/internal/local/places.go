package local

import (
	"path"
	"strings"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/symbols/layout"
)

// A place is a row of the table: where files of a module may be.
type place struct {
	place  report.Place
	system string // the only system that has it, "" for any
	slow   bool   // the search takes time
	paths  func(q *query) []string
}

// places has the order of debuggers.
//
// Sources: gdb's manual, "Separate Debug Files"; debuginfod-find(1), "CACHE"; dwz(1); Microsoft's "Advanced SymSrv
// use" and "Symbol path for Windows debuggers"; LLDB's "Symbols on macOS".
var places = []place{
	{place: report.AtRecordedPath, paths: (*query).itself},
	{place: report.BesideIt, paths: (*query).beside},
	{place: report.ByBuildID, paths: (*query).byBuildID},
	{place: report.InDebugFolder, paths: (*query).inDebugFolder},
	{place: report.InDebuginfod, paths: (*query).inDebuginfod},
	{place: report.InSymbolPath, paths: (*query).inSymbolPath},
	{place: report.InSymbolCache, system: "windows", paths: (*query).inSymbolCache},
	{place: report.InXcode, system: "darwin", slow: true, paths: (*query).inXcode},
	{place: report.SpotlightsPlace, system: "darwin", slow: true, paths: (*query).bySpotlight},
}

// A query is a module whose files are searched for.
type query struct {
	machine   *Machine
	module    *module.Module
	path, dir string   // the recorded path and its folder; "" if it cannot be one of this machine
	names     []string // of the library and of its debug file
}

func newQuery(m *Machine, mod *module.Module) *query {
	q := &query{machine: m, module: mod, path: m.recorded(mod.CodeFile)}
	if q.path != "" {
		q.dir = path.Dir(q.path)
	}
	for _, name := range []string{mod.Name(), module.Basename(mod.DebugFile)} {
		if isName(name) && (len(q.names) == 0 || q.names[0] != name) {
			q.names = append(q.names, name)
		}
	}
	return q
}

// recorded returns a recorded path in the form of the machine, or "".
func (m *Machine) recorded(p string) string {
	if m.dir != "" { // a link in one of its files
		p = strings.TrimPrefix(p, m.dir)
	}
	return recorded(m.system, p)
}

// itself is the library, and on Windows its PDB where the linker wrote it.
func (q *query) itself() (out []string) {
	for _, p := range []string{q.path, q.machine.recorded(q.module.DebugFile)} {
		if p != "" {
			out = append(out, p)
		}
	}
	return out
}

// beside are the debug files in the library's folder, in its folder .debug, and in bundles beside it: App.dSYM, and
// App.app.dSYM for App.app/Contents/MacOS/App.
func (q *query) beside() (out []string) {
	if q.path == "" {
		return nil
	}
	out = append(out, q.path+".debug", q.path+".dwp")
	for _, name := range q.names {
		out = append(out, path.Join(q.dir, name), path.Join(q.dir, ".debug", name), path.Join(q.dir, ".debug", name+".debug"))
	}
	const inside = ".dSYM/Contents/Resources/DWARF/"
	out = append(out, q.path+inside+path.Base(q.path))
	for dir := q.dir; len(dir) > 1 && path.Dir(dir) != dir; dir = path.Dir(dir) {
		if layout.IsBundle(path.Base(dir)) {
			out = append(out, dir+inside+path.Base(q.path))
		}
	}
	return out
}

// debugFolder is where distributions install debug files. Debian, Fedora and others use the same one.
const debugFolder = "/usr/lib/debug"

// byBuildID are the paths by build ID below debugFolder and, for libraries of Fedora, below /usr/lib.
func (q *query) byBuildID() (out []string) {
	for _, p := range layout.ByBuildID(q.module) {
		if strings.HasPrefix(p, ".build-id/") {
			out = append(out, debugFolder+"/"+p, "/usr/lib/"+p)
		}
	}
	return out
}

// inDebugFolder are the paths below debugFolder by the library's path, also by the one that it has where /lib is a
// link to /usr/lib.
func (q *query) inDebugFolder() (out []string) {
	if q.path == "" {
		return nil
	}
	other := "/usr" + q.dir
	if rest, ok := strings.CutPrefix(q.dir, "/usr"); ok {
		other = rest
	}
	for _, dir := range []string{q.dir, other} {
		for _, name := range q.names {
			out = append(out, debugFolder+path.Join("/", dir, name+".debug"), debugFolder+path.Join("/", dir, name))
		}
		out = append(out, debugFolder+path.Join("/", dir, path.Base(q.path)+".dwp"))
	}
	return append(out, q.common()...)
}

// common is the file of dwz, which .gnu_debugaltlink names by a path from debugFolder.
func (q *query) common() []string {
	if _, rest, ok := strings.Cut(q.path, "/.dwz/"); ok {
		return []string{debugFolder + "/.dwz/" + rest}
	}
	return nil
}

// inDebuginfod are the paths in the caches of debuginfod's client, of its present and of its first versions.
func (q *query) inDebuginfod() (out []string) {
	env := q.machine.env
	caches := []string{env("DEBUGINFOD_CACHE_PATH")}
	if cache := env("XDG_CACHE_HOME"); cache != "" {
		caches = append(caches, cache+"/debuginfod_client")
	}
	if home := env("HOME"); home != "" {
		caches = append(caches, home+"/.cache/debuginfod_client", home+"/.debuginfod_client_cache")
	}
	for _, cache := range caches {
		for _, p := range layout.ByBuildID(q.module) {
			if !strings.HasPrefix(p, ".") && path.IsAbs(cache) {
				out = append(out, path.Join(cache, p))
			}
		}
	}
	return out
}
