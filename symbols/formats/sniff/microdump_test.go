package sniff

import (
	"errors"
	"strings"
	"testing"

	"crashglass/core/base/bin"
)

func inMemory(text string) bin.Source {
	return bin.NewSource(strings.NewReader(text), int64(len(text)))
}

func TestHasMicrodump(t *testing.T) {
	noise := strings.Repeat("06-12 I/other( 123): words\n", 10)
	at := func(n int) string { // the first line at an offset
		return strings.Repeat(noise, n/len(noise)+1)[:n-1] + "\n" + microdumpBegin + "\n"
	}
	tests := []struct {
		name, text string
		want       bool
	}{
		{"empty", "", false},
		{"one byte", "x", false},
		{"none", noise, false},
		{"at once", microdumpBegin, true},
		{"later", at(3 << 20), true},
		{"across two pieces", at(searchChunk - 5), true},
		{"the first bytes of a piece", at(searchChunk), true},
		{"its last bytes", at(searchChunk - len(microdumpBegin)), true},
		{"cut", noise + microdumpBegin[:20], false},
		{"UTF-16", "\xff\xfe" + string(inUTF16(at(searchChunk/2-7), 0)), true},
		{"UTF-16, big-endian", "\xfe\xff" + string(inUTF16(at(searchChunk/2+1), 1)), true},
		{"UTF-16 without a mark", string(inUTF16(at(100), 0)), true},
		{"UTF-16, none", "\xff\xfe" + string(inUTF16(noise, 0)), false},
		{"a letter of UTF-16", "\xff\xfex", false},
	}
	for _, tt := range tests {
		if got := HasMicrodump(inMemory(tt.text), nil); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestHasMicrodumpStops(t *testing.T) {
	calls := 0
	stop := func(int64) error {
		if calls++; calls == 2 {
			return errors.New("enough")
		}
		return nil
	}
	if HasMicrodump(inMemory(strings.Repeat("x", 5*searchChunk)+microdumpBegin), stop) || calls != 2 {
		t.Errorf("found, or asked %d times", calls)
	}
}
