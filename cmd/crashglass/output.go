package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// to calls write with a file, or with standard output.
//
// The file appears when it is complete: it is written under a temporary name in the same folder and
// then renamed. A run that fails leaves an older file as it was. The next run removes the temporary
// file of a run that was killed.
func (c *cli) to(files *files, path string, write func(io.Writer) error) error {
	if path == "" || path == "-" {
		return write(c.out)
	}
	old, err := os.Stat(path)
	switch {
	case err == nil && files.hasRead(old):
		return errIsInput(path)
	case err == nil && !old.Mode().IsRegular(): // /dev/null, or a pipe, perhaps behind a link in /dev
		return writeInto(path, write)
	}
	target := followed(path)
	mode := os.FileMode(0o666)
	if err == nil {
		mode = old.Mode().Perm()
	}
	return replace(target, mode, func(w io.Writer) error {
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
		return err
	}
	return writeAll(file, write)
}

// replace writes a new file in place of an old one. If write fails, the old file stays. Readers of the
// old file are not disturbed, because a rename does not change it.
func replace(path string, mode os.FileMode, write func(io.Writer) error) error {
	file, err := createUnfinished(path, mode)
	if err != nil {
		return err
	}
	if err = writeAll(&holeWriter{file: file}, write); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}

// writeAll writes a file through a buffer. An error on closing counts, because a full disk may show only there.
func writeAll(file io.WriteCloser, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(file, 64<<10)
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	return errors.Join(err, file.Close())
}
