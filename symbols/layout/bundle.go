package layout

import (
	"path"
	"slices"
	"strings"
)

// bundleDirs are the names of folders around bundles and inside of them. Bundles themselves have the
// endings of bundleEndings.
var (
	bundleDirs = []string{"contents", "resources", "dwarf", "macos", "dsyms", "bcsymbolmaps", "products", "applications", "frameworks",
		"plugins", "library", "versions", "a", "current"}
	bundleEndings = []string{".dsym", ".xcarchive", ".app", ".appex", ".framework", ".xcframework", ".bundle", ".xpc", ".kext"}
)

// uuidDigits is the length of a UUID without dashes.
const uuidDigits = 32

// UUID is the UUID that a file or folder is named by, or "".
func UUID(name string) string {
	id := strings.ToUpper(strings.ReplaceAll(strings.TrimSuffix(name, path.Ext(name)), "-", ""))
	if len(id) != uuidDigits || strings.Trim(id, "0123456789ABCDEF") != "" {
		return ""
	}
	return id
}

// IsBundle reports whether a folder has the ending of a bundle.
func IsBundle(name string) bool {
	return slices.Contains(bundleEndings, path.Ext(strings.ToLower(name)))
}

// IsBundleDir reports whether a folder has the name of a bundle, of a part of one, or of a folder
// that bundles are in.
func IsBundleDir(name string) bool {
	lower := strings.ToLower(name)
	return slices.Contains(bundleDirs, lower) || IsBundle(name) || strings.Contains(name, "-") && UUID(name) != "" ||
		strings.HasPrefix(lower, "ios-") || strings.HasPrefix(lower, "macos-") || strings.HasPrefix(lower, "tvos-")
}
