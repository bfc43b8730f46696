package main

import (
	"fmt"
	"io"
	"os"

	"crashglass/core/base/bin"
	"crashglass/symbols/archives/archive"
)

// maxSpool bounds the bytes taken from a pipe, which stay on the disk until the end of the run.
const maxSpool = 16 << 30

// standardInput returns standard input as a file: the file that it was redirected from, or a copy
// of the pipe's bytes.
func (f *files) standardInput() (bin.Source, error) {
	// Stat fails for some handles, such as Wine's handle of a redirected file. Such a handle is
	// read like a pipe.
	if info, err := os.Stdin.Stat(); err == nil && info.Mode().IsRegular() {
		f.read = append(f.read, info)
		return bin.NewSource(os.Stdin, info.Size()), nil
	}
	if isTerminal(os.Stdin) {
		return bin.Source{}, fmt.Errorf("standard input is a terminal: name a file, or pipe a dump in")
	}
	return f.spool(os.Stdin)
}

// nameless creates a file on the disk that is removed when the program ends, even if it is killed:
// the name is removed at once. A dump must not stay in a shared folder for temporary files.
func (f *files) nameless() (*os.File, error) {
	file, err := os.CreateTemp("", "crashglass-*"+unfinished)
	if err != nil {
		return nil, err
	}
	if os.Remove(file.Name()) != nil { // Windows keeps the names of open files
		f.temporary = append(f.temporary, file.Name())
	}
	return file, nil
}

// openScratch opens the file for decompressed data that is too large for memory. A store opens it
// once, and writes one dump after the other into it.
func (f *files) openScratch() (archive.Scratch, error) {
	file, err := f.nameless()
	if err != nil {
		return nil, err
	}
	f.scratch = file
	return file, nil
}

// spool copies a pipe into a nameless file, because readers seek and a pipe can be read only once.
func (f *files) spool(pipe io.Reader) (bin.Source, error) {
	file, err := f.nameless()
	if err != nil {
		return bin.Source{}, err
	}
	f.open = append(f.open, file)
	n, err := io.Copy(file, io.LimitReader(pipe, maxSpool+1))
	switch {
	case err != nil:
		return bin.Source{}, cause(err)
	case n > maxSpool:
		return bin.Source{}, fmt.Errorf("more than %d GiB came through this pipe: save them to a file, and pass its path", maxSpool>>30)
	}
	return bin.NewSource(file, n), nil
}
