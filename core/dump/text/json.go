package text

import (
	"bytes"
	"encoding/json"

	"crashglass/core/base/bin"
)

// maxValues bounds the values of a report that is JSON: each costs a few bytes of the file, and hundreds in memory. Large reports have 400,000.
const maxValues = 1 << 20

// Decode reads the next value of a decoder. It fails for one with too many parts.
func Decode(decoder *json.Decoder, value any) error {
	var raw json.RawMessage
	if err := decoder.Decode(&raw); err != nil {
		return err
	}
	return Unmarshal(raw, value)
}

// Unmarshal reads a value. It fails for one with too many parts.
func Unmarshal(raw []byte, value any) error {
	if n := bytes.Count(raw, []byte(",")); n > maxValues {
		return &bin.Error{What: "JSON", Why: "has too many values"}
	}
	return json.Unmarshal(raw, value)
}
