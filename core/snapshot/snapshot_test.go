package snapshot

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"crashglass/core/bin"
	"crashglass/core/minidump"
	"crashglass/core/testkit/dump"
)

// A minidump states all its facts in streams. Its origin is its kind and size, also
// of one that goes on behind its last stream.
func TestOf(t *testing.T) {
	data := append(dump.New().Misc(7, 0).Build(t), 0, 0, 0)
	f, err := minidump.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		t.Fatal(err)
	}
	s := Of(f)
	if want := (Origin{Kind: "minidump", Size: int64(len(data))}); s.File != f || !reflect.DeepEqual(s.Origin, want) {
		t.Errorf("%+v, want %+v", s.Origin, want)
	}
}

// Has asks for all of some facts, and not for one of them.
func TestHas(t *testing.T) {
	for _, tt := range []struct {
		lacks, facts Lack
		want         bool
	}{
		{0, 0, true}, // nothing is always lacking
		{0, Copy, false},
		{Copy, Copy, true},
		{Copy | Writer, Copy, true},
		{Copy, Copy | Writer, false},
		{CPUModel, CPUCount, false},
	} {
		if got := tt.lacks.Has(tt.facts); got != tt.want {
			t.Errorf("%q has %q: %t", tt.lacks, tt.facts, got)
		}
	}
}

// Each fact is its own, with its own word.
func TestWordsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for l := CPUModel; l <= Copy; l *= 2 {
		if text := l.String(); text == "" || strings.Contains(text, ",") || seen[text] {
			t.Errorf("%d is %q", l, text)
		} else {
			seen[text] = true
		}
	}
	if Lack(0).String() != "" || (2*Copy).String() != "" {
		t.Errorf("%q and %q", Lack(0), 2*Copy)
	}
}

// A fact that no word stands for is not said, and hides no other.
func TestUnknownLack(t *testing.T) {
	if got := (Copy<<1 | Writer).String(); got != "writer" {
		t.Errorf("%q", got)
	}
}
