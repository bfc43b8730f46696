package triage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// WriteLines writes groups as lines of JSON. Engines that spread work over machines can split and
// join them between any two lines.
func WriteLines(w io.Writer, groups []Group) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range groups {
		if err := e.Encode(&groups[i]); err != nil {
			return err
		}
	}
	return nil
}

// A Document is groups as one JSON document.
type Document struct {
	Groups []Group `json:"groups"`
}

// ReadLines reads groups into a set: lines of WriteLines, and Documents.
func ReadLines(r io.Reader, s *Set) error {
	d := json.NewDecoder(r)
	for n := 1; ; n++ {
		var one struct {
			Group
			Document
		}
		switch err := d.Decode(&one); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("this is no result of triage: JSON value %d, at byte %d: %v", n, d.InputOffset(), err)
		case one.Groups == nil && one.Kind == "":
			return fmt.Errorf("this is no result of triage: JSON value %d, at byte %d, has no \"kind\"", n, d.InputOffset())
		}
		if one.Kind != "" {
			s.Add(one.Group)
		}
		for _, g := range one.Groups {
			s.Add(g)
		}
	}
}
