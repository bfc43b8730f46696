package analyze

import (
	"cmp"
	"maps"
	"slices"
)

// ptr makes an optional field of a value.
func ptr[T any](v T) *T { return &v }

// some makes an optional field of a string; an empty one is missing.
func some(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// sortedKeys returns the keys of a map in order, so that reports do not depend on Go's order of
// maps.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
