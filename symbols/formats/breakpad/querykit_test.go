package breakpad

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"crashglass/core/base/bin"
)

// searching opens a file that is never scanned, whatever it lacks.
func searching(t testing.TB, data []byte, page int64) *File {
	t.Helper()
	src := bin.NewSource(bytes.NewReader(data), int64(len(data)))
	s, err := newSearched(src, page)
	if errors.Is(err, errNoLine) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	whole, err := newText(src)
	if err != nil {
		t.Fatal(err)
	}
	never := Options{BeforeScan: func() (bin.Source, error) { return bin.Source{}, errors.New("not now") }}
	f := &File{whole: whole, opt: never, x: index{module: -1, codeID: -1}}
	f.search(s)
	return f
}

// A tally counts questions by whether the search had an answer.
type tally struct{ found, unsure, contested int }

func (n *tally) add(o tally) {
	n.found, n.unsure, n.contested = n.found+o.found, n.unsure+o.unsure, n.contested+o.contested
}

// compareSearched asks the search and the scan the same four questions. What the
// search finds must be what the scan says, unless the file says two things.
func compareSearched(t testing.TB, what string, searched, scanned *File, rows *[seriesCount][]row3, addr uint64) (n tally) {
	t.Helper()
	one := func(question string, series series, have any, found bool, want any, is bool) {
		switch {
		case !found:
			n.unsure++
		case is && reflect.DeepEqual(have, want):
			n.found++
		case contested(rows, series, addr) || series == byFunc && (contestedIDs(rows, byFile) || contestedIDs(rows, byOrigin)):
			n.contested++
		default:
			t.Errorf("%s: %s(%#x) = %+v, and by a scan %+v, %v", what, question, addr, have, want, is)
		}
		searched.searched.Reads = 0
	}
	loc, found := searched.Locate(addr)
	wantLoc, is := scanned.Locate(addr)
	one("Locate", byFunc, loc, found, wantLoc, is)
	fn, found := searched.Function(addr)
	wantFn, is := scanned.Function(addr)
	one("Function", byFunc, fn, found, wantFn, is)
	cf, found := searched.CallFrame(addr)
	wantCF, is := scanned.CallFrame(addr)
	one("CallFrame", byInit, cf, found, wantCF, is)
	win, found := searched.WinFrame(addr)
	wantWin, is := scanned.WinFrame(addr)
	one("WinFrame", byWin, win, found, wantWin, is)
	return n
}

// row3 is a record of a series.
type row3 struct{ start, size uint64 }

// rowsOf lists the records of each series in the order of the file.
func rowsOf(t testing.TB, data []byte) (out [seriesCount][]row3) {
	text, err := newText(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		t.Fatal(err)
	}
	s := newScanner(text)
	if err := s.run(0, text.size(), progressOf(text, nil)); err != nil {
		t.Fatal(err)
	}
	for k, rows := range s.index.block().Rows {
		for _, r := range rows {
			out[k] = append(out[k], row3{r.Start, r.Size})
		}
	}
	return out
}

// contested reports whether several records of a series have an address, and
// some record of the series is out of its place.
func contested(rows *[seriesCount][]row3, k series, v uint64) bool {
	have, disorder := 0, false
	for i, r := range rows[k] {
		if v-r.start < r.size {
			have++
		}
		disorder = disorder || i > 0 && r.start < rows[k][i-1].start
	}
	return have > 1 && disorder
}

func contestedIDs(rows *[seriesCount][]row3, k series) bool {
	seen, disorder := map[uint64]bool{}, false
	twice := false
	for i, r := range rows[k] {
		twice = twice || seen[r.start]
		seen[r.start] = true
		disorder = disorder || i > 0 && r.start < rows[k][i-1].start
	}
	return twice && disorder
}
