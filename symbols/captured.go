package symbols

import (
	"io"

	"crashglass/core/base/bin"
	"crashglass/core/base/bug"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats"
)

// Image returns the unwind rules of an image in memory, or nil for other memory. Dumps with all memory have them.
func (s *Store) Image(memory io.ReaderAt, size int64) (rules unwind.Rules) {
	var err error
	defer bug.Catch(&err)
	if f := formats.Image(bin.NewSource(memory, size)); f != nil {
		return f
	}
	return nil
}
