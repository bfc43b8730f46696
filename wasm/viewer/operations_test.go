package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// makesReport are the operations that read symbols themselves.
var makesReport = []string{"report", "force"}

// An operation about a dump that uses symbols, or the report, says so in the table. Otherwise a worker that replaces
// another one answers without.
func TestOperationsSayThatTheyNeedSymbols(t *testing.T) {
	uses, calls := map[string]bool{}, map[string][]string{} // by method of call
	files, _ := filepath.Glob("*.go")
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				ast.Inspect(f, func(n ast.Node) bool {
					if s, ok := n.(*ast.SelectorExpr); ok {
						if x, ok := s.X.(*ast.Ident); ok && x.Name == "c" {
							calls[f.Name.Name] = append(calls[f.Name.Name], s.Sel.Name)
						}
						uses[f.Name.Name] = uses[f.Name.Name] || s.Sel.Name == "store" || s.Sel.Name == "report"
					}
					return true
				})
			}
		}
	}
	found := 0
	for name, op := range operations {
		if !op.aboutDump && name != "syms" {
			continue
		}
		need := uses[name]
		for _, other := range calls[name] {
			need = need || uses[other]
		}
		found++
		if slices.Contains(makesReport, name) {
			continue
		}
		if need != op.needsSymbols {
			t.Errorf("%s: it uses symbols: %v, the table says %v", name, need, op.needsSymbols)
		}
	}
	if found < 15 {
		t.Errorf("only %d operations are about a dump", found)
	}
}
