package local

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"crashglass/symbols/layout"
)

// inSymbolPath are the paths in the local folders of _NT_SYMBOL_PATH.
func (q *query) inSymbolPath() (out []string) {
	for _, dir := range symbolPath(q.machine.system, q.machine.env("_NT_SYMBOL_PATH")) {
		out = append(out, q.inStore(dir)...)
	}
	return out
}

// defaultStore is the store of a srv* without a folder.
const defaultStore = "C:/ProgramData/Dbg/sym"

// symbolPath returns the local folders of a symbol path. Servers and folders of a network are left out.
func symbolPath(system, value string) (out []string) {
	for _, p := range elements(value) {
		if p = recorded(system, p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// Servers returns the symbol servers and the folders of a network that a symbol path names, which are never read. What may be a password in an
// address is left out.
func Servers(value string) (out []string) {
	for _, p := range elements(value) {
		scheme, rest, url := strings.Cut(p, "://")
		switch {
		case url:
			host, file, _ := strings.Cut(rest, "/")
			host = host[strings.LastIndexByte(host, '@')+1:]
			file, _, _ = strings.Cut(file, "?")
			p = strings.TrimSuffix(scheme+"://"+host+"/"+file, "/")
		case !strings.HasPrefix(p, `\\`):
			continue
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// elements returns the folders and servers of a symbol path: the parts of "cache*DIR", "srv*DIR*SERVER" and
// "symsrv*DLL*DIR*SERVER", and paths alone.
func elements(value string) (out []string) {
	for element := range strings.SplitSeq(value, ";") {
		parts := strings.Split(strings.TrimSpace(element), "*")
		switch first := strings.ToLower(parts[0]); {
		case len(parts) == 1:
		case first == "cache", first == "srv":
			parts = parts[1:]
		case first == "symsrv" && len(parts) > 2:
			parts = parts[2:]
		default:
			continue
		}
		for _, p := range parts {
			out = append(out, cmp.Or(p, defaultStore))
		}
	}
	return out
}

// inSymbolCache are the paths in the default stores of WinDbg and Visual Studio.
func (q *query) inSymbolCache() (out []string) {
	dirs := []string{defaultStore, "C:/Symbols"}
	for _, name := range []string{"TEMP", "LOCALAPPDATA"} {
		if dir := recorded(q.machine.system, q.machine.env(name)); dir != "" {
			dirs = append(dirs, dir+"/SymbolCache", dir+"/Temp/SymbolCache")
		}
	}
	for _, dir := range dirs {
		out = append(out, q.inStore(dir)...)
	}
	return out
}

// inStore are the paths of a module's files in one folder: in a symbol store of one or two tiers, also compressed by
// symstore, or in the folder itself.
func (q *query) inStore(dir string) (out []string) {
	ids := []string{q.module.DebugID, q.module.CodeID, strings.ToUpper(q.module.CodeID)}
	for _, name := range q.names {
		out = append(out, path.Join(dir, name))
		for _, root := range layout.Roots(q.module) {
			for _, id := range ids {
				if path.Base(root) == name && layout.IsBuild(id) {
					out = append(out, path.Join(dir, root, id, name), path.Join(dir, root, id, name[:len(name)-1]+"_"))
				}
			}
		}
	}
	return out
}
