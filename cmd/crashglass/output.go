package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// to calls write with a file, or with standard output.
//
// The file appears when it is complete: it is written under a temporary name in the same folder and
// then renamed. A run that fails leaves an older file as it was. The next run removes the temporary
// file of a run that was killed.
//
// An error of the file is an outputError, and not one of what write reads.
func (c *cli) to(files *files, path string, write func(io.Writer) error) error {
	if path == "" || path == "-" {
		return write(&output{c.out, standardOutput})
	}
	old, err := os.Stat(path)
	switch {
	case err == nil && files.hasRead(old):
		return errIsInput(path)
	case err == nil && !old.Mode().IsRegular(): // /dev/null, or a pipe, perhaps behind a link in /dev
		return writeInto(path, write)
	case err != nil && !errors.Is(err, fs.ErrNotExist): // a loop of links, for instance
		return failedOutput(path, err)
	}
	return replace(path, old, func(w io.Writer) error {
		if err := write(w); err != nil {
			return err
		}
		// Files of folders are opened while write runs.
		if old != nil && files.hasRead(old) {
			return errIsInput(path)
		}
		return nil
	})
}

// toFile is to for data that is complete.
func (c *cli) toFile(files *files, path string, data []byte) error {
	return c.to(files, path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// standardOutput is its name in errors.
const standardOutput = "standard output"

type outputError struct {
	name string
	err  error
}

func (e *outputError) Error() string { return e.name + ": " + e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// failedOutput returns an outputError for an error, or nil for none.
func failedOutput(name string, err error) error {
	if err == nil || errors.As(err, new(*outputError)) {
		return err
	}
	return &outputError{name, cause(err)}
}

// An output is a named writer, whose errors are outputErrors.
type output struct {
	io.Writer
	name string
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	return n, failedOutput(o.name, err)
}

// errIsInput refuses to overwrite a file that is being read.
func errIsInput(path string) error {
	return fmt.Errorf("%s is also an input: name another file with -o", path)
}

// maxLinks bounds a chain of links, as systems do.
const maxLinks = 40

// followed returns the file at the end of a chain of links, which need not exist. A rename would
// replace a link by a file, and leave the file behind the link as it was.
func followed(path string) string {
	for range maxLinks {
		next, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(path), next)
		}
		path = next
	}
	return path
}

// writeInto writes to an existing file that is not a regular one, such as a named pipe or /dev/null.
func writeInto(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return failedOutput(path, err)
	}
	return writeAll(path, file, write)
}

// replace writes a new file in place of an old one, which is nil if there is none. If write fails, the
// old file stays. Readers of the old file are not disturbed, because a rename does not change it.
func replace(path string, old fs.FileInfo, write func(io.Writer) error) error {
	target, mode := followed(path), os.FileMode(0o666)
	if old != nil {
		mode = old.Mode().Perm()
	}
	file, err := createUnfinished(target, mode)
	if err != nil {
		return failedOutput(path, err)
	}
	if old != nil {
		err = likeOld(file, old)
	}
	if err == nil {
		err = writeAll(path, &holeWriter{file: file}, write)
	} else {
		err = failedOutput(path, errors.Join(err, file.Close()))
	}
	if err == nil {
		err = failedOutput(path, os.Rename(file.Name(), target))
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}

// likeOld gives a new file the owner and the mode of the one that it replaces. The umask does not apply:
// it is for files that are not there yet. If this user may not give the file to the old group, the
// group may do what all others may.
func likeOld(file *os.File, old fs.FileInfo) error {
	mode := old.Mode().Perm()
	if !giveTo(file, old) {
		mode = mode&^0o070 | mode&0o007<<3
	}
	return file.Chmod(mode)
}

// writeAll writes a file through a buffer. An error on closing counts, because a full disk may show only there.
func writeAll(name string, file io.WriteCloser, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(&output{file, name}, 64<<10)
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	if closed := file.Close(); err == nil {
		err = failedOutput(name, closed)
	}
	return err
}
