//go:build !js

package imports

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

var systems = []process.OS{
	process.Windows, process.Mac, process.IOS, process.Linux, process.Android, process.Solaris, process.NaCl, process.Fuchsia,
}

// ownSystems are the packages of CPUs and operating systems.
var ownSystems = []string{"core/machine/", "core/process/"}

// otherWords are texts that are no system's name, although they read like one.
var otherWords = map[string]string{
	"core/dump/elfcore/image.go": "the owner of a note of the kernel",
	"core/sanitize/numbers.go":   "the first word of a kernel's version",
	"cmd/build/run.go":           "runtime.GOOS: the system that the build runs on",
	"cmd/build/release.go":       "runtime.GOOS: the system that the build runs on",
	"cmd/crashglass/paint.go":    "runtime.GOOS: the system that the program runs on",
	"cmd/internal/local/path.go": "runtime.GOOS: the system that the program runs on",
}

// namesSystem reports whether an expression is a CPU, an operating system, or the name of one.
func namesSystem(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return err == nil && (cpu.ByName(text) != nil || process.Named(text) != "" || slices.Contains(systems, process.OS(text)))
	case *ast.UnaryExpr: // &cpu.AMD64
		sel, ok := e.X.(*ast.SelectorExpr)
		return ok && isPackage(sel, "cpu")
	case *ast.SelectorExpr:
		return isPackage(e, "process") && slices.ContainsFunc(systems, func(os process.OS) bool { return strings.EqualFold(string(os), e.Sel.Name) })
	}
	return false
}

func isPackage(e *ast.SelectorExpr, name string) bool {
	x, ok := e.X.(*ast.Ident)
	return ok && x.Name == name
}

// comparesSystem lists the places that compare something with a CPU or an operating system.
func comparesSystem(file *ast.File) (at []token.Pos) {
	ast.Inspect(file, func(n ast.Node) bool {
		var with []ast.Expr
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				with = []ast.Expr{n.X, n.Y}
			}
		case *ast.CaseClause:
			// A switch over the value chooses one system's table; one over a text compares names.
			for _, e := range n.List {
				if _, text := e.(*ast.BasicLit); text {
					with = append(with, e)
				}
			}
		}
		if slices.ContainsFunc(with, namesSystem) {
			at = append(at, n.Pos())
		}
		return true
	})
	return at
}

// What depends on a CPU or an operating system is a property of its value, or a row of a table.
func TestNothingComparesSystems(t *testing.T) {
	read, found := 0, map[string]bool{}
	for _, top := range []string{"core", "symbols", "wasm", "cmd"} {
		err := fs.WalkDir(os.DirFS(path.Join(root, top)), ".", func(name string, d fs.DirEntry, err error) error {
			file := path.Join(top, name)
			if err != nil || d.IsDir() || path.Ext(file) != ".go" || !isCode(file) || slices.ContainsFunc(ownSystems, func(p string) bool { return strings.HasPrefix(file, p) }) {
				return err
			}
			read++
			set := token.NewFileSet()
			parsed, err := parser.ParseFile(set, path.Join(root, file), nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, at := range comparesSystem(parsed) {
				found[file] = true
				if otherWords[file] == "" {
					t.Errorf("%s:%d compares a CPU or an operating system: it belongs to the value, or in a table", file, set.Position(at).Line)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read < 100 {
		t.Errorf("only %d files were read", read)
	}
	for file := range otherWords {
		if !found[file] {
			t.Errorf("%s compares no such word any more", file)
		}
	}
}

func TestComparesSystem(t *testing.T) {
	for code, want := range map[string]int{
		`os == process.Linux`: 1, `process.Windows != os`: 1, `arch == &cpu.AMD64`: 1, `name == "amd64"`: 1, `name == "Windows NT"`: 1,
		`os.IsLinux()`: 0, `reg == cpu.ARMPC`: 0, `name == "main"`: 0, `n == 1`: 0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nvar _ = "+code, 0)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(comparesSystem(file)); n != want {
			t.Errorf("%s: %d comparisons, want %d", code, n, want)
		}
	}
}
