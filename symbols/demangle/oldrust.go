package demangle

import (
	"strconv"
	"strings"
)

// isOldRust reports whether an Itanium name ends in the hash that rustc adds:
// 17h and sixteen hexadecimal digits.
func isOldRust(name string) bool {
	if end := strings.LastIndex(name, "E."); end > 0 {
		name = name[:end+1]
	}
	const tail = len("17h0123456789abcdefE")
	return len(name) > tail && strings.HasPrefix(name, "_ZN") && strings.HasPrefix(name[len(name)-tail:], "17h") && name[len(name)-1] == 'E'
}

// keepUnderscores doubles the first underscore of each part of an older Rust name. The library
// reads it as the end of the part's length, as in newer names, and drops it: core::_ was "core::",
// and __private "_private". The one before an escape ("_$LT$") has to go.
func keepUnderscores(name string) string {
	if !mayLoseUnderscores(name) {
		return name
	}
	const start = "_ZN"
	rest := name[len(start):]
	out := append(make([]byte, 0, len(name)+16), start...)
	for {
		size, part := 0, 0
		for part < len(rest) && isDigit(rest[part]) && size <= len(rest) {
			size = 10*size + int(rest[part]-'0')
			part++
		}
		if part == 0 || size > len(rest)-part {
			return string(append(out, rest...)) // the end, or damage
		}
		id := rest[part : part+size]
		rest = rest[part+size:]
		if strings.HasPrefix(id, "_") {
			id = "_" + id
		}
		out = append(strconv.AppendInt(out, int64(len(id)), 10), id...)
	}
}

// mayLoseUnderscores reports whether a part of a name may begin with an
// underscore and no escape.
func mayLoseUnderscores(name string) bool {
	for i := 1; i+1 < len(name); i++ {
		if name[i] == '_' && isDigit(name[i-1]) && name[i+1] != '$' {
			return true
		}
	}
	return false
}
