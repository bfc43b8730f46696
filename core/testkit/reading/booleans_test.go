//go:build !js

package reading

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// A boolean in a table has a name: {name: "a", optional: true}.
func TestBooleansHaveNames(t *testing.T) {
	fset := token.NewFileSet()
	everyGoFile(t, func(path string) {
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range unnamedBooleans(fset, file) {
			t.Errorf("%s: a boolean without the name of its field", strings.TrimPrefix(at, filepath.FromSlash(root)+"/"))
		}
	})
}

func TestUnnamedBooleans(t *testing.T) {
	for text, want := range map[string]int{
		"var a = s{1, true}":                        1,
		"var a = []s{{1, true}, {2, false}}":        2,
		"var a = s{n: 1, b: true}":                  0,
		"var a = map[int]bool{1: true}":             0,
		"var a = []bool{true, false}":               0,
		"var a = [2]bool{true, f()}":                0,
		"var a = [][]any{{1, true}}":                0,
		"var a = map[int][2]bool{1: {true, false}}": 0,
		"var a = s{1, f(true)}":                     0,
		"var a = s{true}":                           0, // a structure of one field is its value
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "", "package p\n"+text, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := unnamedBooleans(fset, file); len(got) != want {
			t.Errorf("%s: %q, want %d", text, got, want)
		}
	}
}

// unnamedBooleans lists the values of structures with a true or false that has no name.
func unnamedBooleans(fset *token.FileSet, file *ast.File) (out []string) {
	lists := map[*ast.CompositeLit]bool{} // whose type is that of an element of the list around them
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if isList(elementOf(lit.Type)) {
			for _, e := range lit.Elts {
				if pair, ok := e.(*ast.KeyValueExpr); ok {
					e = pair.Value
				}
				if inner, ok := e.(*ast.CompositeLit); ok {
					lists[inner] = true
				}
			}
		}
		if isList(lit.Type) || lists[lit] || len(lit.Elts) < 2 {
			return true
		}
		for _, e := range lit.Elts {
			if id, ok := e.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
				out = append(out, fmt.Sprint(fset.Position(lit.Pos())))
				break
			}
		}
		return true
	})
	return out
}

// elementOf returns the type of the elements of a list or a map, or nil.
func elementOf(t ast.Expr) ast.Expr {
	switch t := t.(type) {
	case *ast.ArrayType:
		return t.Elt
	case *ast.MapType:
		return t.Value
	}
	return nil
}

func isList(t ast.Expr) bool {
	_, is := t.(*ast.ArrayType)
	return is
}
