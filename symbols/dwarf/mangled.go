package dwarf

import "strings"

// isMangled reports whether a name is a mangled one of C++, D, Rust or Swift.
func isMangled(name string) bool {
	for _, prefix := range []string{"_Z", "__Z", "_R", "_D", "?", "$s", "_$s", "$S", "_$S", "_T0"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
