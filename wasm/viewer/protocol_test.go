package main

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/sanitize"
	"crashglass/symbols"
)

// shared lists what both sides declare.
var shared = []any{
	TakeRequest{}, KnownDump{}, ReportRequest{}, ScanRequest{}, IndexRequest{}, ScannedRequest{}, WholeRequest{}, ScannedResult{}, ExplainRequest{}, VariablesRequest{}, GlobalsRequest{}, RenderRequest{}, MemoryRequest{}, DisassembleRequest{}, CapturedRequest{}, FindRequest{}, WarmRequest{},
	ChecklistRequest{}, SanitizeRequest{}, SanitizedRequest{}, SliceRequest{}, CapsuleRequest{}, MadeResult{}, MadeFile{}, SymsRequest{}, GivenRequest{}, PointersRequest{}, ForceRequest{}, ForceResult{}, FieldsRequest{}, FileRequest{}, FieldsResult{}, Field{}, SanitizeResult{}, sanitize.Checklist{}, sanitize.Item{}, sanitize.Secret{}, sanitize.Removal{},
	TakeResult{}, ReportResult{}, WarmResult{}, Scan{}, FileResult{}, Opened{}, Progress{}, analyze.Code{}, analyze.CodeLine{}, analyze.CapturedRange{}, analyze.Found{},
	analyze.Pointer{}, symbols.Given{}, analyze.FrameVariables{}, analyze.ScopeVariables{}, analyze.ModuleGlobals{},
}

// TestProtocol compares the declarations, field by field and in order. A field that only one side
// knows would be lost silently.
func TestProtocol(t *testing.T) {
	declared := interfaces(t, "../../web/src/engine/protocol.ts", "../../web/src/engine/types.ts")
	for _, v := range shared {
		typ := reflect.TypeOf(v)
		want, ok := declared[typ.Name()]
		if !ok {
			t.Errorf("%s: the TypeScript does not declare it", typ.Name())
			continue
		}
		var got []string
		for i := range typ.NumField() {
			got = append(got, typ.Field(i).Tag.Get("json")+": "+kindOf(typ.Field(i).Type))
		}
		if strings.Join(got, "; ") != strings.Join(want, "; ") {
			t.Errorf("%s: Go has\n\t%s\nTypeScript has\n\t%s", typ.Name(), strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
		}
	}
}

// TestOps compares the tags of the requests with those that parseRequest knows.
func TestOps(t *testing.T) {
	text, err := os.ReadFile("../../web/src/engine/protocol.ts")
	if err != nil {
		t.Fatal(err)
	}
	ops := regexp.MustCompile(`interface (\w+) \{\n\s+readonly op: '(\w+)'`).FindAllStringSubmatch(string(text), -1)
	if len(ops) != 26 {
		t.Errorf("found %d requests in the TypeScript, want 26", len(ops))
	}
	for _, op := range ops {
		request, err := parseRequest([]byte(`{"op":"` + op[2] + `"}`))
		if err != nil {
			t.Error(err)
		} else if name := reflect.TypeOf(request).Elem().Name(); name != op[1] {
			t.Errorf("%s: Go reads it as %s, TypeScript writes it as %s", op[2], name, op[1])
		}
	}
}

func TestParseRequestRefuses(t *testing.T) {
	for _, test := range []struct{ json, want string }{
		{``, "viewer: request: unexpected end of JSON input"},
		{`{}`, `viewer: request: unknown op ""`},
		{`{"op":"steal"}`, `viewer: request: unknown op "steal"`},
		{`{"op":"memory","dump":"one"}`, "viewer: request memory: json: cannot unmarshal string into Go struct field MemoryRequest.dump of type int"},
	} {
		if _, err := parseRequest([]byte(test.json)); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.json, err, test.want)
		}
	}
}

// interfaces reads "export interface Name { readonly field: type; }".
func interfaces(t *testing.T, files ...string) map[string][]string {
	t.Helper()
	block := regexp.MustCompile(`(?s)export interface (\w+) \{\n(.*?)\n\}`)
	field := regexp.MustCompile(`(?m)^\s+readonly (\w+): (.*);$`)
	out := map[string][]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range block.FindAllStringSubmatch(string(text), -1) {
			for _, f := range field.FindAllStringSubmatch(b[2], -1) {
				out[b[1]] = append(out[b[1]], f[1]+": "+typeScriptKind(f[2]))
			}
		}
	}
	return out
}

// typeScriptKind reduces a type to its kind in JSON.
func typeScriptKind(typ string) string {
	typ = strings.TrimPrefix(typ, "readonly ")
	switch {
	case strings.HasSuffix(typ, "[]"):
		return "list of " + strings.TrimSuffix(typ, "[]")
	case strings.HasSuffix(typ, " | null"):
		return "maybe " + typeScriptKind(strings.TrimSuffix(typ, " | null"))
	case strings.HasPrefix(typ, "'"), typ == "Format", typ == "KeptNames":
		return "string"
	}
	return typ
}

func kindOf(typ reflect.Type) string {
	switch typ.Kind() {
	case reflect.Slice:
		return "list of " + kindOf(typ.Elem())
	case reflect.Pointer:
		if typ.Elem().Kind() == reflect.Struct {
			return typ.Elem().Name()
		}
		return "maybe " + kindOf(typ.Elem())
	case reflect.Int, reflect.Int64, reflect.Uint32:
		return "number"
	case reflect.Bool:
		return "boolean"
	case reflect.Struct:
		return typ.Name()
	}
	return typ.Kind().String()
}
