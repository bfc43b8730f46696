// Package page keeps the built page inside the program in one form: each file is compressed, or as it is
// where compression saves nothing. viewer.html repeats the other files, so it has their names in place of
// their contents. The page's WebAssembly is kept as the page loads it, folded and in xz.
package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"crashglass/symbols/archives/decompress"
)

// viewer is the page as one file.
const viewer = "viewer.html"

// hole stands before and behind the name of a compressed file in the stored viewer.html. Its text has none.
const hole = "\x00"

// Endings of stored files that are compressed: WebAssembly, and others.
const (
	endingOfWasm = ".xz"
	ending       = ".gz"
)

func isWasm(name string) bool { return path.Ext(name) == ".wasm" }

// storedName returns the name of a compressed file as it is stored.
func storedName(name string) string {
	if isWasm(name) {
		return name + endingOfWasm
	}
	return name + ending
}

// An FS has the files of the page, unpacked, over the stored ones.
type FS struct {
	Stored   fs.FS
	Programs *Programs // nil to unpack them each time
}

// Programs keeps WebAssembly that was unpacked, which takes a second and tens of megabytes each time.
type Programs struct {
	mu   sync.Mutex
	kept map[string][]byte // by name
}

// of returns a program, which unpack makes the first time.
func (p *Programs) of(name string, unpack func() ([]byte, error)) ([]byte, error) {
	if p == nil {
		return unpack()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if data, ok := p.kept[name]; ok {
		return data, nil
	}
	data, err := unpack()
	if err == nil {
		if p.kept == nil {
			p.kept = map[string][]byte{}
		}
		p.kept[name] = data
	}
	return data, err
}

// Packed returns the gzip form of a file, if it is stored in this form and is the whole file.
func (p FS) Packed(name string) (data []byte, ok bool) {
	if name == viewer || path.Ext(name) == ending {
		return nil, false
	}
	data, err := fs.ReadFile(p.Stored, name+ending)
	return data, err == nil
}

// Open opens a file. The stored form of a compressed one has no name of its own.
func (p FS) Open(name string) (fs.File, error) {
	if path.Ext(name) == ending {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	stored, err := fs.ReadFile(p.Stored, storedName(name))
	if err != nil {
		return p.Stored.Open(name)
	}
	data, err := p.unpacked(name, stored)
	if err != nil {
		return nil, &fs.PathError{Op: "unpack", Path: name, Err: err}
	}
	return &file{bytes.NewReader(data), path.Base(name)}, nil
}

func (p FS) unpacked(name string, stored []byte) ([]byte, error) {
	if isWasm(name) {
		return p.Programs.of(name, func() ([]byte, error) { return program(stored) })
	}
	r, err := gzip.NewReader(bytes.NewReader(stored))
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	if err != nil || name != viewer {
		return data, err
	}
	return p.filled(string(data))
}

// program returns the page's WebAssembly from the form in which it is stored.
func program(stored []byte) ([]byte, error) {
	r, err := decompress.Xz(bytes.NewReader(stored))
	if err != nil {
		return nil, err
	}
	folded, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return unfold(folded)
}

// filled puts the contents of files where the stored viewer.html has their names.
func (p FS) filled(stored string) ([]byte, error) {
	var whole []byte
	for i, part := range strings.Split(stored, hole) {
		if i%2 == 0 {
			whole = append(whole, part...)
			continue
		}
		data, err := fs.ReadFile(p.Stored, storedName(part))
		if err != nil {
			return nil, err
		}
		whole = base64.StdEncoding.AppendEncode(whole, data)
	}
	return whole, nil
}

// A file is an unpacked file and its own description.
type file struct {
	*bytes.Reader
	name string
}

func (f *file) Stat() (fs.FileInfo, error) { return f, nil }
func (f *file) Close() error               { return nil }
func (f *file) Name() string               { return f.name }
func (f *file) Mode() fs.FileMode          { return 0o444 }
func (f *file) ModTime() time.Time         { return time.Time{} }
func (f *file) IsDir() bool                { return false }
func (f *file) Sys() any                   { return nil }
