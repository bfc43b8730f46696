package formats

import (
	"errors"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"crashglass/core/testkit/sample"
	"crashglass/symbols/formats/sniff"
)

var (
	questions = flag.Int("questions", 200, "addresses that are queried in each file")
	natively  = flag.String("natives", "../../../shared/corpus", "folder of libraries and debug files")
)

// natives are the libraries and debug files of the corpora.
func natives(t *testing.T) (paths []string) {
	t.Helper()
	_ = filepath.WalkDir(*natively, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if head, err := headOf(path); err == nil && All.Native(sniff.Of(head)) {
			paths = append(paths, path)
		}
		return nil
	})
	own, _ := filepath.Glob("../testdata/*.elf")
	return append(paths, own...)
}

func headOf(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, sniff.Size)
	n, err := f.Read(head)
	return head[:n], err
}

// TestSearchedNative queries each file at random addresses and for the starts of
// functions, without that it may read all headers: what it finds is what the
// whole file says.
func TestSearchedNative(t *testing.T) {
	found := map[sniff.Kind]int{}
	for _, path := range sample.Members(natives(t)) {
		compareSearched(t, path, found)
	}
	t.Logf("%v answers were found without reading all headers", found)
}

// compareSearched compares the answers of one file.
func compareSearched(t *testing.T, path string, found map[sniff.Kind]int) {
	src := open(t, path)
	head, _ := headOf(path)
	kind := sniff.Of(head)
	builds, err := All.Identify(kind, src)
	if err != nil {
		return
	}
	for _, b := range builds {
		whole, err1 := All.Open(kind, src, b, Options{Name: path})
		searched, err2 := All.Open(kind, src, b, Options{Name: path, SearchFrom: 1, BeforeRead: func(int64) error { return ErrPending }})
		if err1 != nil || err2 != nil {
			if !errors.Is(err2, err1) && (err1 == nil) != (err2 == nil) {
				t.Errorf("%s: %v, searched %v", path, err1, err2)
			}
			continue
		}
		if w, a := whole.Contents().Has, searched.Contents().Has; w != a {
			t.Errorf("%s: brings %+v, searched %+v", path, w, a)
		}
		n := compareAnswers(t, path, whole, searched)
		found[kind] += n
		if testing.Verbose() && unanswered(searched) > 0 {
			t.Logf("%s: %d found, %d wait", path, n, unanswered(searched))
		}
	}
}

// compareAnswers compares what both say of random addresses.
func compareAnswers(t *testing.T, path string, whole, searched Reader) (found int) {
	size := uint64(1 << 20)
	if f, ok := whole.(*native); ok && f.Module().Size > 0 {
		size = f.Module().Size
	}
	r := rand.New(rand.NewPCG(17, size))
	differ, next := 0, uint64(0)
	for range *questions {
		rel := r.Uint64N(size)
		if next != 0 && r.IntN(3) == 0 {
			rel = next // an edge
		}
		for i, question := range []func(Reader) (any, bool){
			func(r Reader) (any, bool) { return second(r.Locate(rel)) },
			func(r Reader) (any, bool) { return second(r.Function(rel)) },
			func(r Reader) (any, bool) { return second(r.CallFrame(rel)) },
			func(r Reader) (any, bool) { return second(r.WinFrame(rel)) },
		} {
			before := unanswered(searched)
			got, ok := question(searched)
			if unanswered(searched) > before {
				continue
			}
			want, has := question(whole)
			if ok {
				found++
			}
			if ok != has || !reflect.DeepEqual(got, want) {
				if differ++; differ < 4 {
					t.Errorf("%s: question %d at %#x: searched %+v %v, whole %+v %v", path, i, rel, got, ok, want, has)
				}
			}
		}
		if fn, ok := whole.Function(rel); ok {
			next = fn.Start + fn.Size
		}
	}
	if f := searched.Capabilities().Search; f != nil {
		if n, err := f.Scan(); n > 0 || err != nil {
			t.Errorf("%s: the scan says something else of %d answers, %v", path, n, err)
		}
	}
	return found
}

func second[T any](v T, ok bool) (any, bool) { return v, ok }

func unanswered(r Reader) int {
	if f := r.Capabilities().Search; f != nil {
		return f.Unanswered()
	}
	return 0
}
