package demangle

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// outputLimit is maxOutput as the library counts it: a power of two.
const outputLimit = 16

// What the library does not bound itself is bounded by the length of the name:
// it recurses by at most one level for each byte, and a stack that overflows
// cannot be recovered from; and some names of 8 KiB take it a second.
const (
	maxLibraryInput = 8 << 10

	// maxPackWork is how many copies of elements a name's argument packs may
	// cost: each place where a pack is expanded copies it once for each of its
	// elements. A name of 16 KiB with one such place took 42 seconds.
	maxPackWork = 4 << 20
)

// tooMuch refuses a name that could keep the library busy. The elements of a
// pack lie between its J and the last E, and take at least a byte each.
func tooMuch(name string) error {
	if len(name) > maxLibraryInput {
		return fmt.Errorf("demangle: the name is %d bytes long, the limit is %d", len(name), maxLibraryInput)
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

// fromItanium demangles a name of the Itanium C++ ABI, or an older Rust name,
// which looks like one.
//
// Spec: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling
func fromItanium(name string, short bool) (readable string, err error) {
	if isOldRust(name) {
		return fromRust(keepUnderscores(name))
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

// fromRust demangles both kinds of Rust names. The hash in an older one goes:
// it names a build, and no person looks for it.
//
// Spec: https://doc.rust-lang.org/rustc/symbol-mangling/v0.html
func fromRust(name string) (readable string, err error) {
	if err := tooMuch(name); err != nil {
		return "", err
	}
	defer guard(&err)
	readable, err = demangle.ToString(name, demangle.MaxLength(outputLimit))
	if err != nil {
		return "", fmt.Errorf("demangle: %w", err)
	}
	return limited(readable)
}

// limited refuses what the library has cut off: half a name is no name.
func limited(readable string) (string, error) {
	if len(readable) >= maxOutput {
		return "", errors.New("demangle: the readable name is longer than 65535 bytes")
	}
	return readable, nil
}

// guard makes an error of a panic in the library. Its panics are for input
// that it does not expect, and its own recover passes some of them on.
func guard(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("demangle: the library fails on this name: %v", r)
	}
}

// dropResult removes the type that a function template returns: other
// functions' names do not say theirs either.
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
