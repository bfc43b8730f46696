package main

import (
	"errors"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/symbols/formats"
	"crashglass/wasm/internal/bridge"
)

// needsWhole notes that a remote file is needed as a whole.
func (v *viewer) needsWhole(name string) {
	if !slices.Contains(v.wholes, name) {
		v.wholes = append(v.wholes, name)
	}
}

// whole says that a remote file is complete, or excludes it.
func (c *call) whole(q *WholeRequest) (empty, error) {
	if q.Why == "" {
		c.store.Whole(q.Path)
	} else {
		c.store.Refuse(q.Path, q.Why)
	}
	return empty{}, nil
}

// The missing parts of a remote file arrive later.
func sourceOf(file bridge.File) bin.Source {
	if file.Remote() {
		return bin.NewSource(remoteReader{file}, file.Size())
	}
	return bin.NewSource(file, file.Size())
}

type remoteReader struct{ bridge.File }

// ReadAt implements io.ReaderAt.
func (r remoteReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.File.ReadAt(p, off)
	if errors.Is(err, bridge.ErrNotHere) {
		err = formats.ErrPending
	}
	return n, err
}
