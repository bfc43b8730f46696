package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crashglass/core/testkit/corefile"
)

// Canaries of a core: in its arguments, in the folder of a library and in memory that no stack needs.
const (
	canaryArguments = "Kanarie0001" // for "demo --fast" of NT_PRPSINFO; the arguments of a dump come from the stack
	canaryPerson    = "Sittich"     // a folder of a library
	canaryMemory    = "Kanarie0002 is what this stack says"
)

// coreWithCanaries is the core of the other tests with texts of the same length in place of its own.
func coreWithCanaries(t *testing.T) []byte {
	core := corefile.AMD64(t)
	replace := func(old, by string) {
		if len(old) != len(by) || !bytes.Contains(core, []byte(old)) {
			t.Fatalf("%q is not in the core", old)
		}
		core = bytes.ReplaceAll(core, []byte(old), []byte(by))
	}
	replace("demo --fast", canaryArguments)
	replace("/lib/lib.so (deleted)", "/home/"+canaryPerson+"/lib5.so")
	copy(core[len(core)-256:], canaryMemory) // the end of the stack
	return core
}

// What lives in a core that was converted or sanitized, in either order. A conversion changes the form and keeps
// the facts: its result has to be sanitized like any dump.
func TestCanariesOfCores(t *testing.T) {
	dir := t.TempDir()
	core := file(t, dir, "core.1234", coreWithCanaries(t))
	made := func(command, from string, flags ...string) string {
		to := filepath.Join(dir, command+filepath.Base(from)+strings.Join(flags, ""))
		if _, errs, status := crashglass(append(append([]string{command}, flags...), "-o", to, from)...); status != exitOK {
			t.Fatalf("%s: %s", command, errs)
		}
		return to
	}
	converted := made("convert", core)
	whole := made("convert", core, "--full")
	for _, test := range []struct {
		name, path string
		alive      []string
	}{
		{"sanitized", made("sanitize", core), nil},
		{"converted", converted, []string{canaryPerson, canaryMemory}}, // the module's path, and the stack
		{"converted with all memory", whole, []string{canaryPerson, canaryMemory}},
		{"converted, then sanitized", made("sanitize", converted), nil},
		{"converted with all memory, then sanitized", made("sanitize", whole), nil},
	} {
		data, err := os.ReadFile(test.path)
		if err != nil {
			t.Fatal(err)
		}
		var alive []string
		for _, canary := range []string{canaryArguments, canaryPerson, canaryMemory} {
			if bytes.Contains(data, []byte(canary)) || bytes.Contains(data, utf16Of(canary)) {
				alive = append(alive, canary)
			}
		}
		if !slices.Equal(alive, test.alive) {
			t.Errorf("%s: alive are %q, want %q", test.name, alive, test.alive)
		}
	}
}

// utf16Of is a text of ASCII in UTF-16.
func utf16Of(text string) []byte {
	return []byte(strings.Join(strings.Split(text, ""), "\x00") + "\x00")
}
