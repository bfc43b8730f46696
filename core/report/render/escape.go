package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes a string from a dump safe for a terminal or a page. Control characters (ESC would
// recolour, or reprogram, a terminal), characters that change the direction of text, invisible ones
// and bytes that are not UTF-8 appear as \x1b, \u202e or \xff. Everything else stays unchanged,
// including backslashes of Windows paths.
func Escape(s string) string {
	if clean(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !harmful(r):
			b.WriteString(s[i : i+n])
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += n
	}
	return b.String()
}

// clean reports whether Escape would return a text unchanged. U+FFFD counts as unclean, because
// decoding returns it for bytes that are not UTF-8.
func clean(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || harmful(r) })
}

// harmful reports whether r has an effect other than being shown. Unicode's category Cf holds the
// direction controls of Trojan Source (CVE-2021-42574) and the zero-width characters; Zl and Zp
// break lines.
func harmful(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
}
