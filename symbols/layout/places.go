// Package layout knows the paths under which people and programs keep symbol files: the stores of
// Microsoft and Breakpad, gdb's and debuginfod's folders by build id, dSYM bundles, and files in
// one place.
//
//	for _, root := range layout.Roots(m) { // "app.pdb", "ap/app.pdb"
//		for _, name := range layout.SymbolNames(m) { // root/ID/name
//
// It makes paths and opens no files. A name from a dump becomes part of a path only if it is a
// single file name. Read places.go first, which makes paths from a module and the reverse;
// tree.go makes a folder of files that a browser passes one by one.
package layout

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"crashglass/core/process/module"
)

// Roots are the folders in which a store keeps all builds of a module: Microsoft's "SymStore", of
// one tier and of two.
func Roots(m *module.Module) (out []string) {
	for _, name := range []string{module.Basename(m.DebugFile), m.Name()} {
		if safeName(name) {
			out = append(out, name, name[:min(2, len(name))]+"/"+name) // the latter in a symstore with index2.txt in its root
		}
	}
	return out
}

// SymbolNames are the names that a module's symbol file may have. Breakpad's
// SimpleSymbolSupplier replaces .pdb by .sym and otherwise appends it.
func SymbolNames(m *module.Module) (out []string) {
	for _, name := range []string{module.Basename(m.DebugFile), m.Name()} {
		if !safeName(name) {
			continue
		}
		short := name
		for _, ending := range []string{".pdb", ".exe", ".dll"} {
			if n := len(name) - len(ending); n > 0 && strings.EqualFold(name[n:], ending) {
				short = name[:n]
			}
		}
		out = append(out, short+".sym", name+".sym")
	}
	return out
}

// Place is the path of a module's symbol file in Breakpad's stores, or "" if its name cannot be
// part of a path, or if it has no ID.
func Place(m *module.Module) string {
	name, names := module.Basename(m.DebugFile), SymbolNames(m)
	if !safeName(name) || !safeName(m.DebugID) || len(names) == 0 {
		return ""
	}
	return name + "/" + m.DebugID + "/" + names[0]
}

// safeName reports whether a name from a dump may become part of a path.
func safeName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\\x00")
}

// NativeNames are the possible names of a module's own files: of its debug file, of the module, of its split DWARF, and
// of the links to a versioned library. Linkers and people use a link, and the process has the name of the file:
// libstdc++.so.6 is libstdc++.so.6.0.30.
func NativeNames(m *module.Module) (out []string) {
	for _, name := range []string{module.Basename(m.DebugFile), m.Name()} {
		if safeName(name) {
			out = append(out, name, name+".debug", name+".dwp", name+".dSYM/Contents/Resources/DWARF/"+name)
		}
	}
	for name := m.Name(); safeName(name) && strings.Contains(name, ".so."); {
		name = name[:strings.LastIndexByte(name, '.')]
		out = append(out, name)
	}
	return out
}

// ByBuildID are the paths of files by the build ID of an ELF or the UUID of a Mach-O: by gdb (its
// manual, "Separate Debug Files") and by debuginfod, in a server's paths and in a client's cache.
func ByBuildID(m *module.Module) (out []string) {
	id := strings.ToLower(m.BuildID())
	if len(id) < 4 || strings.Trim(id, "0123456789abcdef") != "" {
		return nil
	}
	for _, dir := range []string{"", "buildid/"} {
		out = append(out, dir+id+"/debuginfo", dir+id+"/executable")
	}
	return append(out, ".build-id/"+id[:2]+"/"+id[2:]+".debug", ".build-id/"+id[:2]+"/"+id[2:])
}

// Packed are the names that a file may have when it is compressed, and
// its own. symstore /compress makes a cabinet and replaces the last letter.
func Packed(name string) []string {
	return []string{name, name + ".gz", name + ".zst", name + ".xz", name[:len(name)-1] + "_"}
}

// StorePlace divides the path of a file in a symbol store, ROOT/NAME/ID/FILE, into the root and the
// rest. It recognizes such a path by the ID: a debug ID, or the time stamp and size of an image.
func StorePlace(name string) (root, rest string, ok bool) {
	parts := strings.Split(name, "/")
	n := len(parts) - 3
	if n < 0 || !fs.ValidPath(name) || !IsBuild(parts[n+1]) {
		return "", "", false
	}
	return strings.Join(parts[:n], "/"), strings.Join(parts[n:], "/"), true
}

// Lengths of an ID in hexadecimal digits: a time stamp and a size of one digit, up to a GUID and an
// age of eight digits.
const (
	shortestID = 9
	longestID  = 32 + 8
)

// IsBuild reports whether the name of a folder is an ID, so that its files are of one build.
func IsBuild(s string) bool {
	return len(s) >= shortestID && len(s) <= longestID && strings.Trim(strings.ToLower(s), "0123456789abcdef") == ""
}

// bundleDirs are the names of folders around bundles and inside of them. Bundles themselves have the
// endings of bundleEndings.
var (
	bundleDirs = []string{"contents", "resources", "dwarf", "macos", "dsyms", "bcsymbolmaps", "products", "applications", "frameworks",
		"plugins", "library", "versions", "a", "current"}
	bundleEndings = []string{".dsym", ".xcarchive", ".app", ".appex", ".framework", ".xcframework", ".bundle", ".xpc", ".kext"}
)

// uuidDigits is the length of a UUID without dashes.
const uuidDigits = 32

// UUID is the UUID that a file or folder is named by, or "".
func UUID(name string) string {
	id := strings.ToUpper(strings.ReplaceAll(strings.TrimSuffix(name, path.Ext(name)), "-", ""))
	if len(id) != uuidDigits || strings.Trim(id, "0123456789ABCDEF") != "" {
		return ""
	}
	return id
}

// IsBundle reports whether a folder has the ending of a bundle.
func IsBundle(name string) bool {
	return slices.Contains(bundleEndings, path.Ext(strings.ToLower(name)))
}

// IsBundleDir reports whether a folder has the name of a bundle, of a part of one, or of a folder
// that bundles are in.
func IsBundleDir(name string) bool {
	lower := strings.ToLower(name)
	return slices.Contains(bundleDirs, lower) || IsBundle(name) || strings.Contains(name, "-") && UUID(name) != "" ||
		strings.HasPrefix(lower, "ios-") || strings.HasPrefix(lower, "macos-") || strings.HasPrefix(lower, "tvos-")
}
