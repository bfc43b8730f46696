//go:build !js

package goroutines

import (
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write layouts.txt")

// first and last are the releases in layouts.txt.
const first, last = 18, 26

// toolchain is the root of a release's sources: that of this toolchain, or of one that the go command has downloaded.
func toolchain(t *testing.T, minor int) string {
	if strings.HasPrefix(runtime.Version(), fmt.Sprintf("go1.%d.", minor)) {
		return runtime.GOROOT()
	}
	cache := os.Getenv("GOMODCACHE")
	if cache == "" {
		cache = filepath.Join(build.Default.GOPATH, "pkg", "mod")
	}
	found, err := filepath.Glob(filepath.Join(cache, "golang.org", fmt.Sprintf("toolchain@v0.0.1-go1.%d.*", minor)))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		return ""
	}
	return found[len(found)-1]
}

// checked are the types of a release's runtime for a system.
func checked(t *testing.T, root, system, arch string) *types.Package {
	before := build.Default
	defer func() { build.Default = before }()
	build.Default.GOROOT, build.Default.GOOS, build.Default.GOARCH, build.Default.CgoEnabled = root, system, arch, false
	p, err := build.Default.ImportDir(filepath.Join(root, "src", "runtime"), 0)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	config := types.Config{
		Importer: importer.ForCompiler(fset, "source", nil), IgnoreFuncBodies: true, FakeImportC: true, Error: func(error) {},
		Sizes: types.SizesFor("gc", arch),
	}
	pkg, _ := config.Check("runtime", fset, files, nil) // other releases' directives are unknown
	return pkg
}

// offset is that of a field ("g.sched.sp") of a structure of 64-bit systems, or false if there is none.
func offset(pkg *types.Package, sizes types.Sizes, path string) (n int64, ok bool) {
	names := strings.Split(path, ".")
	object := pkg.Scope().Lookup(names[0])
	if object == nil {
		return 0, false
	}
	typ := object.Type()
	for _, name := range names[1:] {
		s, isStruct := typ.Underlying().(*types.Struct)
		if !isStruct {
			return 0, false
		}
		var fields []*types.Var
		index := -1
		for i := range s.NumFields() {
			fields = append(fields, s.Field(i))
			if s.Field(i).Name() == name {
				index = i
			}
		}
		if index < 0 {
			return 0, false
		}
		n, typ = n+sizes.Offsetsof(fields)[index], fields[index].Type()
	}
	return n, true
}

// reasons are the texts of a release's waitReason, by number.
func reasons(t *testing.T, root string) (out []string) {
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "src/runtime/runtime2.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	texts, order := map[string]string{}, []string{}
	for _, decl := range f.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		listing := false
		for _, s := range d.Specs {
			v, ok := s.(*ast.ValueSpec)
			if !ok {
				continue
			}
			if d.Tok == token.CONST {
				if id, ok := v.Type.(*ast.Ident); ok {
					listing = id.Name == "waitReason"
				}
				if listing {
					order = append(order, v.Names[0].Name)
				}
			} else if v.Names[0].Name == "waitReasonStrings" {
				for _, e := range v.Values[0].(*ast.CompositeLit).Elts {
					pair := e.(*ast.KeyValueExpr)
					lit := pair.Value.(*ast.BasicLit)
					texts[pair.Key.(*ast.Ident).Name] = constant.StringVal(constant.MakeFromLiteral(lit.Value, lit.Kind, 0))
				}
			}
		}
	}
	for _, name := range order {
		out = append(out, texts[name])
	}
	return out
}

// describe makes the lines of a release. The offsets are the same on all 64-bit systems.
func describe(t *testing.T, root string) string {
	var lines string
	for _, system := range []string{"linux/amd64", "linux/arm64", "windows/amd64", "darwin/arm64"} {
		goos, arch, _ := strings.Cut(system, "/")
		pkg := checked(t, root, goos, arch)
		var b strings.Builder
		b.WriteString("offsets")
		for _, f := range fields {
			n, ok := offset(pkg, types.SizesFor("gc", arch), f.name)
			if ok {
				fmt.Fprintf(&b, " %s=%d", f.name, n)
			} else if !f.optional {
				t.Errorf("%s, %s: no %s", root, system, f.name)
			}
		}
		if lines != "" && lines != b.String() {
			t.Errorf("%s: of %s\n%s, of others\n%s", root, system, b.String(), lines)
		}
		lines = b.String()
	}
	return lines + "\nreasons " + strings.Join(reasons(t, root), "|") + "\n"
}

// The table is what the sources of all releases say. Releases whose sources are not on this machine are taken from the table.
func TestLayouts(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads the sources of many releases")
	}
	var want strings.Builder
	missing, before := 0, ""
	for minor := first; minor <= last; minor++ {
		root := toolchain(t, minor)
		if root == "" {
			missing++
			continue
		}
		now := describe(t, root)
		if have := section(layoutText, minor); !*update && have != now {
			t.Errorf("Go 1.%d:\n%s\nin the table:\n%s", minor, now, have)
		}
		if now != before {
			fmt.Fprintf(&want, "go 1.%d\n%s", minor, now)
		}
		before = now
	}
	if missing > 0 {
		t.Logf("%d releases are not on this machine", missing)
		return
	}
	if *update {
		if err := os.WriteFile("layouts.txt", []byte(want.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
