package variables

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"crashglass/core/values/types"
)

// maxText bounds the bytes of a string that are read.
const maxText = 1024

// prefixes of strings, as C++ writes them.
var prefixes = map[string]string{"wchar_t": "L", "char16_t": "u", "char32_t": "U", "char8_t": "u8"}

// prefixOf returns the prefix of strings of a type of characters, by its name.
func prefixOf(t *types.Type) string { return prefixes[t.Name] }

// quote writes characters of a given size as a string, up to the first zero if terminated is set.
func (r *reader) quote(b []byte, size uint64, terminated bool) string {
	if size != 2 && size != 4 {
		return quoteBytes(b, terminated)
	}
	var out strings.Builder
	out.WriteByte('"')
	for _, c := range r.runes(b, size) {
		if c == 0 && terminated {
			break
		}
		writeRune(&out, c)
	}
	out.WriteByte('"')
	return out.String()
}

// runes decodes characters of a given size. One that is damaged is U+FFFD for each of its bytes in UTF-8.
func (r *reader) runes(b []byte, size uint64) (runes []rune) {
	switch size {
	case 2: // UTF-16: char16_t, and wchar_t of Windows
		var units []uint16
		for ; len(b) >= 2; b = b[2:] {
			units = append(units, uint16(r.frame.Number(b[:2])))
		}
		return utf16.Decode(units)
	case 4: // UTF-32: char32_t, and wchar_t elsewhere
		for ; len(b) >= 4; b = b[4:] {
			runes = append(runes, rune(uint32(r.frame.Number(b[:4]))))
		}
		return runes
	}
	return []rune(string(b))
}

// readable reports whether characters are text, up to the first zero: none is a control character
// without an escape of its own, and not most of them are damaged. A third may be whole, because names of
// files may be in an encoding other than UTF-8.
func (r *reader) readable(b []byte, size uint64) bool {
	whole, damaged := 0, 0
	for _, c := range r.runes(b, size) {
		switch _, escaped := escapes[c]; {
		case c == 0:
			return damaged <= 2*whole
		case unicode.IsControl(c) && !escaped:
			return false
		case !utf8.ValidRune(c) || c == utf8.RuneError:
			damaged++
		default:
			whole++
		}
	}
	return damaged <= 2*whole
}

// quoteBytes writes a string that is probably UTF-8.
func quoteBytes(b []byte, terminated bool) string {
	var out strings.Builder
	out.WriteByte('"')
	for len(b) > 0 {
		c, n := utf8.DecodeRune(b)
		if c == 0 && terminated {
			break
		}
		if c == utf8.RuneError && n <= 1 { // no UTF-8; U+FFFD itself has three bytes
			fmt.Fprintf(&out, `\x%02x`, b[0])
			n = 1
		} else {
			writeRune(&out, c)
		}
		b = b[n:]
	}
	out.WriteByte('"')
	return out.String()
}

// writeRune writes a character of a string, with the escapes that LLDB uses.
func writeRune(out *strings.Builder, c rune) {
	switch text, ok := escapes[c]; {
	case c == '"':
		out.WriteString(`\"`)
	case c == '\\':
		out.WriteString(`\\`)
	case ok:
		out.WriteString(text)
	case c >= 0x7f && !unicode.IsPrint(c) || c < 0x20:
		fmt.Fprintf(out, `\U%08x`, uint32(c))
	default:
		out.WriteRune(c)
	}
}

// cString reads a string in memory up to its zero. It reports false if no byte was captured or
// the bytes are no text, and truncates the string at the end of captured memory.
func (r *reader) cString(addr, size uint64) (string, bool) {
	size = max(size, 1)
	if r.bytes < maxText || r.frame.Memory == nil || size > 4 {
		return "", false
	}
	b := make([]byte, maxText)
	n := r.frame.Memory.Read(addr&r.frame.Arch.Mask(), b)
	r.bytes -= n
	b = b[:n-n%int(size)]
	if len(b) == 0 || !r.readable(b, size) {
		return "", false
	}
	text := r.quote(b, size, true)
	if !terminated(b, size) {
		text += "…"
	}
	return text, true
}

// terminated reports whether there is a zero.
func terminated(b []byte, size uint64) bool {
	for ; uint64(len(b)) >= size; b = b[size:] {
		if slices.Max(b[:size]) == 0 {
			return true
		}
	}
	return false
}
