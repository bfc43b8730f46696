package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"crashglass/core/base/bin"
)

// maxValues bounds the values of a report that is JSON: each costs a few bytes of the file, and hundreds in memory. Large reports have 400,000.
const maxValues = 1 << 20

// Decode reads the next value of a decoder. It fails for one with too many parts. Of one that is truncated it reads what is whole, and fails then.
func Decode(decoder *json.Decoder, value any) error {
	var raw json.RawMessage
	err := decoder.Decode(&raw)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		rest, _ := io.ReadAll(decoder.Buffered())
		raw = closed(rest)
	} else if err != nil {
		return err
	}
	if err := Unmarshal(raw, value); err != nil {
		return err
	}
	return err
}

// closed ends a truncated JSON value behind the last part of it that is whole. An object without any list or object that is whole is no part: the
// image of a frame may be missing.
func closed(raw []byte) []byte {
	type open struct {
		end   byte // what closes it
		parts bool // it has a list or an object that is whole
	}
	var stack []open
	whole, depth := 0, 0
	isText := false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case isText && c == '\\':
			i++
		case c == '"':
			isText = !isText
		case isText:
		case c == '{' || c == '[':
			if stack = append(stack, open{end: c + 2}); c == '[' {
				whole, depth = i+1, len(stack)
			}
		case c == '}' || c == ']':
			if len(stack) == 0 || stack[len(stack)-1].end != c {
				return nil
			}
			if stack = stack[:len(stack)-1]; len(stack) > 0 {
				stack[len(stack)-1].parts = true
			}
			whole, depth = i+1, len(stack)
		case c == ',' && len(stack) > 0:
			if top := &stack[len(stack)-1]; len(stack) == 1 || top.end == ']' || top.parts {
				whole, depth = i, len(stack)
			}
		}
	}
	out := bytes.Clone(raw[:whole])
	for i := min(depth, len(stack)) - 1; i >= 0; i-- {
		out = append(out, stack[i].end)
	}
	return out
}

// Unmarshal reads a value. It fails for one with too many parts.
func Unmarshal(raw []byte, value any) error {
	if n := bytes.Count(raw, []byte(",")); n > maxValues {
		return &bin.Error{What: "JSON", Why: "has too many values"}
	}
	return json.Unmarshal(raw, value)
}
