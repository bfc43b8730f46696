package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// constants returns the values of the package's constants by the name of their type. Untyped ones
// are listed by the first word of their name: SymbolsMatched is one of "Symbols".
func constants(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	packages, err := parser.ParseDir(token.NewFileSet(), ".", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range packages["report"].Files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			value, ok := spec.Values[0].(*ast.BasicLit)
			if !ok || value.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(value.Value)
			if err != nil {
				t.Fatal(err)
			}
			group := "Symbols"
			if id, ok := spec.Type.(*ast.Ident); ok {
				group = id.Name
			}
			if spec.Names[0].Name != "InMemory" { // a place of notes, not a kind
				out[group] = append(out[group], text)
			}
			return true
		})
	}
	return out
}

// The schema lists exactly the words of the constants, so that a new kind cannot be forgotten in
// it. The schema has "" besides where a field may be empty.
func TestSchemaHasAllConstants(t *testing.T) {
	all := constants(t)
	for _, tt := range []struct{ field, group string }{
		{"Frame.Trust", "Trust"}, {"Frame.Certainty", "Certainty"}, {"Frame.FoundBy", "Way"}, {"Step.Method", "Method"}, {"Step.Result", "StepResult"}, {"End.Kind", "EndKind"}, {"Note.Kind", "NoteKind"},
		{"Badge.Kind", "BadgeKind"}, {"NextStep.Kind", "NextKind"}, {"NextStep.Origin", "Origin"}, {"Wait.Holder", "WaitHolder"}, {"Read.Use", "ReadUse"}, {"Symbols.State", "Symbols"},
		{"Variable.Kind", "VariableKind"},
	} {
		listed := slices.DeleteFunc(slices.Clone(words[tt.field]), func(s string) bool { return s == "" })
		want := slices.Clone(all[tt.group])
		if tt.group == "Method" || tt.group == "Way" {
			// Package unwind defines these, and may have more of them.
			listed = slices.DeleteFunc(listed, func(s string) bool { return !slices.Contains(want, s) })
		}
		slices.Sort(listed)
		slices.Sort(want)
		if !slices.Equal(listed, want) {
			t.Errorf("%s: the schema has %q, the constants are %q", tt.field, listed, want)
		}
	}
}

// The words of one type differ, and have the form that programs match: lower case, or words of
// another program's reports.
func TestConstantsDiffer(t *testing.T) {
	for group, list := range constants(t) {
		seen := map[string]bool{}
		for _, w := range list {
			if seen[w] {
				t.Errorf("%s has %q twice", group, w)
			}
			seen[w] = true
			if group != "Way" && group != "Method" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz_") != "" {
				t.Errorf("%s: %q is no word in lower case", group, w)
			}
		}
	}
}

// Only a scanned return address makes a frame scanned.
func TestScanned(t *testing.T) {
	want := map[Trust]bool{TrustScan: true, TrustCFIScan: true}
	for _, trust := range constants(t)["Trust"] {
		if got := Trust(trust).Scanned(); got != want[Trust(trust)] {
			t.Errorf("%s: %v", trust, got)
		}
	}
	if Trust("").Scanned() {
		t.Error("a frame without a trust counts as scanned")
	}
}

// Fields of one object differ in JSON; encoding/json drops both of two that do not.
func TestFieldNamesDiffer(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var check func(reflect.Type)
	check = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice:
			check(typ.Elem())
		case reflect.Struct:
			if seen[typ] || typ == reflect.TypeFor[Register]() { // Registers are written by hand
				return
			}
			seen[typ] = true
			names := map[string]bool{}
			for _, f := range reflect.VisibleFields(typ) {
				if f.Anonymous || !f.IsExported() {
					continue
				}
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if name == "" || names[name] || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_0123456789") != "" {
					t.Errorf("%s.%s is called %q", typ.Name(), f.Name, name)
				}
				names[name] = true
				check(f.Type)
			}
		}
	}
	check(reflect.TypeFor[Report]())
	if len(seen) < 40 {
		t.Errorf("%d types were found", len(seen))
	}
}
