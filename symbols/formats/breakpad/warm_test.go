package breakpad

import (
	"bytes"
	"testing"

	"crashglass/core/base/bin"
)

func TestWarm(t *testing.T) {
	for range 3 {
		if err := Warm(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWarmAsks has every question answered without a scan.
func TestWarmAsks(t *testing.T) {
	opt := warmSearch
	opt.BeforeScan = func() (bin.Source, error) { t.Error("the symbols were scanned"); return bin.Source{}, nil }
	f, err := Open(asSource(warmSymbols()), opt)
	if err != nil {
		t.Fatal(err)
	}
	for i := uint64(1); i <= warmQueries; i++ {
		loc, ok := f.Locate(i << 10)
		if _, rules := f.CallFrame(i << 10); !ok || loc.File == "" || len(loc.Inlines) != 1 || !rules {
			t.Fatalf("%#x is at %+v, %v, with rules: %v", i<<10, loc, ok, rules)
		}
	}
}

// Damage would take the scan along other ways than those that a real file takes.
func TestWarmSymbolsAreSound(t *testing.T) {
	text := warmSymbols()
	if len(text) < 1<<20 || len(text) > 5<<18 {
		t.Errorf("%d bytes, want about a megabyte", len(text))
	}
	f, err := Open(bin.NewSource(bytes.NewReader(text), int64(len(text))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := f.Stats(); s.Funcs < 1000 || s.Publics != s.Funcs || s.CFI != s.Funcs || !s.Lines || !s.Inlines {
		t.Errorf("the symbols have %+v", s)
	}
	for i := range uint64(256) {
		loc, ok := f.Locate(i << 10)
		if _, rules := f.CallFrame(i << 10); i > 0 && (!ok || loc.Line == 0 || len(loc.Inlines) != 1 || !rules) {
			t.Fatalf("%#x is at %+v, %v, with rules: %v", i<<10, loc, ok, rules)
		}
	}
	if notes := f.Notes(); len(notes) > 0 {
		t.Errorf("notes %v", notes)
	}
}
