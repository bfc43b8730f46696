package render

import (
	"bytes"
	"encoding/json"
	"testing"
)

// Any text, in any number of places: each form is no larger than is allowed, and
// JSON is JSON.
func FuzzForms(f *testing.F) {
	f.Add("x", uint16(3))
	f.Add("\x01\u202e<script>`|\"", uint16(90))
	f.Add(string(bytes.Repeat([]byte("\xff"), 1<<10)), uint16(40))
	most = 64 << 10
	f.Cleanup(func() { most = MaxOutput })
	f.Fuzz(func(t *testing.T, text string, n uint16) {
		for form, write := range allForms {
			var out bytes.Buffer
			if err := write(&out, heavy(text, 1+int(n%100)), Options{}); err != nil {
				t.Fatal(err)
			}
			if out.Len() > most || form == "json" && !json.Valid(out.Bytes()) {
				t.Errorf("%s: %d bytes", form, out.Len())
			}
		}
	})
}
