package render

import (
	"encoding/json"
	"fmt"
	"io"

	"crashglass/core/report"
)

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
