//go:build !js

package imports

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// knowsCores are the places that know of ELF cores: the package that reads and writes them, the container
// that picks it, the kinds of files, and the command that writes cores.
var knowsCores = []string{
	"core/dump/elfcore", "core/dump/container", "core/testkit/corefile", "symbols/formats/sniff", "cmd/crashglass/convertcore.go",
}

// ofCores is code that speaks of ELF cores; asksKind compares what a snapshot's
// file is called.
var (
	ofCores  = regexp.MustCompile(`\belfcore\b|"ELF core"|'ELF core'|\bELFCore\b`)
	asksKind = regexp.MustCompile(`Origin\.Kind\s*[!=]=|switch .*Origin\.Kind|\bdump\.kind\s*[!=]=|\.Kind [!=]= "minidump"`)
)

// TestNothingAsksTheKind reads the code between the container and the outputs:
// what walks, analyses, masks, writes and shows a crash does not know whether
// it was a core.
func TestNothingAsksTheKind(t *testing.T) {
	read := 0
	for _, top := range []string{"core", "symbols", "wasm", "web/src", "cmd"} {
		err := fs.WalkDir(os.DirFS(path.Join(root, top)), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			file := path.Join(top, name)
			if d.IsDir() || !isCode(file) || slices.ContainsFunc(knowsCores, func(p string) bool { return file == p || strings.HasPrefix(file, p+"/") }) {
				return nil
			}
			read++
			text, err := os.ReadFile(path.Join(root, file))
			for i, line := range strings.Split(string(text), "\n") {
				code, _, _ := strings.Cut(line, "//")
				code, _, _ = strings.Cut(code, "/**")
				if ofCores.MatchString(code) || asksKind.MatchString(code) {
					t.Errorf("%s:%d depends on the kind of file it was: %s", file, i+1, strings.TrimSpace(line))
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read < 100 {
		t.Errorf("only %d files were read", read)
	}
}

func isCode(file string) bool {
	return strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") ||
		strings.HasSuffix(file, ".ts") && !strings.HasSuffix(file, ".test.ts")
}
