package dwarf

import "strings"

// isMangled reports whether a name is one of linkers: of C++, D or Rust.
func isMangled(name string) bool {
	for _, prefix := range []string{"_Z", "__Z", "_R", "_D", "?"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
