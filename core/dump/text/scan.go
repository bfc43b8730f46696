package text

import (
	"strconv"
	"strings"
)

// Hex reads a hexadecimal number with or without 0x. It returns the rest of the text, and false where no
// number of 64 bits begins.
func Hex(s string) (v uint64, rest string, ok bool) {
	digits := strings.TrimPrefix(strings.TrimPrefix(s, "0x"), "0X")
	n := 0
	for n < len(digits) && strings.IndexByte("0123456789abcdefABCDEF", digits[n]) >= 0 {
		n++
	}
	v, err := strconv.ParseUint(digits[:n], 16, 64)
	return v, digits[n:], err == nil
}

// Decimal reads a decimal number, and returns the rest of the text.
func Decimal(s string) (v uint64, rest string, ok bool) {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	v, err := strconv.ParseUint(s[:n], 10, 64)
	return v, s[n:], err == nil
}

// IsHex reads a text that is one hexadecimal number.
func IsHex(s string) (uint64, bool) {
	v, rest, ok := Hex(s)
	return v, ok && rest == ""
}

// Between returns the text between two marks, and what is behind the second.
func Between(s, open, closing string) (inner, rest string, ok bool) {
	_, after, found := strings.Cut(s, open)
	if !found {
		return "", "", false
	}
	return strings.Cut(after, closing)
}

// CutLast cuts a text around the last separator. It returns false without one.
func CutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// CutGroup takes the last parentheses that are not in others off the end of a text, if a space is before them.
func CutGroup(s string) (before, inner string, ok bool) {
	if !strings.HasSuffix(s, ")") {
		return s, "", false
	}
	depth := 0
	for i := len(s) - 1; i > 0; i-- {
		switch s[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return strings.TrimSpace(s[:i]), s[i+1 : len(s)-1], s[i-1] == ' '
			}
		}
	}
	return s, "", false
}

// Source takes a source position apart: "a/b.c:12:5", "C:\b.c:12", or a path alone.
func Source(s string) (file string, line uint32) {
	before, last, ok := CutLast(s, ":")
	n, rest, number := Decimal(last)
	if !ok || !number || rest != "" {
		return s, 0
	}
	if file, first, ok := CutLast(before, ":"); ok {
		if m, rest, number := Decimal(first); number && rest == "" {
			return file, clamp(m)
		}
	}
	return before, clamp(n)
}

func clamp(n uint64) uint32 { return uint32(min(n, 1<<32-1)) }
