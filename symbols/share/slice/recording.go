package slice

import (
	"crashglass/core/analyze"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// A recording is a Source that remembers the addresses of all queries.
type recording struct {
	analyze.Source
	image   symbolize.Image // nil when the module's own file is not at hand
	queried map[uint64]bool
}

// Locate implements symbolize.Source.
func (r recording) Locate(rel uint64) (symbolize.Location, bool) {
	r.queried[rel] = true
	return r.Source.Locate(rel)
}

// CallFrame implements unwind.Rules.
func (r recording) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	r.queried[rel] = true
	return r.Source.CallFrame(rel)
}

// WinFrame implements unwind.Rules.
func (r recording) WinFrame(rel uint64) (unwind.WinFrame, bool) {
	r.queried[rel] = true
	return r.Source.WinFrame(rel)
}

// Function implements unwind.Rules.
func (r recording) Function(rel uint64) (unwind.Function, bool) {
	r.queried[rel] = true
	return r.Source.Function(rel)
}

// ReadImage implements symbolize.Image.
func (r recording) ReadImage(rel uint64, p []byte) int {
	if r.image == nil {
		return 0
	}
	return r.image.ReadImage(rel, p)
}
