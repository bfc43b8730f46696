package demangle

import (
	"slices"
	"strings"
)

// clones are what compilers append to the name of a function that they made
// another one of, mostly with a number: GCC's passes, and LLVM's ThinLTO.
var clones = []string{"cold", "constprop", "isra", "llvm", "localalias", "lto_priv", "part"}

// WithoutClone cuts what compilers appended to a linkage name. Neither DWARF nor
// the .sym files of Mozilla's dump_syms have it.
func WithoutClone(name string) string {
	for {
		rest, last, ok := cutLast(name)
		if ok && strings.Trim(last, "0123456789") == "" {
			rest, last, ok = cutLast(rest)
		}
		if !ok || !slices.Contains(clones, last) {
			return name
		}
		name = rest
	}
}

// copies are those of clones that stand for another function than the one that
// was written: GCC's and LLVM's cold parts, GCC's parts and copies with other
// arguments. The others rename a function.
var copies = []string{".cold", ".constprop.", ".isra.", ".part."}

// Clone is what a compiler appended to the name of a part or a copy of a
// function (".isra.0"), or "".
func Clone(name string) string {
	suffix := name[len(WithoutClone(name)):]
	if suffix == "" || !slices.ContainsFunc(copies, func(c string) bool { return strings.Contains(suffix, c) }) {
		return ""
	}
	return suffix
}

// cutLast cuts a name at its last dot.
func cutLast(name string) (rest, last string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 {
		return name, "", false
	}
	return name[:i], name[i+1:], true
}
