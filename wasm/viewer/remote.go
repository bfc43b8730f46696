package main

import (
	"errors"
	"slices"

	"crashglass/core/bin"
	"crashglass/symbols/formats"
	"crashglass/wasm/internal/bridge"
)

// needsWhole notes that parts of a remote file do not do.
func (v *viewer) needsWhole(name string) {
	if !slices.Contains(v.wholes, name) {
		v.wholes = append(v.wholes, name)
	}
}

// sourceOf is a file as the packages below read it. What of a remote one is not
// there yet comes later.
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
		err = formats.ErrLater
	}
	return n, err
}
