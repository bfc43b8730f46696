package container

import (
	"errors"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/microdump"
)

const piece = 1 << 20

// asUTF16 is ASCII as UTF-16, with the character in the first or second byte of each unit.
func asUTF16(text string, at int) []byte {
	out := make([]byte, 2*len(text))
	for i := range len(text) {
		out[2*i+at] = text[i]
	}
	return out
}

func inMemory(text string) bin.Source {
	return bin.NewSource(strings.NewReader(text), int64(len(text)))
}

func TestTextKind(t *testing.T) {
	noise := strings.Repeat("06-12 I/other( 123): words\n", 10)
	at := func(n int) string { // the first line at an offset
		return strings.Repeat(noise, n/len(noise)+1)[:n-1] + "\n" + microdump.Begin + "\n"
	}
	tests := []struct {
		name, text string
		want       bool
	}{
		{name: "empty", text: ""},
		{name: "one byte", text: "x"},
		{name: "none", text: noise},
		{name: "at once", text: microdump.Begin, want: true},
		{name: "later", text: at(3 << 20), want: true},
		{name: "across two pieces", text: at(piece - 5), want: true},
		{name: "the first bytes of a piece", text: at(piece), want: true},
		{name: "its last bytes", text: at(piece - len(microdump.Begin)), want: true},
		{name: "cut", text: noise + microdump.Begin[:20]},
		{name: "UTF-16", text: "\xff\xfe" + string(asUTF16(at(piece/2-7), 0)), want: true},
		{name: "UTF-16, big-endian", text: "\xfe\xff" + string(asUTF16(at(piece/2+1), 1)), want: true},
		{name: "UTF-16 without a mark", text: string(asUTF16(at(100), 0)), want: true},
		{name: "UTF-16, none", text: "\xff\xfe" + string(asUTF16(noise, 0))},
		{name: "a letter of UTF-16", text: "\xff\xfex"},
	}
	for _, tt := range tests {
		if got := TextKind(inMemory(tt.text), nil) == "microdump"; got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestTextKindStops(t *testing.T) {
	calls := 0
	stop := func(int64) error {
		if calls++; calls == 2 {
			return errors.New("enough")
		}
		return nil
	}
	if TextKind(inMemory(strings.Repeat("x\n", 3*piece)+microdump.Begin), stop) != "" || calls != 2 {
		t.Errorf("found, or called %d times", calls)
	}
}
