//go:build js && wasm

package bridge

import (
	"fmt"
	"io"

	"github.com/hack-pad/safejs"
)

// A scratch is a Store over an object with read(offset, count) and
// write(offset, bytes), both synchronous.
type scratch struct {
	*Pages
	object safejs.Value
	array  safejs.Value // a Uint8Array for written bytes, as long as the longest write
	length int
}

// scratchSize is the size of a scratch, which grows: larger than any real one.
const scratchSize = 1 << 40

// storeOf reads the fourth argument, which may be missing.
func storeOf(args []safejs.Value, cache *Cache) Store {
	if len(args) < 4 || args[3].IsNull() || args[3].IsUndefined() {
		return nil
	}
	object := args[3]
	fetch := func(p []byte, off int64) error { return read(object, p, off) }
	return &scratch{Pages: NewPages(scratchSize, cache, fetch), object: object}
}

// WriteAt implements io.WriterAt.
func (s *scratch) WriteAt(p []byte, off int64) (int, error) {
	s.forget(off, int64(len(p)))
	view, err := s.view(p)
	if err != nil {
		return 0, fmt.Errorf("writing %d bytes at %#x: %w", len(p), off, err)
	}
	value, err := s.object.Call("write", float64(off), view)
	if err != nil {
		return 0, fmt.Errorf("writing %d bytes at %#x: %w", len(p), off, err)
	}
	if n, err := value.Int(); err != nil || n != len(p) {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// view copies bytes to JavaScript, always into the same array.
func (s *scratch) view(p []byte) (safejs.Value, error) {
	if len(p) > s.length {
		class, err := safejs.Global().Get("Uint8Array")
		if err != nil {
			return safejs.Value{}, err
		}
		if s.array, err = class.New(len(p)); err != nil {
			return safejs.Value{}, err
		}
		s.length = len(p)
	}
	view, err := s.array.Call("subarray", 0, len(p))
	if err != nil {
		return safejs.Value{}, err
	}
	_, err = safejs.CopyBytesToJS(view, p)
	return view, err
}
