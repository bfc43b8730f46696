package demangle

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// fromPunycode decodes a name with letters that ASCII does not have: first those
// that it has, then an underscore, then where the others go. Source: RFC 3492,
// sections 6.1 and 6.2, with the underscore in place of the hyphen.
func fromPunycode(name string) (string, bool) {
	const base, tmin, tmax, skew, damp = 36, 1, 26, 38, 700
	var out []rune
	i := strings.LastIndexByte(name, '_')
	if i >= 0 {
		out = []rune(name[:i])
	}
	letters := name[i+1:]
	if len(name) > 1<<10 { // inserting takes time that grows with the square
		return "", false
	}
	at, char, bias := 0, 128, 72
	for from := 0; from < len(letters); {
		before, weight := at, 1
		for k := base; ; k += base {
			if from == len(letters) {
				return "", false
			}
			digit := strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789", letters[from])
			from++
			if digit < 0 || weight > 1<<24 {
				return "", false
			}
			at += digit * weight
			limit := min(max(k-bias, tmin), tmax)
			if digit < limit {
				break
			}
			weight *= base - limit
		}
		n := len(out) + 1
		delta := (at - before) / 2
		if before == 0 {
			delta = (at - before) / damp
		}
		delta += delta / n
		for bias = 0; delta > (base-tmin)*tmax/2; bias += base {
			delta /= base - tmin
		}
		bias += (base - tmin + 1) * delta / (delta + skew)
		char += at / n
		at %= n
		if char > utf8.MaxRune {
			return "", false
		}
		out = slices.Insert(out, at, rune(char))
		at++
	}
	return string(out), true
}
