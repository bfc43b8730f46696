// Package punycode decodes the identifiers of mangled names that have letters outside of ASCII: first
// those that ASCII has, then an underscore, then where the others go. Rust and Swift differ in the
// digits and in what they do with the result.
//
// Source: RFC 3492, sections 6.1 and 6.2, with the underscore in place of the hyphen.
package punycode

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	base, least, most = 36, 1, 26
	skew, damp, bias0 = 38, 700, 72
	firstCodePoint    = 0x80
	maxLen            = 1 << 10 // every character is inserted before others
	maxWeight         = utf8.MaxRune * maxLen
)

// Decode decodes an identifier whose digits are the 36 given ones. It reports false for one that is
// too long or does not end.
func Decode(s, digits string) ([]rune, bool) {
	if len(s) > maxLen {
		return nil, false
	}
	at := strings.LastIndexByte(s, '_')
	out, rest := []rune(s[:max(at, 0)]), s[at+1:]
	code, place, bias := firstCodePoint, 0, bias0
	for first := true; rest != ""; first = false {
		delta, used := number(rest, digits, bias)
		if used == 0 {
			return nil, false
		}
		rest = rest[used:]
		count := len(out) + 1
		bias = adapt(delta, count, first)
		place += delta
		if code += place / count; code > utf8.MaxRune {
			return nil, false
		}
		place %= count
		out = slices.Insert(out, place, rune(code))
		place++
	}
	return out, true
}

// number reads a number and how many digits it has; none where there is
// no end of it.
func number(s, digits string, bias int) (n, used int) {
	weight := 1
	for k := base; used < len(s); k += base {
		digit := strings.IndexByte(digits, s[used])
		used++
		if digit < 0 || n > maxWeight || weight > maxWeight {
			return 0, 0
		}
		n += digit * weight
		t := min(max(k-bias, least), most)
		if digit < t {
			return n, used
		}
		weight *= base - t
	}
	return 0, 0
}

// adapt is the bias of the next number.
func adapt(delta, count int, first bool) int {
	if first {
		delta /= damp
	} else {
		delta /= 2
	}
	delta += delta / count
	k := 0
	for ; delta > (base-least)*most/2; k += base {
		delta /= base - least
	}
	return k + (base-least+1)*delta/(delta+skew)
}
