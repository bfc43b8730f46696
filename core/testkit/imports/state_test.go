//go:build !js

package imports

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// pooled is the reason for pools of decoders and buffers.
const pooled = "a pool: what it holds is set anew before each use"

// stateful are the variables of packages that change while the program runs, with the reason why no
// report depends on their history.
var stateful = map[string]string{
	"symbols/archives/archive.cabReaders": pooled,
	"symbols/archives/archive.gunzippers": pooled,
	"symbols/archives/archive.inflaters":  pooled,
	"symbols/archives/archive.pieces":     pooled,

	"core/machine/disasm.decoding": "a lock: a library's decoder records its state in a variable, and no call reads what another left there",
}

// A variable of a package that changes while the program runs makes a report depend on the dumps
// that were read before it. The tables of a package are set once, by their declaration or by init.
func TestNoStateInPackages(t *testing.T) {
	found, packages := map[string]token.Position{}, 0
	err := fs.WalkDir(os.DirFS(root), ".", func(dir string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return err
		case slices.Contains([]string{"node_modules", "build", "dist", ".git", "testdata", "testkit", "web"}, d.Name()):
			return fs.SkipDir
		}
		set := token.NewFileSet()
		files, err := parsePackage(set, path.Join(root, dir))
		if len(files) > 0 {
			packages++
		}
		for name, at := range changed(files) {
			found[dir+"."+name] = set.Position(at)
		}
		return err
	})
	if err != nil || packages < 50 {
		t.Fatalf("%d packages, %v", packages, err)
	}
	for name, at := range found {
		if stateful[name] == "" {
			t.Errorf("%s: %s changes while the program runs", at, name)
		}
	}
	for name := range stateful {
		if _, ok := found[name]; !ok {
			t.Errorf("%s does not change any more", name)
		}
	}
}

// parsePackage parses the files of a package without its tests.
func parsePackage(set *token.FileSet, dir string) (files []*ast.File, err error) {
	names, err := fs.Glob(os.DirFS(dir), "*.go")
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, path.Join(dir, name), nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, err
}

// changed are the package's variables that its functions change, and those that hold state by what
// they are made of.
func changed(files []*ast.File) map[string]token.Pos {
	vars, own, methods := map[string]token.Pos{}, map[any]bool{}, changers(files)
	out := map[string]token.Pos{}
	for _, f := range files {
		for _, spec := range variables(f) {
			own[spec] = true
			for i, name := range spec.Names {
				if name.Name == "_" {
					continue // an assertion for the compiler
				}
				vars[name.Name] = name.Pos()
				if holdsState(spec, i, methods) {
					out[name.Name] = name.Pos()
				}
			}
		}
	}
	for _, f := range files {
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil || fn.Recv == nil && fn.Name.Name == "init" {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				for _, target := range targets(n) {
					if id := rootOf(target); id != nil && (id.Obj == nil || own[id.Obj.Decl]) { // nil: of another file
						if at, ok := vars[id.Name]; ok {
							out[id.Name] = at
						}
					}
				}
				return true
			})
		}
	}
	return out
}

// variables are the declarations of a file's package-level variables.
func variables(f *ast.File) (out []*ast.ValueSpec) {
	for _, decl := range f.Decls {
		if g, ok := decl.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, spec := range g.Specs {
				out = append(out, spec.(*ast.ValueSpec))
			}
		}
	}
	return out
}

// stateOf are the types and functions of other packages whose values are there to change.
var stateOf = []string{"sync.Mutex", "sync.RWMutex", "sync.Map", "sync.Pool", "sync.Once", "bin.Budget", "bin.NewBudget", "bin.NewPager", "rand.New", "list.New", "bytes.Buffer"}

// holdsState reports whether a variable is of a type that is there to change, or of one of the
// package's own types with a method that changes its value.
func holdsState(spec *ast.ValueSpec, i int, methods map[string]bool) bool {
	made := []ast.Expr{spec.Type}
	if i < len(spec.Values) {
		made = append(made, spec.Values[i])
	}
	state := false
	for _, e := range made {
		if e == nil {
			continue
		}
		if methods[typeName(e)] {
			state = true
		}
		ast.Inspect(e, func(n ast.Node) bool {
			if _, isFunc := n.(*ast.FuncLit); isFunc {
				return false // what it makes is not kept
			}
			if s, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := s.X.(*ast.Ident); ok && (pkg.Name == "atomic" || slices.Contains(stateOf, pkg.Name+"."+s.Sel.Name)) {
					state = true
				}
			}
			return true
		})
	}
	return state
}

// typeName is the package's own type of a literal or a declaration: of T, *T, T{} and &T{}.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.UnaryExpr:
		return typeName(e.X)
	case *ast.CompositeLit:
		return typeName(e.Type)
	}
	return ""
}

// changers are the package's types with a method that changes a field of its receiver.
func changers(files []*ast.File) map[string]bool {
	out := map[string]bool{}
	for _, f := range files {
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil || fn.Recv == nil || len(fn.Recv.List[0].Names) == 0 {
				continue
			}
			if _, pointer := fn.Recv.List[0].Type.(*ast.StarExpr); !pointer {
				continue // it changes a copy
			}
			self, of := fn.Recv.List[0].Names[0].Name, typeName(fn.Recv.List[0].Type)
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				for _, target := range targets(n) {
					if id := rootOf(target); id != nil && id.Name == self && target != ast.Expr(id) {
						out[of] = true
					}
				}
				return true
			})
		}
	}
	delete(out, "") // generic types
	return out
}

// targets are the expressions that a node changes: the left side of an assignment, what is counted,
// and what delete or clear empties.
func targets(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "delete" || f.Name == "clear") {
			return n.Args[:1]
		}
	}
	return nil
}

// rootOf is the variable whose part an expression is: v of v.f[i].
func rootOf(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return rootOf(e.X)
	case *ast.IndexExpr:
		return rootOf(e.X)
	case *ast.StarExpr:
		return rootOf(e.X)
	case *ast.ParenExpr:
		return rootOf(e.X)
	}
	return nil
}

// The rule finds each way in which a variable changes.
func TestChanged(t *testing.T) {
	const code = `package p
import ("sync"; "crashglass/core/base/bin")
type cache struct{ m map[string]int }
func (c *cache) put(s string) { c.m[s] = 1 }
type table struct{ m map[string]int }
func (t *table) get(s string) int { return t.m[s] }
var (
	a = cache{}
	b = &cache{}
	c cache
	d = table{}
	e = map[string]int{}
	f = map[string]int{}
	g = bin.NewBudget(1)
	h sync.Mutex
	i = sync.OnceValue(func() int { return 1 })
	j, k int
	l = struct{ n int }{}
	m []int
)
func init() { f["x"] = 1 }
func use() { e["x"] = 1; j++; l.n = 2; k := 3; k = 4; _ = k; delete(m, 1) }
`
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(slices.Sorted(maps.Keys(changed([]*ast.File{f}))), ""), "abceghjlm"; got != want {
		t.Errorf("%s change, want %s", got, want)
	}
}
