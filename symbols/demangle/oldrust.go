package demangle

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// rustHash is what rustc adds at the end of an older name: 17h and sixteen hexadecimal
// digits. It identifies a build and is useless to a reader.
const rustHash = "17h0123456789abcdefE"

// isOldRust reports whether an Itanium name ends in the hash that rustc adds.
func isOldRust(name string) bool {
	name = withoutPart(name)
	return len(name) > len("_ZN")+len(rustHash) && strings.HasPrefix(name, "_ZN") && endsInHash(name)
}

func endsInHash(name string) bool {
	digits, ok := strings.CutPrefix(name[max(len(name)-len(rustHash), 0):], "17h")
	return ok && len(digits) == 17 && strings.Trim(digits[:16], "0123456789abcdef") == "" && digits[16] == 'E'
}

// withoutPart removes what compilers append to a name (".llvm.123"). A name that ends in its hash has
// nothing appended: "E." is in the path of a::TYPE::Bar, too.
func withoutPart(name string) string {
	if end := strings.LastIndex(name, "E."); end > 0 && !endsInHash(name) {
		return name[:end+1]
	}
	return name
}

// fromOldRust demangles an older Rust name, which looks like an Itanium one: parts with
// their lengths. It reads them as Rust's own demangler does (rustc-demangle,
// src/legacy.rs), because the library for Itanium's names drops first underscores
// (core::_) and knows no escape of more than two digits.
func fromOldRust(name string) (string, error) {
	if strings.ContainsFunc(name, func(c rune) bool { return c >= utf8.RuneSelf }) {
		return "", errors.New("demangle: the Rust name has other letters than ASCII's")
	}
	parts := withoutPart(name)
	parts = parts[:len(parts)-len(rustHash)]
	rest := strings.TrimPrefix(parts, "_ZN")
	var out strings.Builder
	for rest != "" {
		at := len(parts) - len(rest)
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		size, err := strconv.Atoi(rest[:digits])
		if err != nil || size > len(rest)-digits {
			return "", fmt.Errorf("demangle: Rust name at %d: a part of %.20q bytes, %d are left", at, rest[:digits], len(rest)-digits)
		}
		if out.Len() > 0 {
			out.WriteString("::")
		}
		writeOldPart(&out, rest[digits:digits+size])
		rest = rest[digits+size:]
	}
	if out.Len() == 0 {
		return "", errors.New("demangle: the Rust name says nothing")
	}
	return out.String(), nil
}

// rustSigns are the escapes of signs.
var rustSigns = map[string]string{"SP": "@", "BP": "*", "RF": "&", "LT": "<", "GT": ">", "LP": "(", "RP": ")", "C": ","}

// writeOldPart writes a part of a name without its escapes. An underscore in front of one
// makes it an identifier. From an unknown escape on, the part stays as it is.
func writeOldPart(out *strings.Builder, part string) {
	if strings.HasPrefix(part, "_$") {
		part = part[1:]
	}
	for part != "" {
		switch {
		case strings.HasPrefix(part, ".."):
			out.WriteString("::")
			part = part[2:]
		case part[0] == '.':
			out.WriteByte('.')
			part = part[1:]
		case part[0] == '$':
			escape, rest, ends := strings.Cut(part[1:], "$")
			text := unescapeRust(escape)
			if !ends || text == "" {
				out.WriteString(part)
				return
			}
			out.WriteString(text)
			part = rest
		default:
			plain := len(part)
			if i := strings.IndexAny(part, "$."); i >= 0 {
				plain = i
			}
			out.WriteString(part[:plain])
			part = part[plain:]
		}
	}
}

// unescapeRust is what an escape stands for, "" for none: a sign, or u and the number of
// a character that can be seen.
func unescapeRust(escape string) string {
	digits, ok := strings.CutPrefix(escape, "u")
	if !ok || strings.Trim(digits, "0123456789abcdef") != "" {
		return rustSigns[escape]
	}
	n, err := strconv.ParseInt(digits, 16, 32)
	if err != nil || !utf8.ValidRune(rune(n)) || unicode.IsControl(rune(n)) {
		return ""
	}
	return string(rune(n))
}
