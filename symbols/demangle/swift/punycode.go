package swift

import (
	"slices"
	"strings"
)

// Punycode of RFC 3492 as Swift has it: an underscore is the delimiter, and
// digits are a to z and A to J. Characters of ASCII that no symbol may have
// are mapped to where surrogates would be.
const (
	punyBase, punyMin, punyMax   = 36, 1, 26
	punySkew, punyDamp, punyBias = 38, 700, 72

	firstCodePoint = 0x80
	lastCodePoint  = 0x10ffff
	mappedASCII    = 0xd800

	maxPunycode = 1 << 10 // every character is inserted before others
)

// decodePunycode decodes a name.
// It reports false for a name that is too long, does not end or has no such characters.
// Source: Swift's lib/Demangling/Punycode.cpp; RFC 3492, section 6.2.
func decodePunycode(s string) (string, bool) {
	if len(s) > maxPunycode {
		return "", false
	}
	at := strings.LastIndexByte(s, '_')
	out, rest := []rune(s[:max(at, 0)]), s[at+1:]
	code, place, bias := firstCodePoint, 0, punyBias
	for first := true; rest != ""; first = false {
		delta, used := punyNumber(rest, bias)
		if used == 0 {
			return "", false
		}
		rest = rest[used:]
		count := len(out) + 1
		bias = punyAdapt(delta, count, first)
		place += delta
		if code += place / count; code > lastCodePoint {
			return "", false
		}
		place %= count
		out = slices.Insert(out, place, rune(code))
		place++
	}
	for i, r := range out {
		if r >= mappedASCII && r < mappedASCII+firstCodePoint {
			out[i] = r - mappedASCII
		}
	}
	return string(out), true
}

// punyNumber reads a number and how many digits it has; none where there is
// no end of it.
func punyNumber(s string, bias int) (n, used int) {
	weight := 1
	for k := punyBase; used < len(s); k += punyBase {
		digit := strings.IndexByte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ", s[used])
		used++
		if digit < 0 || n > lastCodePoint*maxPunycode || weight > lastCodePoint*maxPunycode {
			return 0, 0
		}
		n += digit * weight
		t := min(max(k-bias, punyMin), punyMax)
		if digit < t {
			return n, used
		}
		weight *= punyBase - t
	}
	return 0, 0
}

// punyAdapt is the bias of the next number.
// Source: RFC 3492, section 6.1.
func punyAdapt(delta, count int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / count
	k := 0
	for ; delta > (punyBase-punyMin)*punyMax/2; k += punyBase {
		delta /= punyBase - punyMin
	}
	return k + (punyBase-punyMin+1)*delta/(delta+punySkew)
}
