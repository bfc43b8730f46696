package local

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// An opener opens files of a machine.
type opener interface {
	stat(path string) (fs.FileInfo, error)
	open(path string) (*os.File, error)
	glob(pattern string) []string
}

var errNotRegular = errors.New("not a regular file")

// Open implements fs.FS: it opens a regular file. The file is checked twice: before it is opened, because opening a
// device can have an effect, and afterwards, because it may have been replaced.
func (m *Machine) Open(path string) (fs.File, error) {
	info, err := m.files.stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	if err != nil {
		return nil, err
	}
	file, err := m.files.open(path)
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// wholeMachine opens any path.
type wholeMachine struct{}

func (wholeMachine) stat(path string) (fs.FileInfo, error) {
	if !localDrive(path) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrInvalid}
	}
	return os.Stat(path)
}
func (wholeMachine) open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
}
func (wholeMachine) glob(pattern string) []string {
	found, _ := filepath.Glob(pattern) // the only error is about the pattern, which is ours
	return found
}

// below opens paths below a folder, which begin with the folder's. os.Root follows no link out of it.
type below struct {
	root *os.Root
	dir  string
}

func (b below) name(path string) string {
	return strings.TrimLeft(strings.TrimPrefix(path, b.dir), "/")
}
func (b below) stat(path string) (fs.FileInfo, error) { return b.root.Stat(b.name(path)) }
func (b below) open(path string) (*os.File, error) {
	return b.root.OpenFile(b.name(path), os.O_RDONLY|nonBlocking, 0)
}
func (b below) glob(string) []string { return nil } // only this machine's own folders are searched
