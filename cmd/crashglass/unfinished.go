package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// unfinishedMark is between a target's name and the number of the run that writes it. It has this
// program's name, because other programs use names like FILE.1.part.
const unfinishedMark = ".crashglass-"

// createUnfinished creates an unfinished file in the folder of its target, and removes unfinished
// files of killed runs. Errors name the target.
//
// The file is locked while it is written. A later run therefore knows that a file without a lock was
// left. Of two runs that write one target at once, one may fail.
func createUnfinished(path string, mode os.FileMode) (*os.File, error) {
	removeLeft(path)
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s%s%d%s", path, unfinishedMark, os.Getpid()+i, unfinished)
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if err == nil && !keeps(file) {
			file.Close()
			err = os.ErrExist // another run took it for a leftover
		}
		switch {
		case err == nil:
			return file, nil
		case !errors.Is(err, os.ErrExist) || i == maxLinks:
			return nil, &os.PathError{Op: "create", Path: path, Err: cause(err)}
		}
	}
}

// keeps locks a new file, and reports whether its name still belongs to it. Between its creation and
// the lock, another run may have removed it as a leftover.
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

// removeLeft removes the unfinished files of a target that no run is writing. Errors are ignored: the
// files cost room, but no result.
func removeLeft(path string) {
	dir := filepath.Dir(path)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Type().IsRegular() && isLeftOf(filepath.Base(path), e.Name()) {
			removeUnlocked(filepath.Join(dir, e.Name()))
		}
	}
}

// isLeftOf reports whether createUnfinished makes such a name for a target: the name, the mark, digits
// and the suffix, with nothing else.
func isLeftOf(target, name string) bool {
	rest, ours := strings.CutPrefix(name, target+unfinishedMark)
	digits, ends := strings.CutSuffix(rest, unfinished)
	return ours && ends && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// removeUnlocked removes a file unless a run has locked it. Windows does not remove an open file,
// which serves as the lock there, so the file is closed first.
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
