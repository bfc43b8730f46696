package local

import (
	"path"
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

// symbolPath returns the local folders of a symbol path: the parts of "cache*DIR", "srv*DIR*SERVER" and
// "symsrv*DLL*DIR*SERVER", and paths alone. Servers and folders of a network are left out.
func symbolPath(system, value string) (out []string) {
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
			if p == "" {
				p = defaultStore
			}
			if p = recorded(system, p); p != "" {
				out = append(out, p)
			}
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
