package dwarf

import (
	"slices"
	"strings"
)

// isMangled reports whether a name is one of linkers: of C++, D, Rust or Swift.
func isMangled(name string) bool {
	for _, prefix := range []string{"_Z", "__Z", "_R", "_D", "?", "$s", "_$s", "$S", "_$S", "_T0"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// clones are what compilers append to the name of a function that they made
// another one of, mostly with a number: GCC's passes, and LLVM's ThinLTO.
var clones = []string{"cold", "constprop", "isra", "llvm", "localalias", "lto_priv", "part"}

// withoutClone cuts what compilers appended. What DWARF says has none of it.
func withoutClone(name string) string {
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

// cutLast cuts a name at its last dot.
func cutLast(name string) (rest, last string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 {
		return name, "", false
	}
	return name[:i], name[i+1:], true
}
