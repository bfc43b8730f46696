package demangle

import (
	"slices"
	"strings"
)

// suffixes are appended by compilers to the name of a function that they copied, split or renamed,
// usually with a number: GCC's passes, and LLVM's ThinLTO.
var suffixes = []string{"cold", "constprop", "isra", "llvm", "localalias", "lto_priv", "part"}

// WithoutSuffix removes what compilers appended to a linkage name. Neither DWARF nor
// the .sym files of Mozilla's dump_syms have it.
func WithoutSuffix(name string) string {
	for {
		rest, last, ok := cutLast(name)
		if ok && strings.Trim(last, "0123456789") == "" {
			rest, last, ok = cutLast(rest)
		}
		if !ok || !slices.Contains(suffixes, last) {
			return name
		}
		name = rest
	}
}

// copies are the suffixes of a part or a copy of a function: GCC's and LLVM's cold
// parts, GCC's parts and copies with other arguments. Other suffixes rename a
// function.
var copies = []string{".cold", ".constprop.", ".isra.", ".part."}

// CopySuffix is what a compiler appended to the name of a part or a copy of a
// function (".isra.0"), or "".
func CopySuffix(name string) string {
	suffix := name[len(WithoutSuffix(name)):]
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
