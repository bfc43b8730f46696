package main

import (
	"maps"
	"slices"

	"crashglass/symbols/layout"
	"crashglass/wasm/internal/bridge"
)

// manyFiles is how many files in the places of a symbol store are no longer
// looked at one by one: each is a call of the browser's. Of fewer the content
// says more than the place.
const manyFiles = 200

// stores gives what lies in the places of symbol stores to the store by its
// path, if that is much, and returns which of the files it were.
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
