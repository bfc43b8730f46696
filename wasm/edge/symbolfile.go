package main

import (
	"encoding/hex"
	"net/url"
	"strings"
)

// A symbolFile is what a request is for: a debug file by its name and id, as a
// minidump names it.
type symbolFile struct {
	name string // base name, "app.pdb"
	id   string // 32 digits and an age of 1 to 8, upper case
	// build is the ELF build ID in lower case, or "". debuginfod finds files only by it, and the
	// debug ID holds only a part of it.
	build string
}

// Linux allows file names of 255 bytes; the longest module name in our dumps has less than half of that.
const maxName = 128

// parseSymbolFile reads NAME/ID/NAME.sym, the path after /symbols/, and the query. It refuses
// everything else, so no other part of a request can reach a symbol server.
func parseSymbolFile(escaped, query string) (q symbolFile, ok bool) {
	parts := strings.Split(escaped, "/")
	if len(parts) != 3 {
		return q, false
	}
	for i, part := range parts {
		plain, err := url.PathUnescape(part)
		if err != nil {
			return q, false
		}
		parts[i] = plain
	}
	q = symbolFile{name: parts[0], id: strings.ToUpper(parts[1])}
	if !isName(q.name) || !isID(q.id) || parts[2] != symName(q.name) {
		return q, false
	}
	if query == "" {
		return q, true
	}
	build, isBuild := strings.CutPrefix(query, "build=")
	q.build = build
	return q, isBuild && isBuildOf(q.id, build)
}

// symName is Breakpad's name for the symbols of a debug file: .pdb is replaced, any other ending is
// kept (SimpleSymbolSupplier).
func symName(name string) string {
	if ending := len(name) - len(".pdb"); ending > 0 && strings.EqualFold(name[ending:], ".pdb") {
		name = name[:ending]
	}
	return name + ".sym"
}

// isName reports whether a name can be that of a module: it has no slash, backslash, NUL, percent
// sign, quote or line end, and does not name another folder.
func isName(name string) bool {
	if name == "" || len(name) > maxName || strings.Contains(name, "..") || strings.Trim(name, " .") != name {
		return false
	}
	for _, c := range []byte(name) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("_+@~#()[]{} ,.=-", c) >= 0) {
			return false
		}
	}
	return true
}

// isID reports whether an ID is a GUID and an age, and not the zero ID of a module without one.
func isID(id string) bool {
	return len(id) >= 33 && len(id) <= 40 && strings.Trim(id, "0123456789ABCDEF") == "" && strings.Trim(id, "0") != ""
}

// isBuildOf reports whether a debug ID was made from a build ID: its first 16 bytes as a GUID,
// whose first three fields are little endian, and an age of 0 (Breakpad's
// FileID::ConvertIdentifierToUUIDString).
func isBuildOf(id, build string) bool {
	bytes, err := hex.DecodeString(build)
	if err != nil || len(bytes) < 16 || len(bytes) > 32 || strings.ToLower(build) != build {
		return false
	}
	guid := make([]byte, 0, 16)
	for _, at := range []int{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15} {
		guid = append(guid, bytes[at])
	}
	return id == strings.ToUpper(hex.EncodeToString(guid))+"0"
}
