package breakpad

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/sample"
)

func TestNewline(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		b := make([]byte, rnd.IntN(40))
		for i := range b {
			b[i] = "\n\x0b\x09\x8a\x00\xff a"[rnd.IntN(8)]
			if rnd.IntN(4) > 0 {
				b[i] = 'x'
			}
		}
		from := rnd.IntN(len(b) + 1)
		want := len(b)
		if i := bytes.IndexByte(b[from:], '\n'); i >= 0 {
			want = from + i
		}
		if got := newline(b, from); got != want {
			t.Fatalf("newline(%q, %d) = %d, want %d", b, from, got, want)
		}
	}
}

func TestCuts(t *testing.T) {
	data := generated(20_000)
	f := openString(t, data, Options{Parts: 1})
	cuts, err := f.t.cuts(5)
	if err != nil || len(cuts) != 6 || !slices.IsSorted(cuts) {
		t.Fatalf("cuts %v, %v", cuts, err)
	}
	for _, at := range cuts[1:5] {
		if k, _ := kindOf([]byte(data[at : at+40])); k != kindFunc && k != kindInit || data[at-1] != '\n' {
			t.Errorf("a part begins at %#x with %q", at, data[at-1:at+40])
		}
	}
	parts := openString(t, data, Options{Parts: 5})
	if a, b := f.Stats(), parts.Stats(); a.Funcs != b.Funcs || a.CFI != b.CFI || a.IndexBytes != b.IndexBytes {
		t.Errorf("in one piece %+v, in parts %+v", a, b)
	}
}

// TestChunks puts the ends of chunks everywhere in lines of every length.
func TestChunks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	var b bytes.Buffer
	var want []uint64
	for b.Len() < 3*chunk {
		at := uint64(b.Len())
		name := bytes.Repeat([]byte("n"), 1+rnd.IntN(5000))
		if rnd.IntN(100) == 0 {
			name = bytes.Repeat([]byte("n"), maxLine-100+rnd.IntN(200))
		}
		line := fmt.Appendf(nil, "FUNC %x 1 0 ", at)
		line = append(line, name...)
		if len(line) <= maxLine {
			want = append(want, at)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	f := openString(t, b.String(), Options{Parts: 1})
	if f.Stats().Funcs != len(want) {
		t.Errorf("%d functions, want %d", f.Stats().Funcs, len(want))
	}
	for _, at := range want {
		if r, ok := f.x.funcs.Find(at); !ok || r.Value != int64(at) {
			t.Fatalf("the function at %#x is found at %#x, %v", at, r.Value, ok)
		}
	}
}

// scanned is the index of a file that was scanned in n parts, as several
// processes do it.
func scanned(t *testing.T, data string, n int) [][]byte {
	t.Helper()
	src := bin.NewSource(strings.NewReader(data), int64(len(data)))
	cuts, err := Cut(src, n)
	if err != nil {
		t.Fatal(err)
	}
	var parts [][]byte
	for i := range len(cuts) - 1 {
		part, err := ScanPart(src, cuts[i], cuts[i+1], nil)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
	}
	return parts
}

// TestPartsOfSeveral scans parts of files on their own and joins what they
// say. A part that does not make sense alone makes the whole unfit for use,
// and the file is scanned.
func TestPartsOfSeveral(t *testing.T) {
	files := []string{generated(3000), everything + generated(500), utf16Text(generated(300))}
	for seed := range uint64(40) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 4))}
		files = append(files, m.file())
	}
	used := 0
	for i, data := range sample.Members(files) {
		want := answers(openString(t, data, Options{Parts: 1}))
		for _, n := range []int{1, 2, 3, 7} {
			parts := scanned(t, data, n)
			scans := 0
			f := openString(t, data, Options{Index: kept(bytes.Join(parts, nil)), Scanned: func(func() []byte) { scans++ }})
			if have := answers(f); !reflect.DeepEqual(have, want) {
				t.Fatalf("file %d in %d parts: got  %v\nwant %v", i, n, have, want)
			}
			if f.saved != (scans == 0) {
				t.Errorf("file %d in %d parts: saved %v after %d scans", i, n, f.saved, scans)
			}
			if f.saved && len(parts) > 1 {
				used++
			}
		}
	}
	if used < sample.Of(10) {
		t.Errorf("an index in several parts was used %d times", used)
	}
}

// TestPartsOutOfOrder joins parts that are not all of a file, each once, in its order.
func TestPartsOutOfOrder(t *testing.T) {
	data := generated(2000)
	p := scanned(t, data, 3)
	if len(p) != 3 {
		t.Fatalf("%d parts", len(p))
	}
	other := scanned(t, generated(2001), 3)
	for name, index := range map[string][][]byte{
		"none": {}, "two": {p[0], p[1]}, "not the first": {p[1], p[2]}, "a hole": {p[0], p[2]}, "swapped": {p[0], p[2], p[1]},
		"twice": {p[0], p[1], p[1], p[2]}, "too much": {p[0], p[1], p[2], p[2]}, "of another": {p[0], p[1], other[2]},
		"cut": {p[0], p[1], p[2][:len(p[2])-1]}, "more": {p[0], p[1], p[2], {0}},
	} {
		if f := openString(t, data, Options{Index: kept(bytes.Join(index, nil))}); f.saved {
			t.Errorf("%s: is used", name)
		}
	}
	if f := openString(t, data, Options{Index: kept(bytes.Join(p, nil))}); !f.saved {
		t.Error("all of them: not used")
	}
}

func TestScanPartRefuses(t *testing.T) {
	src := bin.NewSource(strings.NewReader("FUNC 1"), 6)
	for _, at := range [][2]int64{{-1, 3}, {4, 3}, {0, 7}} {
		if _, err := ScanPart(src, at[0], at[1], nil); err == nil || !strings.Contains(err.Error(), "of a text of 6") {
			t.Errorf("%v: %v", at, err)
		}
	}
	stop := errors.New("enough")
	if _, err := ScanPart(src, 0, 6, func(done, total int64) error { return stop }); err != stop {
		t.Errorf("stopped: %v", err)
	}
}

// TestIndexHasNoText looks for anything of a file in its index: an index may
// be kept on a disk, where no name of the file has anything to look for.
func TestIndexHasNoText(t *testing.T) {
	data := strings.ReplaceAll(everything, "a.c", "canary-of-a-path")
	data += "FUNC 9000 10 0 canary_function\n9000 10 1 1\nPUBLIC 9100 0 canary_public\nnoise of a canary\nINLINE_ORIGIN 99 canary_inline\nFILE 98 /canary/file\nINFO canary\n"
	index := append(openString(t, data, Options{}).Index(), bytes.Join(scanned(t, data, 3), nil)...)
	if !strings.Contains(data, "canary") || bytes.Contains(bytes.ToLower(index), []byte("canary")) {
		t.Error("the index has text of the file in it")
	}
}
