package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"crashglass/core/report"
)

// SafeJSON is a writer for JSON that people may view. It writes the characters that [Escape]
// escapes as JSON's escapes, so the text stays the same. JSON requires that only below U+0020 (RFC
// 8259, section 7), but U+009B acts on a terminal as ESC does, and U+202E reverses text in an
// editor.
//
// Each Write must be whole characters of JSON, as json.Encoder's are.
func SafeJSON(w io.Writer) io.Writer { return safeJSON{w} }

type safeJSON struct{ w io.Writer }

// Write implements io.Writer. It counts the bytes of data, although more are written: io.Writer may
// not return more than it was given.
func (s safeJSON) Write(data []byte) (int, error) {
	if _, err := s.w.Write(escapeJSON(data)); err != nil {
		return 0, err
	}
	return len(data), nil
}

// escapeJSON escapes characters in JSON. Outside of strings JSON has only ASCII; line ends and tabs
// there are layout and stay.
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

// JSON writes the report compactly, in the order of its fields, with a line end. Package report
// describes its schema. Characters that control a terminal or an editor are escaped ([SafeJSON]).
// Markup in names stays unchanged: a page that embeds the JSON must escape it.
func JSON(w io.Writer, r *report.Report) error {
	Sentences(r)
	return bounded(w, r, writeJSON)
}

// writeJSON writes the whole report, or nothing if a value cannot be encoded.
func writeJSON(w io.Writer, r *report.Report) error {
	enc := json.NewEncoder(SafeJSON(w)) // the encoder writes once, after it has encoded everything
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("render: JSON: %w", err)
	}
	return nil
}
