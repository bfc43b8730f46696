package breakpad

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// partly is a file whose parts say different things: the code ID, lines, INLINE records, frames of both
// kinds and damaged lines stand in later parts, and numbers of FILE are out of order.
var partly = strings.Join([]string{
	"MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 app",
	"FILE 0 a.c", "FILE 9000000 far.c", "FILE 1 b.c",
	"FUNC 1000 10 0 first", "FUNC x damaged", "FUNC 1010 10 0 second", "1010 10 7 0",
	"FUNC 1020 10 0 third", "INLINE_ORIGIN 0 inlined", "INLINE 0 3 0 0 1020 8", "1020 10 8 9000000", "FILE 2 c.c", "FILE 8000000 near.c",
	"FUNC 1030 10 0 fourth", "1030 8 1 2", "1038 8 2 8000000", "INFO CODE_ID ABCD", "PUBLIC 2000 0 public", "PUBLIC 1800 0 lower", "STACK WIN 4 1030 10 0 0 0 0 0 0 1 $eip .raSearchStart ^ =", "STACK WIN 0 1020 8 0 0 0 0 4 0 0 0",
	"STACK CFI INIT 1000 10 .cfa: $rsp 8 +", "STACK CFI 1004 .cfa: $rsp 16 +",
	"STACK CFI INIT 1010 10 .cfa: $rsp 24 +", "STACK CFI 10", "FUNC 1040 10 0 last", "",
}, "\n")

// A file that is scanned in parts, cut before any of its records, says the same as in one piece: tables,
// facts outside of them, and the lines of damage.
func TestSmallParts(t *testing.T) {
	whole := openString(t, partly, Options{Parts: 1})
	index, want := whole.Index(), answers(whole)
	if stats := whole.Stats(); !stats.Lines || !stats.Inlines || stats.Funcs != 5 || stats.CFI != 2 || len(whole.Notes()) < 2 {
		t.Fatalf("%+v, %v", stats, whole.Notes())
	}
	for n := 2; n <= 12; n++ {
		f := openString(t, partly, Options{Parts: n})
		if !bytes.Equal(f.Index(), index) {
			t.Errorf("in %d parts: another index", n)
		}
		if have := answers(f); !reflect.DeepEqual(have, want) {
			t.Errorf("in %d parts: got  %v\nwant %v", n, have, want)
		}
		a, b := f.Stats(), whole.Stats()
		a.IndexBytes, b.IndexBytes = 0, 0 // how much memory is spare depends on the parts
		if fmt.Sprint(f.Notes()) != fmt.Sprint(whole.Notes()) || a != b || f.Module() != whole.Module() {
			t.Errorf("in %d parts: %+v, %+v, %v", n, a, f.Module(), f.Notes())
		}
	}
}

// The places at which a file may be divided are its FUNC and STACK CFI INIT records, each once.
func TestSmallCuts(t *testing.T) {
	starts := map[int64]bool{0: true, int64(len(partly)): true}
	for at := range partly {
		if at > 0 && partly[at-1] == '\n' && (strings.HasPrefix(partly[at:], "FUNC ") || strings.HasPrefix(partly[at:], "STACK CFI INIT ")) {
			starts[int64(at)] = true
		}
	}
	f := openString(t, partly, Options{})
	for n := 1; n < 60; n++ {
		cuts, err := f.t.cuts(n)
		if err != nil || cuts[0] != 0 || cuts[len(cuts)-1] != int64(len(partly)) || len(cuts) > n+1 {
			t.Fatalf("%d parts: %v, %v", n, cuts, err)
		}
		for i, at := range cuts {
			if !starts[at] || i > 0 && at <= cuts[i-1] {
				t.Errorf("%d parts: %v, and %d begins none", n, cuts, at)
			}
		}
	}
	// The first record from a place on, of either kind.
	for at := range int64(len(partly)) {
		got, err := f.t.cutFrom(at)
		want := at + 1
		for !starts[want] {
			want++
		}
		if got != want || err != nil {
			t.Errorf("from %d: %d, %v, want %d", at, got, err, want)
		}
	}
}

// A saved index keeps what is outside of tables, and is refused with any byte changed or missing.
func TestSmallIndex(t *testing.T) {
	for _, data := range []string{partly, "FUNC 1000 10 0 f\n", "MODULE a b c d\nFILE 0 a\nFUNC 1000 10 0 f\n1000 10 1 0\n"} {
		fresh := openString(t, data, Options{Parts: 1})
		index := fresh.Index()
		saved := openString(t, data, Options{Index: kept(index)})
		if a, b := saved.Stats(), fresh.Stats(); !saved.saved || a.Lines != b.Lines || a.Inlines != b.Inlines || a.Funcs != b.Funcs ||
			saved.Module() != fresh.Module() || fmt.Sprint(saved.Notes()) != fmt.Sprint(fresh.Notes()) {
			t.Errorf("%.20q: %v, %+v, %+v, %v", data, saved.saved, saved.Stats(), saved.Module(), saved.Notes())
		}
		for i := range index {
			for _, bit := range []byte{1, 0x80} {
				damaged := bytes.Clone(index)
				damaged[i] ^= bit
				if openString(t, data, Options{Index: kept(damaged)}).saved {
					t.Errorf("%.20q: byte %d ^ %#x: the index is used", data, i, bit)
				}
			}
			if openString(t, data, Options{Index: kept(index[:i])}).saved || openString(t, data, Options{Index: kept(append(index[:i:i], index[min(i+1, len(index)):]...))}).saved {
				t.Errorf("%.20q: cut at %d, or without that byte: the index is used", data, i)
			}
		}
		if openString(t, data+"\n", Options{Index: kept(index)}).saved {
			t.Errorf("%.20q: the index of a smaller file is used", data)
		}
	}
}
