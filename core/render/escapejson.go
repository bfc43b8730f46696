package render

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// SafeJSON is a writer for JSON that may be looked at: what [Escape] would
// escape, it writes as JSON's own escapes, which stand for the same text. JSON
// itself asks for that below U+0020 only (RFC 8259, section 7), but a terminal
// obeys U+009B as it obeys ESC, and an editor turns text around at U+202E.
//
// Each Write must be whole characters of JSON, as json.Encoder's are.
func SafeJSON(w io.Writer) io.Writer { return safeJSON{w} }

type safeJSON struct{ w io.Writer }

func (s safeJSON) Write(data []byte) (int, error) {
	if _, err := s.w.Write(escapeJSON(data)); err != nil {
		return 0, err
	}
	return len(data), nil
}

// escapeJSON escapes in JSON. Outside of strings there is nothing but ASCII, of
// which line ends and tabs are the layout.
func escapeJSON(data []byte) []byte {
	var out []byte
	for {
		at := bytes.IndexFunc(data, func(r rune) bool { return r >= ' ' && harmful(r) })
		if at < 0 {
			break
		}
		r, n := utf8.DecodeRune(data[at:])
		out = appendEscape(append(out, data[:at]...), r)
		data = data[at+n:]
	}
	if out == nil {
		return data
	}
	return append(out, data...)
}

// appendEscape appends UTF-16 units, as JSON has them.
func appendEscape(out []byte, r rune) []byte {
	for _, unit := range utf16.AppendRune(nil, r) {
		out = fmt.Appendf(out, `\u%04x`, unit)
	}
	return out
}
