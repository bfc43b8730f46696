package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"crashglass/core/report"
	"crashglass/core/testkit/source"
	"crashglass/symbols/share/capsule"
	"crashglass/wasm/internal/bridge"
)

var update = flag.Bool("update", false, "write the page's types anew; read the difference before committing it")

const (
	ourModule  = "crashglass/"
	reportPath = ourModule + "core/report"
	generated  = "../../web/src/engine/generated/"
)

// The page's types of messages and reports are made from Go's types and their comments.
func TestGenerated(t *testing.T) {
	g := generator{t: t, packages: map[string]source.Package{}, declared: map[string]reflect.Type{}}
	messages := g.messages()
	for name, text := range map[string]string{
		"report.ts":   head("core/report") + strings.Join(g.reports, "\n"),
		"messages.ts": head("wasm/viewer") + g.imports(messages) + messages,
	} {
		if *update {
			if err := os.WriteFile(generated+name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(generated + name); err != nil || !bytes.Equal(have, []byte(text)) {
			t.Errorf("%s does not have the types of Go: go test ./wasm/viewer -run TestGenerated -update (%v)", name, err)
		}
	}
}

func head(folder string) string {
	return "// Made from " + folder + " by \"go test ./wasm/viewer -run TestGenerated -update\".\n\n"
}

// A generator declares each Go type that it meets once in TypeScript.
type generator struct {
	t        *testing.T
	packages map[string]source.Package // by import path
	declared map[string]reflect.Type   // by name
	reports  []string                  // the declarations of package report
	others   []string
}

// messages declares the operations, their types, and the progress.
func (g *generator) messages() string {
	var requests, results, need strings.Builder
	for _, name := range slices.Sorted(maps.Keys(operations)) {
		op := operations[name]
		fields := fmt.Sprintf("  readonly op: '%s';\n", name)
		base := ""
		if op.aboutDump {
			base = " extends OfDump"
		}
		g.structure(op.request, base, fields)
		fmt.Fprintf(&requests, "\n  | %s", op.request.Name())
		if op.needsSymbols {
			fmt.Fprintf(&need, "  '%s',\n", name)
		}
		fmt.Fprintf(&results, "  readonly %s: %s;\n", name, g.result(op.result))
	}
	g.typ(reflect.TypeFor[Progress]())
	return "/** A request about an open dump, with its number. */\nexport interface OfDump {\n  readonly dump: number;\n}\n\n" +
		strings.Join(g.others, "\n") +
		"\n/** Every request. */\nexport type Request =" + requests.String() + ";\n" +
		"\n/** The result of each operation; null if it is bytes, or empty. */\nexport interface Results {\n" + results.String() + "}\n" +
		"\n/** The operations that need a dump's symbols, which a replaced worker has not read yet. */\n" +
		"export const NEED_SYMBOLS: ReadonlySet<Request['op']> = new Set([\n" + need.String() + "]);\n"
}

func (g *generator) result(t reflect.Type) string {
	if t == reflect.TypeFor[[]byte]() || t == reflect.TypeFor[empty]() {
		return "null"
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return g.typ(t)
}

// typ is a type of Go in TypeScript, without null.
func (g *generator) typ(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return g.typ(t.Elem())
	case reflect.Slice:
		if t != reflect.TypeFor[report.Registers]() {
			return "readonly " + element(g.typ(t.Elem())) + "[]"
		}
		g.declare(t, "type Registers = Readonly<Record<string, "+g.typ(reflect.TypeFor[report.Address]())+">>;\n")
	case reflect.Struct:
		g.structure(t, "", "")
	case reflect.String:
		if t.PkgPath() == "" {
			return "string"
		}
		g.declare(t, "type "+t.Name()+" = "+g.words(t)+";\n")
	case reflect.Bool:
		return "boolean"
	case reflect.Interface:
		return "unknown"
	case reflect.Int, reflect.Int64, reflect.Uint8, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return "number"
	default:
		g.t.Errorf("%s has no type in TypeScript", t)
	}
	return t.Name()
}

// element is a type before "[]".
func element(typ string) string {
	if strings.Contains(typ, " ") {
		return "(" + typ + ")"
	}
	return typ
}

// words are the values of a type of strings. Those of reports may be more in other versions.
func (g *generator) words(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[report.Address]():
		return "`0x${string}`"
	case t.PkgPath() == reportPath:
		return "string"
	}
	return "'" + strings.Join(g.source(t).Words[t.Name()], "' | '") + "'"
}

// structure declares a struct, with a base and fields that only TypeScript has.
func (g *generator) structure(t reflect.Type, base, fields string) {
	if g.declared[t.Name()] == t {
		return
	}
	g.declared[t.Name()] = t // a struct may contain itself
	name := t.Name() + base
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		if f.Anonymous {
			name += " extends " + g.typ(f.Type)
			continue
		}
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if options == "omitempty" {
			key += "?"
		}
		typ := g.typ(f.Type)
		if mayBeNull(t, f.Type) {
			typ += " | null"
		}
		fields += comment(g.source(t).Comments[t.Name()+"."+f.Name], "  ") + "  readonly " + key + ": " + typ + ";\n"
	}
	delete(g.declared, t.Name())
	if fields != "" {
		fields = "\n" + fields
	}
	g.declare(t, "interface "+name+" {"+fields+"}\n")
}

// mayBeNull reports whether a field may be null. In a message, no list and no struct is.
func mayBeNull(of, field reflect.Type) bool {
	switch field.Kind() {
	case reflect.Pointer:
		return of.PkgPath() == reportPath || field.Elem().Kind() != reflect.Struct
	case reflect.Slice:
		return of.PkgPath() == reportPath
	}
	return false
}

// declare adds a declaration, if the type has none.
func (g *generator) declare(t reflect.Type, text string) {
	if have := g.declared[t.Name()]; have != nil {
		if have != t {
			g.t.Errorf("%s and %s would have one name in TypeScript", have, t)
		}
		return
	}
	g.declared[t.Name()] = t
	code := g.source(t)
	about := code.Comments[t.Name()]
	if known := code.Words[t.Name()]; t.PkgPath() == reportPath && len(known) > 0 {
		about += ` Known: "` + strings.Join(known, `", "`) + `".`
	}
	text = comment(about, "") + "export " + text
	if t.PkgPath() == reportPath {
		g.reports = append(g.reports, text)
	} else {
		g.others = append(g.others, text)
	}
}

// source is the code that declares a type.
func (g *generator) source(t reflect.Type) source.Package {
	p, ok := g.packages[t.PkgPath()]
	if !ok {
		var err error
		if p, err = source.Read(path.Join("../..", strings.TrimPrefix(t.PkgPath(), ourModule))); err != nil {
			g.t.Fatal(err)
		}
		g.packages[t.PkgPath()] = p
	}
	return p
}

var (
	commented = regexp.MustCompile(`(?s)/\*\*.*?\*/`)
	typeName  = regexp.MustCompile(`\b[A-Z]\w+`)
)

// imports are the types of reports that messages have.
func (g *generator) imports(messages string) string {
	var names []string
	for _, name := range typeName.FindAllString(commented.ReplaceAllString(messages, ""), -1) {
		if t := g.declared[name]; t != nil && t.PkgPath() == reportPath {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return "import type {" + strings.Join(slices.Compact(names), ", ") + "} from './report.ts';\n\n"
}

// comment is a text, which may begin and end as no sentence does, as a comment of at most 160 columns.
func comment(text, indent string) string {
	if text == "" {
		return ""
	}
	text = strings.ToUpper(text[:1]) + strings.ReplaceAll(text[1:], "*/", "* /")
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	if one := indent + "/** " + text + " */\n"; len(one) <= 161 {
		return one
	}
	out, row := indent+"/**\n", indent+" *"
	for _, word := range strings.Fields(text) {
		if len(row)+1+len(word) > 160 {
			out, row = out+row+"\n", indent+" *"
		}
		row += " " + word
	}
	return out + row + "\n" + indent + " */\n"
}

// The choices of names are those of the command line.
func TestSliceNames(t *testing.T) {
	p, err := source.Read(".")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Sorted(slices.Values(p.Words["SliceNames"])), slices.Sorted(maps.Keys(capsule.Names)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMalformedRequests(t *testing.T) {
	for _, test := range []struct{ json, want string }{
		{``, "viewer: request: unexpected end of JSON input"},
		{`{}`, `viewer: request: unknown op ""`},
		{`{"op":"steal"}`, `viewer: request: unknown op "steal"`},
		{`{"op":"memory","dump":"one"}`, "viewer: request memory: json: cannot unmarshal string into Go struct field .dump of type int"},
		{`{"op":"memory","size":"one"}`, "viewer: request memory: json: cannot unmarshal string into Go struct field MemoryRequest.size of type int"},
	} {
		if _, err := newViewer().handle(bridge.Request{JSON: []byte(test.json)}); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.json, err, test.want)
		}
	}
}
