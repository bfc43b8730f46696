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

// keepUnderscores doubles the first underscore of each part of an older Rust
// name. The library takes it for the end of the part's length, as newer names
// have it, and drops it: core::_ was "core::", and __private "_private".
func keepUnderscores(name string) string {
	const start = "_ZN"
	rest := name[len(start):]
	out := append(make([]byte, 0, len(name)+16), start...)
	for {
		digits := 0
		for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
			digits++
		}
		size, err := strconv.Atoi(rest[:digits])
		if err != nil || size > len(rest)-digits {
			return string(append(out, rest...)) // the end, or damage
		}
		part := rest[digits : digits+size]
		rest = rest[digits+size:]
		if strings.HasPrefix(part, "_") {
			part = "_" + part
		}
		out = append(strconv.AppendInt(out, int64(len(part)), 10), part...)
	}
}
