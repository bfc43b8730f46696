//go:build !js

package reading

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// widest is the number of columns that a line of code may have; a tab is one.
const widest = 180

// Lines fit on a screen. Only data of tests may be wider: a row of a table stays one line, and a text is what it is.
func TestWidth(t *testing.T) {
	everyGoFile(t, func(path string) {
		fset := token.NewFileSet()
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var file *ast.File
		at := 1
		for i, line := range strings.SplitAfter(string(source), "\n") {
			if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > widest {
				if file == nil {
					if file, err = parser.ParseFile(fset, path, source, parser.SkipObjectResolution); err != nil {
						t.Fatal(err)
					}
				}
				if !ofTests(path) || !inData(file, file.FileStart+token.Pos(at-1+widest)) {
					t.Errorf("%s:%d: %d columns; %d is the limit", strings.TrimPrefix(path, filepath.FromSlash(root)+"/"), i+1, utf8.RuneCountInString(line)-1, widest)
				}
			}
			at += len(line)
		}
	})
}

// The same of TypeScript, styles and build.sh. In a view a break would be a space on the page, and a text that begins a line is what it is.
func TestWidthOfThePage(t *testing.T) {
	files := 0
	for _, folder := range []string{"web/src", "web/test", "web/pack", "editors", "build.sh"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !slices.Contains([]string{".ts", ".css", ".sh"}, filepath.Ext(path)) || strings.HasSuffix(path, ".view.ts") {
				return err
			}
			files++
			source, err := os.ReadFile(path)
			for i, line := range strings.Split(string(source), "\n") {
				if n := utf8.RuneCountInString(line); n > widest && !strings.ContainsAny(strings.TrimSpace(line)[:1], "'`\"") {
					t.Errorf("%s:%d: %d columns; %d is the limit", strings.TrimPrefix(path, filepath.FromSlash(root)+"/"), i+1, n, widest)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("only %d files were read", files)
	}
}

// ofTests reports whether a file is linked into tests only.
func ofTests(path string) bool {
	return strings.HasSuffix(path, "_test.go") || strings.Contains(filepath.ToSlash(path), "core/testkit/")
}

// inData reports whether a position is inside a text or a composite value.
func inData(file *ast.File, at token.Pos) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || found || at < n.Pos() || at >= n.End() {
			return false
		}
		switch n.(type) {
		case *ast.FuncLit:
			return true
		case *ast.BasicLit, *ast.CompositeLit:
			found = true
		}
		return true
	})
	return found
}
