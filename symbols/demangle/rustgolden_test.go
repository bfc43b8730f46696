package demangle

import (
	"os"
	"strings"
	"testing"
)

// rustGolden has a name and what dump_syms 2.3.9 makes of it on each line, by
// rustc-demangle 0.1.28: nothing for a name that it leaves as it is, and for one with a
// defect, which it writes into the text ("{invalid syntax}").
const rustGolden = "testdata/rust.txt"

// Every name that the Rust mangler makes up reads as Rust's own demangler reads it.
func TestRustGolden(t *testing.T) {
	text, err := os.ReadFile(rustGolden)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	names := rustNames(len(lines))
	for i, line := range lines {
		name, want, _ := strings.Cut(line, "\t")
		if name != names[i] {
			t.Fatalf("%s:%d: %q, the test has %q", rustGolden, i+1, name, names[i])
		}
		got, err := Full(name)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s\n got %q, %v\nwant %q", name, got, err, want)
		}
	}
}
