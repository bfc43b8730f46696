// Package source reads what reflection does not tell of a package's types: their comments and their constants.
package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A Package is what the code of a package says.
type Package struct {
	Comments map[string]string   // of types, and of fields as "Type.Field"
	Words    map[string][]string // the values of the constants of a type of strings, in their order
}

// Read reads the code of a folder, without its tests.
func Read(folder string) (Package, error) {
	p := Package{map[string]string{}, map[string][]string{}}
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err == nil && len(files) == 0 {
		err = os.ErrNotExist
	}
	for _, file := range files {
		if err == nil && !strings.HasSuffix(file, "_test.go") {
			err = p.read(file)
		}
	}
	return p, err
}

func (p Package) read(file string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, d := range parsed.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range decl.Specs {
			switch spec := s.(type) {
			case *ast.TypeSpec:
				p.typ(spec, decl.Doc)
			case *ast.ValueSpec:
				if name, ok := spec.Type.(*ast.Ident); ok && decl.Tok == token.CONST {
					p.words(name.Name, spec.Values)
				}
			}
		}
	}
	return nil
}

func (p Package) typ(spec *ast.TypeSpec, doc *ast.CommentGroup) {
	p.Comments[spec.Name.Name] = line(doc)
	body, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range body.Fields.List {
		for _, name := range f.Names {
			p.Comments[spec.Name.Name+"."+name.Name] = strings.TrimSpace(line(f.Doc) + " " + line(f.Comment))
		}
	}
}

func (p Package) words(name string, values []ast.Expr) {
	for _, v := range values {
		if literal, ok := v.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if word, err := strconv.Unquote(literal.Value); err == nil {
				p.Words[name] = append(p.Words[name], word)
			}
		}
	}
}

func line(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
