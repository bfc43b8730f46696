//go:build !js

// Package reading enforces rules of the whole program about how code reads: the documentation of a package
// with several files names the files to read first, in the order in which data flows; a comment that begins
// with a symbol is about the symbol below it; lines fit on a screen.
package reading

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../../.."

// tops are the folders with Go code.
var tops = []string{"core", "symbols", "cmd", "wasm"}

// few is the number of files that need no order.
const few = 3

var (
	order = regexp.MustCompile(`\bRead (this file|[a-z0-9]+\.go)`)
	named = regexp.MustCompile(`\b[a-z0-9_]+\.go\b`)
)

func TestReadingOrder(t *testing.T) {
	packages := 0
	for _, top := range tops {
		err := filepath.WalkDir(filepath.Join(root, top), func(dir string, d os.DirEntry, err error) error {
			if err != nil || !d.IsDir() || d.Name() == "testdata" {
				return err
			}
			doc, files := documentation(t, dir)
			if files > 0 {
				packages++
			}
			if files > few && !order.MatchString(doc) {
				t.Errorf("%s: the documentation of %d files does not say which to read first (\"Read x.go ...\")", dir, files)
			}
			for _, file := range named.FindAllString(doc, -1) {
				if _, err := os.Stat(filepath.Join(dir, file)); err != nil && order.MatchString(doc) {
					t.Errorf("%s: the documentation names %s, which is not there", dir, file)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if packages < 40 {
		t.Errorf("only %d packages were read", packages)
	}
}

// documentation is a package's comment on one line, and how many files it has
// without tests.
func documentation(t *testing.T, dir string) (doc string, files int) {
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		files++
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		doc += parsed.Doc.Text()
	}
	return strings.Join(strings.Fields(doc), " "), files
}
