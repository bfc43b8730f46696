package symbols

import (
	"errors"
	"strings"
	"testing"
)

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
		{"UTF-16", "\xff\xfe" + string(wide(at(searchChunk/2-7), 0)), true},
		{"UTF-16, big-endian", "\xfe\xff" + string(wide(at(searchChunk/2+1), 1)), true},
		{"UTF-16 without a mark", string(wide(at(100), 0)), true},
		{"UTF-16, none", "\xff\xfe" + string(wide(noise, 0)), false},
		{"a letter of UTF-16", "\xff\xfex", false},
	}
	for _, tt := range tests {
		if got := hasMicrodump(source(tt.text), nil); got != tt.want {
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
	if hasMicrodump(source(strings.Repeat("x", 5*searchChunk)+microdumpBegin), stop) || calls != 2 {
		t.Errorf("found, or asked %d times", calls)
	}
}

// A microdump far inside a log is found in the log itself, and in an archive
// when the log looks like one.
func TestAddLog(t *testing.T) {
	far := strings.Repeat("06-12 I/other( 123): words\n", 10_000) + microdumpBegin + "\n"
	logcat := "--------- beginning of main\n" + far
	tests := []struct{ name, data, want string }{
		{"a.log", far, "a.log is microdump dump"},
		{"a.log.gz", gzipped(logcat), "a.log.gz/a.log is microdump dump in a.log.gz"},
		{"bugreport.zip", zipped("main.txt", logcat, "notes.txt", far), "bugreport.zip/main.txt is microdump dump in bugreport.zip"},
		{"b.zip", zipped("main.txt", logcat[:1000]), "b.zip is zip: this is a zip archive of 1 files, none of which is a dump or a symbol file"},
	}
	for _, tt := range tests {
		if got := items(NewStore(Options{}).Add(tt.name, source(tt.data))); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}
