package breakpad

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"crashglass/core/base/bin"
)

// failingOnce is a file that one read fails on, as if a part had to be fetched first.
type failingOnce struct {
	io.ReaderAt
	reads, at int
}

var errNotHere = errors.New("not here yet")

func (r *failingOnce) ReadAt(p []byte, off int64) (int, error) {
	if r.reads++; r.reads == r.at {
		return 0, errNotHere
	}
	return r.ReaderAt.ReadAt(p, off)
}

// TestSearchedWhileReadsFail has each read fail in turn. The question that it was for
// has no answer, and when it is asked again it has the right one.
func TestSearchedWhileReadsFail(t *testing.T) {
	data := joinLines(orderly()...)
	whole := openString(t, data, Options{})
	waiting := Options{Search: true, Page: 128, BeforeScan: func() (bin.Source, error) { return bin.Source{}, errNotHere }}
	tries := 0
	for at := 1; ; at++ {
		r := &failingOnce{ReaderAt: strings.NewReader(data), at: at}
		src := bin.NewSource(r, int64(len(data)))
		f, err := Open(src, waiting)
		if err != nil {
			if !errors.Is(err, errNotHere) {
				t.Fatalf("read %d: %v", at, err)
			}
			continue
		}
		for _, rel := range []uint64{0x1c88, 0x1c94, 0x2004} {
			f.Locate(rel)
			loc, ok := f.Locate(rel)
			if want, _ := whole.Locate(rel); !ok || !reflect.DeepEqual(loc, want) {
				t.Errorf("read %d: at %#x %+v, want %+v", at, rel, loc, want)
			}
			f.CallFrame(rel)
			frame, ok := f.CallFrame(rel)
			if want, _ := whole.CallFrame(rel); !ok || !reflect.DeepEqual(frame, want) {
				t.Errorf("read %d: at %#x %+v, want %+v", at, rel, frame, want)
			}
		}
		if r.reads < at {
			break
		}
		tries++
	}
	if tries < 20 {
		t.Errorf("only %d reads failed", tries)
	}
}
