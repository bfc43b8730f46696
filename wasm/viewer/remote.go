package main

import (
	"errors"
	"maps"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/symbols/formats"
	"crashglass/symbols/layout"
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

// manyFiles is the number of files at symbol-store paths from which on they are not opened one by
// one, since each costs a call of the browser. Fewer files are identified by content, which says
// more than the path.
const manyFiles = 200

// stores adds files that lie at symbol-store paths, by path, if there are many. It returns which
// files it took.
func (v *viewer) stores(files []bridge.File) map[int]bool {
	taken := map[int]bool{}
	trees := map[string]*layout.Tree{}
	for i, file := range files {
		root, rest, ok := layout.StorePlace(file.Path)
		if !ok {
			continue
		}
		if trees[root] == nil {
			trees[root] = &layout.Tree{}
		}
		if trees[root].Add(rest, sourceOf(file)) {
			taken[i] = true
		}
	}
	if len(taken) < manyFiles {
		return nil
	}
	for _, root := range slices.Sorted(maps.Keys(trees)) {
		v.store.AddFS(root, trees[root])
	}
	return taken
}
