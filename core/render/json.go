package render

import (
	"encoding/json"
	"fmt"
	"io"

	"crashglass/core/report"
)

// JSON writes the report compactly, in the order of its fields, with a line
// end. Package report describes its schema. Markup in names stays as it is:
// making JSON safe inside a page is the page's business.
func JSON(w io.Writer, r *report.Report) error {
	Sentences(r)
	return bounded(w, r, writeJSON)
}

// writeJSON writes nothing of a report with a value that cannot be written.
func writeJSON(w io.Writer, r *report.Report) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("render: JSON: %w", err)
	}
	return nil
}
