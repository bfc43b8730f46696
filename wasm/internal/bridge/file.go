//go:build js && wasm

package bridge

import (
	"fmt"

	"github.com/hack-pad/safejs"
)

func filesOf(array safejs.Value, cache *Cache) ([]File, error) {
	n, err := array.Length()
	if err != nil {
		return nil, fmt.Errorf("files: %w", err)
	}
	var files []File
	for i := range n {
		object, err := array.Index(i)
		if err != nil {
			return nil, fmt.Errorf("file %d: %w", i, err)
		}
		file, err := fileOf(object, cache)
		if err != nil {
			return nil, fmt.Errorf("file %d: %w", i, err)
		}
		files = append(files, file)
	}
	return files, nil
}

func fileOf(object safejs.Value, cache *Cache) (File, error) {
	path, err := textOf(object, "path")
	if err != nil {
		return File{}, err
	}
	archive, err := textOf(object, "archive")
	if err != nil {
		return File{}, err
	}
	value, err := object.Get("size")
	if err != nil {
		return File{}, err
	}
	// A float: sizes exceed the 32 bits of JavaScript's integer operators.
	size, err := value.Float()
	if err != nil {
		return File{}, fmt.Errorf("size: %w", err)
	}
	fetch := func(p []byte, off int64) error { return read(object, p, off) }
	pages := NewPages(int64(size), cache, fetch)
	if remote, err := object.Get("remote"); err != nil {
		return File{}, err
	} else if is, err := remote.Truthy(); err == nil && is {
		pages = NewRemote(int64(size), fetch)
	}
	// A file of a page that keeps nothing has no such function, and needs none.
	pages.release = func() { _, _ = object.Call("close") }
	return File{Path: path, Archive: archive, Pages: pages}, nil
}

// textOf is a property that is a text, or "" if there is none.
func textOf(object safejs.Value, name string) (string, error) {
	value, err := object.Get(name)
	if err != nil || value.IsUndefined() {
		return "", err
	}
	text, err := value.String()
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}

// read fills p by one call of the object's read(offset, count). It fails if the file was moved or
// changed after the page opened it.
func read(object safejs.Value, p []byte, off int64) error {
	value, err := object.Call("read", float64(off), len(p))
	if err != nil {
		return fmt.Errorf("reading %d bytes at %#x: %w", len(p), off, err)
	}
	if value.IsNull() {
		return ErrNotHere
	}
	n, err := safejs.CopyBytesToGo(p, value)
	if err != nil {
		return fmt.Errorf("reading %d bytes at %#x: %w", len(p), off, err)
	}
	if n != len(p) {
		return fmt.Errorf("reading %d bytes at %#x: have %d", len(p), off, n)
	}
	return nil
}
