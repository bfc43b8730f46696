package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Store writes the files of dist in the form of an FS to a folder, which it empties first. The compressed copies beside the files are those
// that the page's build made; copies in other forms are left out. In the end it compares each file with what an FS reads.
func Store(dist fs.FS, folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := each(dist, func(name string) error { return store(dist, name, folder) }); err != nil {
		return err
	}
	made := FS{Stored: os.DirFS(folder)}
	return each(dist, func(name string) error {
		want, err := fs.ReadFile(dist, name)
		if err != nil {
			return err
		}
		got, err := fs.ReadFile(made, name)
		if err == nil && !bytes.Equal(got, want) {
			err = fmt.Errorf("page: %s is stored with %d bytes, and is read with other %d", name, len(want), len(got))
		}
		return err
	})
}

func each(dist fs.FS, do func(name string) error) error {
	return fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || isCopy(name) {
			return err
		}
		return do(name)
	})
}

func store(dist fs.FS, name, folder string) error {
	stored, data, err := storedForm(dist, name)
	if err != nil {
		return err
	}
	path := filepath.Join(folder, filepath.FromSlash(stored))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// isCopy reports whether a file of dist is made of others: compressed copies, and the list of digests.
func isCopy(name string) bool {
	switch path.Ext(name) {
	case ".br", ending, endingOfWasm:
		return true
	}
	return name == "SHA256SUMS"
}

func storedForm(dist fs.FS, name string) (string, []byte, error) {
	if name == viewer {
		data, err := emptied(dist)
		return name + ending, data, err
	}
	if data, err := fs.ReadFile(dist, storedName(name)); err == nil {
		return storedName(name), data, nil
	}
	data, err := fs.ReadFile(dist, name)
	return name, data, err
}

// emptied returns the stored viewer.html: with names in place of the files in it.
func emptied(dist fs.FS) ([]byte, error) {
	whole, err := fs.ReadFile(dist, viewer)
	if err != nil {
		return nil, err
	}
	text := string(whole)
	inside, err := fs.Glob(dist, "assets/*")
	if err != nil {
		return nil, err
	}
	for _, name := range inside {
		data, err := fs.ReadFile(dist, storedName(name))
		if err != nil {
			continue // a file that has no compressed copy, or is one
		}
		text = strings.Replace(text, base64.StdEncoding.EncodeToString(data), hole+name+hole, 1)
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	_, err = w.Write([]byte(text))
	if err == nil {
		err = w.Close()
	}
	return packed.Bytes(), err
}
