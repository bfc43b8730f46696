package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"crashglass/core/report"
)

// JSON writes the report compactly, in the order of its fields, with a line
// end. Package report describes its schema. Characters that a terminal or an
// editor obeys are escaped ([SafeJSON]). Markup in names stays as it is: making
// JSON safe inside a page is the page's business.
func JSON(w io.Writer, r *report.Report) error {
	Sentences(r)
	return bounded(w, r, writeJSON)
}

// writeJSON writes nothing of a report with a value that cannot be written.
func writeJSON(w io.Writer, r *report.Report) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("render: JSON: %w", err)
	}
	_, err := w.Write(escapeJSON(b.Bytes()))
	return err
}
