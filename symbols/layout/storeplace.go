package layout

import (
	"io/fs"
	"strings"
)

// StorePlace divides the path of a file in a symbol store, ROOT/NAME/ID/FILE, into the root and the
// rest. It recognizes such a path by the ID: a debug ID, or the time stamp and size of an image.
func StorePlace(name string) (root, rest string, ok bool) {
	parts := strings.Split(name, "/")
	n := len(parts) - 3
	if n < 0 || !fs.ValidPath(name) || !IsBuild(parts[n+1]) {
		return "", "", false
	}
	return strings.Join(parts[:n], "/"), strings.Join(parts[n:], "/"), true
}

// Lengths of an ID in hexadecimal digits: a time stamp and a size of one digit, up to a GUID and an
// age of eight digits.
const (
	shortestID = 9
	longestID  = 32 + 8
)

// IsBuild reports whether the name of a folder is an ID, so that its files are of one build.
func IsBuild(s string) bool {
	return len(s) >= shortestID && len(s) <= longestID && strings.Trim(strings.ToLower(s), "0123456789abcdef") == ""
}
