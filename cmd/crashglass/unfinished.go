package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// unfinishedMark stands between a target and the number of the run that writes it. It
// names the program: FILE.1.part is what others call a piece of FILE.
const unfinishedMark = ".crashglass-"

// createUnfinished creates a file in the folder of its target, and removes the
// unfinished files that killed runs left for that target. Errors name the target.
//
// The file is locked while it is written, so that a later run can tell it from one
// that was left. If two runs write one target at once, one of them may fail.
func createUnfinished(path string, mode os.FileMode) (*os.File, error) {
	removeLeft(path)
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s%s%d%s", path, unfinishedMark, os.Getpid()+i, unfinished)
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if err == nil && !keeps(file) {
			file.Close()
			err = os.ErrExist // another run took it for one that was left
		}
		switch {
		case err == nil:
			return file, nil
		case !errors.Is(err, os.ErrExist) || i == maxLinks:
			return nil, &os.PathError{Op: "create", Path: path, Err: cause(err)}
		}
	}
}

// keeps locks a new file, and reports whether it is still the one with its name.
func keeps(file *os.File) bool {
	if !lock(file) {
		return false
	}
	named, err := os.Stat(file.Name())
	if err != nil {
		return false
	}
	mine, err := file.Stat()
	return err == nil && os.SameFile(mine, named)
}

// removeLeft removes the unfinished files of a target that no run writes to.
func removeLeft(path string) {
	dir := filepath.Dir(path)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Type().IsRegular() && isLeftOf(filepath.Base(path), e.Name()) {
			removeUnlocked(filepath.Join(dir, e.Name()))
		}
	}
}

// isLeftOf reports whether a name is one that createUnfinished makes for a target.
func isLeftOf(target, name string) bool {
	rest, ours := strings.CutPrefix(name, target+unfinishedMark)
	digits, ends := strings.CutSuffix(rest, unfinished)
	return ours && ends && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// removeUnlocked removes a file unless a run has locked it. Windows itself does
// not let go of a file that is open.
func removeUnlocked(name string) {
	file, err := os.Open(name)
	if err != nil {
		return
	}
	free := keeps(file)
	if free && removesOpen {
		os.Remove(name)
	}
	file.Close()
	if free && !removesOpen {
		os.Remove(name)
	}
}
