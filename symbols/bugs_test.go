package symbols

import (
	"io"
	"strings"
	"testing"

	"crashglass/symbols/archives/archive"
)

// A bug in a library that unpacks files costs the file that meets it: the other
// members of its archive are there.
func TestBugInALibrary(t *testing.T) {
	s := NewStore(Options{Limits: archive.Limits{Decompressors: map[string]func(io.Reader) (io.Reader, error){
		"zstd": func(io.Reader) (io.Reader, error) { panic("a password") },
	}}})
	packed := "\x28\xb5\x2f\xfd" + strings.Repeat("x", 100)
	got := items(s.Add("a.zip", source(zipped("one.sym.zst", packed, "dwz.elf", testfile(t, "dwz.elf")))))
	if !strings.Contains(got, "a.zip/dwz.elf is ELF symbols") || !strings.Contains(got, "this is a bug in Crashglass (panic of type string in symbols") || strings.Contains(got, "password") {
		t.Errorf("got %s", got)
	}
	if got := items(s.Add("one.sym.zst", source(packed))); !strings.Contains(got, "this is a bug in Crashglass") {
		t.Errorf("alone: got %s", got)
	}
}
