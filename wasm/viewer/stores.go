package main

import (
	"maps"
	"slices"

	"crashglass/symbols/layout"
	"crashglass/wasm/internal/bridge"
)

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
