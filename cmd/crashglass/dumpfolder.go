package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"crashglass/symbols/layout"
)

// maxListed bounds how many files of a folder are looked at for dumps.
const maxListed = 1_000_000

// dumpsOf lists the dumps in a folder, in the order of their names. They are
// known by their first bytes; archives are looked into only when their name
// says that they hold a dump, because symbols are compressed, too. What lies in
// the places of a symbol store is passed over.
func (f *files) dumpsOf(folder string) (out []input, err error) {
	listed := 0
	err = fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		listed++
		switch {
		case err != nil && name == ".":
			return cause(err)
		case err != nil:
			return nil // a folder that cannot be listed costs itself
		case listed > maxListed:
			return fs.SkipAll
		case d.IsDir() && passedOver(name):
			return fs.SkipDir
		case d.Type().IsRegular() && isDumpFile(filepath.Join(folder, filepath.FromSlash(name))):
			out = append(out, input{path: filepath.Join(folder, filepath.FromSlash(name))})
		}
		return nil
	})
	return out, err
}

// passedOver reports whether a folder holds no dumps: it is hidden, or that of
// one build in a symbol store.
func passedOver(name string) bool {
	_, _, inStore := layout.StorePlace(name + "/file")
	hidden := strings.HasPrefix(filepath.Base(name), ".") && name != "."
	return inStore || hidden
}

func isDumpFile(path string) bool {
	k, base := kindOf(path), strings.ToLower(filepath.Base(path))
	switch {
	case k.Dump():
		return true
	case !k.Archive():
		return false
	case strings.Contains(base, ".dmp"), strings.Contains(base, ".mdmp"):
		return true
	}
	return coreName(base) && isPackedDump(path)
}

// coreName reports whether a compressed file is called like a core:
// systemd-coredump stores core.PROGRAM.USER.BOOT.PID.TIME.zst. Symbols of a
// library called core may be, too.
func coreName(base string) bool {
	return strings.HasPrefix(base, "core.") || strings.Contains(base, ".core.")
}
