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
		{"empty", "", false},
		{"one byte", "x", false},
		{"none", noise, false},
		{"at once", microdump.Begin, true},
		{"later", at(3 << 20), true},
		{"across two pieces", at(piece - 5), true},
		{"the first bytes of a piece", at(piece), true},
		{"its last bytes", at(piece - len(microdump.Begin)), true},
		{"cut", noise + microdump.Begin[:20], false},
		{"UTF-16", "\xff\xfe" + string(asUTF16(at(piece/2-7), 0)), true},
		{"UTF-16, big-endian", "\xfe\xff" + string(asUTF16(at(piece/2+1), 1)), true},
		{"UTF-16 without a mark", string(asUTF16(at(100), 0)), true},
		{"UTF-16, none", "\xff\xfe" + string(asUTF16(noise, 0)), false},
		{"a letter of UTF-16", "\xff\xfex", false},
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
