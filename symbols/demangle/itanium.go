package demangle

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// outputLimit is maxOutput as the library counts it: a power of two.
const outputLimit = 16

// The length of the name bounds the library's recursion and time: it recurses at most one level per
// byte, and Go cannot recover from a stack overflow. Some names of 8 KiB take it a second.
const (
	maxLibraryInput = 8 << 10

	// maxPackWork is how many copies of elements a name's argument packs may
	// cost: each place where a pack is expanded copies it once for each of its
	// elements. A name of 16 KiB with one such place took 42 seconds.
	maxPackWork = 4 << 20

	// maxQualifiers is the length of a run of pointers and qualifiers. One of 8 KiB takes a second.
	maxQualifiers = 256
)

// tooMuch refuses a name that could keep the library busy. The elements of a
// pack lie between its J and the last E, and take at least a byte each.
func tooMuch(name string) error {
	if len(name) > maxLibraryInput {
		return fmt.Errorf("demangle: the name is %d bytes long, the limit is %d", len(name), maxLibraryInput)
	}
	if n := longestRun(name, "PROKVr"); n > maxQualifiers {
		return fmt.Errorf("demangle: the name has %d pointers and qualifiers of one type, the limit is %d", n, maxQualifiers)
	}
	first, last := strings.IndexByte(name, 'J'), strings.LastIndexByte(name, 'E')
	if first < 0 || last < first {
		return nil
	}
	places, elements := strings.Count(name, "Dp")+strings.Count(name, "sp"), last-first
	if work := places * elements * elements; work > maxPackWork {
		return fmt.Errorf("demangle: the name may expand argument packs to %d elements, the limit is %d", work, maxPackWork)
	}
	return nil
}

// longestRun is the length of the longest part of a text that has only these letters.
func longestRun(text, letters string) (longest int) {
	run := 0
	for i := range len(text) {
		if run++; strings.IndexByte(letters, text[i]) < 0 {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// fromItanium demangles a name of the Itanium C++ ABI, or an older Rust name,
// which looks like one.
//
// Spec: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling
func fromItanium(name string, short bool) (readable string, err error) {
	if isOldRust(name) {
		return fromOldRust(name)
	}
	if err := tooMuch(name); err != nil {
		return "", err
	}
	defer guard(&err)
	tree, err := toTree(name)
	if err != nil {
		return "", fmt.Errorf("demangle: %w", err)
	}
	if strings.Contains(name, "JE") { // an empty pack
		dropEmptyPacks(tree)
	}
	if short {
		dropResult(tree)
	}
	return limited(demangle.ASTToString(tree, demangle.MaxLength(outputLimit)))
}

// limited refuses names that the library has truncated.
func limited(readable string) (string, error) {
	if len(readable) >= maxOutput {
		return "", errors.New("demangle: the readable name is longer than 65535 bytes")
	}
	return readable, nil
}

// guard turns a panic of the library into an error. The library panics on unexpected input, and its
// own recover passes some panics on.
func guard(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("demangle: the library fails on this name: %v", r)
	}
}

// dropResult removes the result type of a function template, because other functions' names have
// none either.
func dropResult(tree demangle.AST) {
	for {
		switch node := tree.(type) {
		case *demangle.Clone:
			tree = node.Base
		case *demangle.Typed:
			if f, ok := node.Type.(*demangle.FunctionType); ok {
				f.Return = nil
			}
			return
		default:
			return
		}
	}
}

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
