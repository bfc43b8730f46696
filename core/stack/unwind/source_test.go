package unwind

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

// CPUs differ by data: no code compares the CPU. No code depends on a sentence either, because
// sentences are for users and may change.
func TestSource(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, defect := range sourceDefects(set, tree) {
			t.Error(defect)
		}
	}
}

// The test finds what it looks for.
func TestSourceDefects(t *testing.T) {
	for code, want := range map[string]string{
		`_ = w.Name == other`:                        "x.go:3: compares the name of a CPU",
		`switch w.Arch.Name { case other: }`:         "x.go:3: compares the name of a CPU",
		`_ = isas[w.Name]`:                           "x.go:3: compares the name of a CPU",
		`_ = "mips64"`:                               `x.go:3: names the CPU "mips64"`,
		`_ = w.Arch == &cpu.ARM`:                     "x.go:3: compares with one CPU",
		`switch w.Arch { case &cpu.ARM: }`:           "x.go:3: compares with one CPU",
		`_ = end == "the frame pointer is 0"`:        `x.go:3: depends on the words "the frame pointer is 0"`,
		`switch end { case "no memory": }`:           `x.go:3: depends on the words "no memory"`,
		`_ = strings.HasPrefix(end, "no progress:")`: `x.go:3: depends on the words "no progress:"`,
		`_ = fn.Name == "start"; w.say("no memory")`: "",
		`_ = w.in.OS == "windows"; f(&cpu.ARM)`:      "",
	} {
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, "x.go", "package x\nfunc x() {\n"+code+"\n}", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(sourceDefects(set, tree), "; "); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

func sourceDefects(set *token.FileSet, tree *ast.File) (defects []string) {
	ast.Inspect(tree, func(n ast.Node) bool {
		for _, e := range compared(n) {
			if what := dependsOn(e); what != "" {
				defects = append(defects, fmt.Sprintf("%s:%d: %s", set.Position(n.Pos()).Filename, set.Position(n.Pos()).Line, what))
			}
		}
		if text, ok := literal(n); ok && cpu.ByName(text) != nil {
			defects = append(defects, fmt.Sprintf("%s:%d: names the CPU %q", set.Position(n.Pos()).Filename, set.Position(n.Pos()).Line, text))
		}
		return true
	})
	return defects
}

// compared are the expressions that a node compares with something, or looks up.
func compared(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			return []ast.Expr{n.X, n.Y}
		}
	case *ast.SwitchStmt:
		return []ast.Expr{n.Tag}
	case *ast.CaseClause:
		return n.List
	case *ast.IndexExpr:
		return []ast.Expr{n.Index}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.SelectorExpr); ok && isNamed(f.X, "strings") {
			return n.Args
		}
	}
	return nil
}

// dependsOn says what a comparison with an expression depends on. Only
// functions may be recognized by their names, which are called fn.
func dependsOn(e ast.Expr) string {
	if text, ok := literal(e); ok && strings.Contains(strings.TrimSpace(text), " ") {
		return fmt.Sprintf("depends on the words %q", text)
	}
	switch e := e.(type) {
	case *ast.SelectorExpr:
		if e.Sel.Name == "Name" && !isNamed(e.X, "fn") {
			return "compares the name of a CPU"
		}
	case *ast.UnaryExpr:
		if s, ok := e.X.(*ast.SelectorExpr); ok && e.Op == token.AND && isNamed(s.X, "cpu") {
			return "compares with one CPU"
		}
	}
	return ""
}

func isNamed(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func literal(n ast.Node) (string, bool) {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// Every CPU has its target, and no two of them share one.
func TestTargets(t *testing.T) {
	var archs []*cpu.Arch
	for _, target := range targets {
		if slices.Contains(archs, target.Arch) || len(target.ladder) == 0 || target.isa != nil && target.isa.Arch != target.Arch {
			t.Errorf("%s is there twice, or has no ladder, or another's instructions", target.Arch.Name)
		}
		archs = append(archs, target.Arch)
	}
	if len(archs) != len(cpu.All()) {
		t.Errorf("%d targets, want %d", len(archs), len(cpu.All()))
	}
}
