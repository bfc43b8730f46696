package variables

import (
	"cmp"
	"slices"
)

// A Block is the lexical block of its scope that a variable is in. The zero
// value is the body of the function.
type Block struct {
	Depth int    // the nesting depth of the block
	Line  uint32 // the block's first line; 0 when it is unknown
}

// Arrange sorts the variables of a scope for display: arguments first, then by depth of block,
// otherwise stable.
func Arrange(list []Variable) {
	slices.SortStableFunc(list, func(a, b Variable) int {
		if a.Argument != b.Argument {
			return map[bool]int{true: -1, false: 1}[a.Argument]
		}
		return cmp.Compare(a.Block.Depth, b.Block.Depth)
	})
}

// hidden returns the variables that one with the same name in an inner block hides.
func hidden(list []Variable) []bool {
	deepest := make(map[string]int, len(list))
	for i := range list {
		deepest[list[i].Name] = max(deepest[list[i].Name], list[i].Block.Depth)
	}
	out := make([]bool, len(list))
	for i := range list {
		out[i] = list[i].Block.Depth < deepest[list[i].Name]
	}
	return out
}
