package demangle

import (
	"slices"

	"github.com/ianlancetaylor/demangle"
)

// dropEmptyPacks removes expansions of empty packs from argument packs, because the library writes
// a comma for each: std::_Tuple_impl<1, T, >.
func dropEmptyPacks(tree demangle.AST) {
	seen := map[demangle.AST]bool{}
	tree.Traverse(func(a demangle.AST) bool {
		if seen[a] {
			return false
		}
		seen[a] = true
		if pack, ok := a.(*demangle.ArgumentPack); ok {
			pack.Args = slices.DeleteFunc(pack.Args, isEmptyPack)
		}
		return true
	})
}

// isEmptyPack reports whether nothing is written for an argument.
func isEmptyPack(a demangle.AST) bool {
	switch a := a.(type) {
	case *demangle.ArgumentPack:
		return !slices.ContainsFunc(a.Args, func(a demangle.AST) bool { return !isEmptyPack(a) })
	case *demangle.ExprList:
		return len(a.Exprs) == 0
	case *demangle.PackExpansion:
		return a.Pack != nil && isEmptyPack(a.Base)
	}
	return false
}
