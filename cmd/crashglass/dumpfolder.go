package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"crashglass/symbols/layout"
)

// maxListed bounds how many files of a folder are searched for dumps. A user may name the root of a
// file system by mistake.
const maxListed = 1_000_000

// dumpsOf lists the dumps in a folder, sorted by name. It recognizes them by their first bytes. An
// archive is opened only if its name says that it holds a dump, because symbols are compressed,
// too. Folders of a symbol store are skipped. It looks at the first most files and folders. If there
// are more, or if a folder cannot be listed, it returns an error besides the dumps.
func dumpsOf(folder string, most int) (out []input, left error) {
	listed := 0
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		listed++
		switch {
		case err != nil && name == ".":
			return cause(err)
		case err != nil:
			left = cmp.Or(left, fmt.Errorf("%s in it cannot be listed: %w", name, cause(err)))
			return nil
		case listed > most:
			left = fmt.Errorf("only the first %d files and folders in it were searched: name its folders one by one", most)
			return fs.SkipAll
		case d.IsDir() && skipped(name):
			return fs.SkipDir
		case d.Type().IsRegular() && isDumpFile(filepath.Join(folder, filepath.FromSlash(name))):
			out = append(out, input{path: filepath.Join(folder, filepath.FromSlash(name))})
		}
		return nil
	})
	return out, cmp.Or(err, left)
}

// skipped reports whether a folder is skipped: it is hidden, or it belongs to one build in a
// symbol store.
func skipped(name string) bool {
	_, _, inStore := layout.StorePlace(name + "/file")
	hidden := strings.HasPrefix(filepath.Base(name), ".") && name != "."
	return inStore || hidden
}

// Archives are opened only if their name says so, because folders of symbols have many archives.
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

// coreName reports whether a compressed file has the name of a core: systemd-coredump stores
// core.PROGRAM.USER.BOOT.PID.TIME.zst. Symbols of a library called core may have such a name, too.
func coreName(base string) bool {
	return strings.HasPrefix(base, "core.") || strings.Contains(base, ".core.")
}
