//go:build !js

package reading

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A comment that begins with the name of a symbol is about that symbol, as Go's documentation has it. Where a
// function moves and its comment stays, the comment names another one.
func TestCommentsNameTheirSymbols(t *testing.T) {
	packages := map[string][]*ast.File{}
	fset := token.NewFileSet()
	everyGoFile(t, func(path string) {
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		packages[filepath.Dir(path)] = append(packages[filepath.Dir(path)], file)
	})
	for _, files := range packages {
		for _, complaint := range misnamed(fset, files) {
			t.Error(complaint)
		}
	}
}

func TestMisnamed(t *testing.T) {
	for text, want := range map[string]string{ // below the declaration of b
		"// f does.\nfunc f() {}":                                "",
		"// g does.\nfunc f() {}; func g() {}":                   "2:1: the comment of f is about g",
		"// g does.\nfunc f() {}":                                "",
		"// newFile does.\nfunc f() {}":                          "2:1: the comment of f is about newFile",
		"// The file is read.\nfunc f() {}":                      "",
		"// An f is read.\ntype f int":                           "",
		"// A Part is read.\ntype f int\ntype Part int":          "2:1: the comment of f is about Part",
		"// Part is read.\nvar f int\ntype Part int":             "",
		"// One that is read.\nvar f int":                        "",
		"// f and g are read.\nvar f, g int":                     "",
		"// g and f are read.\nvar f, g int":                     "",
		"// These are read.\nconst (\n// b is.\na = 1\nb = 2\n)": "4:1: the comment of a is about b",
		"type s struct {\n// b is.\na int\n}":                    "3:1: the comment of a is about b",
		"type s struct {\n// b is.\na, b int\n}":                 "",
		"type s interface {\n// b is.\na()\n}":                   "3:1: the comment of a is about b",
		"// Deprecated: f is used.\nfunc f() {}":                 "",
		"//go:noinline\nfunc f() {}":                             "",
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "", "package p; type b int\n"+text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(misnamed(fset, []*ast.File{file}), "\n"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A documented is a comment and the names that it may be about.
type documented struct {
	doc   *ast.CommentGroup
	names []*ast.Ident
}

// misnamed lists the comments of a package that begin with another name than the ones below them.
func misnamed(fset *token.FileSet, files []*ast.File) (out []string) {
	var all []documented
	declared := map[string]bool{}
	for _, file := range files {
		list := declarations(file)
		for _, d := range list {
			for _, name := range d.names {
				declared[name.Name] = true
			}
		}
		all = append(all, list...)
	}
	for _, d := range all {
		name := subject(d.doc.Text(), declared)
		if name != "" && len(d.names) > 0 && d.names[0].Name != "_" && !slices.ContainsFunc(d.names, func(n *ast.Ident) bool { return n.Name == name }) {
			at := strings.TrimPrefix(fset.Position(d.doc.Pos()).String(), filepath.FromSlash(root)+"/")
			out = append(out, fmt.Sprintf("%s: the comment of %s is about %s", strings.TrimSuffix(at, ":"), d.names[0].Name, name))
		}
	}
	return out
}

// aTest matches functions whose comment is about what they test.
var aTest = regexp.MustCompile(`^(Test|Fuzz|Benchmark)[A-Z]`)

// declarations lists what a file declares, with members and methods.
func declarations(file *ast.File) (out []documented) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if aTest.MatchString(n.Name.Name) {
				return false
			}
			out = append(out, documented{n.Doc, []*ast.Ident{n.Name}})
		case *ast.TypeSpec:
			out = append(out, documented{n.Doc, []*ast.Ident{n.Name}})
		case *ast.ValueSpec:
			out = append(out, documented{n.Doc, n.Names})
		case *ast.Field:
			out = append(out, documented{n.Doc, n.Names})
		case *ast.GenDecl:
			group := documented{doc: n.Doc}
			for _, spec := range n.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					group.names = append(group.names, spec.Name)
				case *ast.ValueSpec:
					group.names = append(group.names, spec.Names...)
				}
			}
			out = append(out, group)
		}
		return true
	})
	return out
}

// begins matches the first words of a comment. An article may stand before the name of a type.
var begins = regexp.MustCompile(`^(?:(?:A|An|The) )?([A-Za-z_][A-Za-z0-9_]*)\b[^.\-/(:'’]`)

// subject returns the symbol that a comment begins with, or "". A word counts if it is a symbol of the package and cannot be
// a word of a sentence: it is in lower case and first, or has a capital
// inside or behind an article.
func subject(doc string, declared map[string]bool) string {
	m := begins.FindStringSubmatch(doc)
	if m == nil {
		return ""
	}
	word := m[1]
	first := strings.HasPrefix(doc, word)
	lower, camel := strings.ToLower(word[:1]) == word[:1], strings.ToLower(word[1:]) != word[1:]
	if declared[word] && (first == lower || camel) || first && lower && camel {
		return word
	}
	return ""
}

// everyGoFile calls visit with the path of each Go file of the tree.
func everyGoFile(t *testing.T, visit func(path string)) {
	for _, top := range tops {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return filepath.SkipDir
			case filepath.Ext(path) == ".go":
				visit(path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
