package main

import (
	"bytes"

	"crashglass/core/base/bin"
	"crashglass/core/values/natvis"
)

// headBytes is how far into a NatVis file the root element may begin, for instance after a licence
// in a comment.
const headBytes = 4 << 10

// addViews takes a NatVis file, and reports whether a file is one: its root element is
// AutoVisualizer. Its views apply to all values from then on.
func (v *viewer) addViews(name string, src bin.Source) (is bool, err error) {
	head, err := src.ReadUpTo("NatVis", 0, headBytes)
	if err != nil || !bytes.Contains(head, []byte("<AutoVisualizer")) {
		return false, nil
	}
	data, err := src.ReadUpTo("NatVis", 0, natvis.MaxFile+1)
	if err != nil {
		return true, err
	}
	return true, v.views.Add(name, data)
}
