//go:build !js

// Package sentences enforces a rule of the whole program: its behaviour never depends on a
// sentence. Every sentence may be reworded, or translated.
package sentences

import (
	"fmt"
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
	"unicode"
)

const root = "../../.."

// notOurs are texts with words that may be compared: other programs wrote them, or the reason is
// given.
var notOurs = map[string]string{
	" ELF section in ": "Breakpad's dump_syms makes a name of a section with it",
	"this is ":         "package symbols puts two sentences of its own into one; nothing but words depends on it",
	"typeinfo for ":    "demangled names of the Itanium C++ ABI",
}

// readsTexts has readers of reports, whose texts other programs wrote.
const readsTexts = "core/dump/text"

// notYet are comparisons of package crash that wait for a kind.
var notYet = []string{"File could not be read"}

// comparisons are the functions of package strings that ask what a text is.
var comparisons = []string{"Contains", "HasPrefix", "HasSuffix", "EqualFold", "Index", "LastIndex", "Count", "Cut", "CutPrefix", "CutSuffix", "TrimPrefix", "TrimSuffix", "Compare"}

// isSentence reports whether a text has two consecutive words in lower case, except for the first
// letter.
func isSentence(s string) bool {
	words := 0
	for w := range strings.FieldsSeq(s) {
		if len(w) < 2 || strings.ContainsFunc(w[1:], func(r rune) bool { return !unicode.IsLower(r) && r != '\'' && r != ',' }) {
			words = 0
			continue
		}
		if words++; words == 2 {
			return true
		}
	}
	return false
}

// compared lists the texts that a file compares something with.
func compared(file *ast.File) (out []*ast.BasicLit) {
	add := func(list ...ast.Expr) {
		for _, e := range list {
			if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				out = append(out, lit)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				add(n.X, n.Y)
			}
		case *ast.CaseClause:
			add(n.List...)
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && fmt.Sprint(f.X) == "strings" && slices.Contains(comparisons, f.Sel.Name) {
				add(n.Args...)
			}
		}
		return true
	})
	return out
}

func TestNothingComparesSentences(t *testing.T) {
	files, found := 0, map[string]bool{}
	fsys := os.DirFS(root)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"node_modules", "build", "dist", ".git", "testdata"}, d.Name()):
			return fs.SkipDir
		case name == readsTexts:
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files++
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, path.Join(root, name), nil, 0)
		if err != nil {
			return err
		}
		for _, lit := range compared(parsed) {
			text, err := strconv.Unquote(lit.Value)
			if err != nil || !isSentence(text) {
				continue
			}
			found[text] = true
			if notOurs[text] == "" && !slices.Contains(notYet, text) {
				t.Errorf("%s: compares with %q: use a kind", set.Position(lit.Pos()), text)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Errorf("only %d files were read", files)
	}
	for text := range notOurs {
		if !found[text] {
			t.Errorf("nothing compares with %q any more", text)
		}
	}
}
