package symbols

import (
	"strings"
	"testing"
)

// A microdump far inside a log is found in the log itself, and in an archive
// when the log looks like one.
func TestAddLog(t *testing.T) {
	far := strings.Repeat("06-12 I/other( 123): words\n", 10_000) + "-----BEGIN BREAKPAD MICRODUMP-----" + "\n"
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
