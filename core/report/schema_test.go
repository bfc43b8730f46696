package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"crashglass/core/dump/container"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/source"
	"crashglass/core/values/variables"
)

var update = flag.Bool("update", false, "write schema.json anew; read the difference before committing it")

// schema.json is made from the types of this package and their comments, so that it cannot
// contradict them.
func TestSchema(t *testing.T) {
	g := generator{defs: map[string]any{"Address": addressSchema}, comments: comments(t)}
	root := g.object(reflect.TypeFor[Report]())
	schema := map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "Crashglass report",
		"description": "The result of an analysis of a crash dump. Names, types and meaning of rust-minidump's schema are kept (json-schema.md of minidump-processor); " +
			"fields of our own stand beside them. Fields may be added; what is not known is null.",
		"$defs": g.defs,
	}
	for k, v := range root {
		if schema[k] == nil {
			schema[k] = v
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(schema); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("schema.json", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, b.Bytes()) {
		t.Error("schema.json does not describe the types of this package: go test ./core/report -update")
	}
}

var addressSchema = map[string]any{
	"description": "A number in hex. Addresses are padded to the dump's pointer width; JavaScript's numbers would round them.",
	"type":        "string", "pattern": "^0x[0-9a-f]+$",
}

// words are the fields that hold one of a few words.
var words = map[string][]string{
	"Report.Status":     {"OK"},
	"Dump.Kind":         container.Kinds(),
	"Adjusted.Kind":     {"non-canonical", "null-pointer"},
	"Access.AccessType": {"read", "write", "readwrite"},
	"Symbols.State":     {"matched", "public_only", "missing", SymbolsReading, "wrong_build", "damaged"},
	"Wanted.State":      {"matched", "public_only", "missing", "wrong_build", "damaged"},
	"Frame.Trust":       {"none", "context", "prewalked", "cfi", "frame_pointer", "leaf", "cfi_scan", "scan"},
	"Frame.Certainty":   {"inside", "covered", "nearest", "beyond", "forced", "unnamed"},
	"Thread.State":      {"Waiting", "Sleeping", "Polling", "Running", "Joining a thread"},
	"Wait.Holder":       {"held", "joined", "gone", "free", "readers", "not_recorded", "not_captured", "not_found", "none"},
	"WaitEvidence.Kind": {"register", "word", "code", "function", "kernel"},
	"Frame.FoundBy":     append(names(unwind.ByShadow), string(ByFile), string(ByRuntime)),
	"Variable.Kind":     {"", "argument", "local", "global", "expression"},
	"Variable.State":    names(variables.Inconsistent),
	"Variable.Content":  names(variables.Byte)[1:],
	"End.Kind":          append(names(unwind.NoCPU)[unwind.Undefined:], string(NotWalked), string(SymbolsAwaited), string(WroteDump), string(NoRegisters), string(FileStates), string(RuntimeStart), string(RuntimeCut)),
	"Step.Method":       names(unwind.ShadowStack),
	"Step.Result":       {"accepted", "refused", "none"},
	"Read.Use":          {string(ReadScanned), string(ReadCode)},
	"Badge.Kind":        {"cause", "plain", "doubt"},
	"Note.Kind":         {"damage", "truncated", "odd"},
	"NextStep.Kind": {
		"get_dump", "get_symbols", "get_code", "look_at", "compare_locks", "compare_waits", "relock", "tell_vendor", "check_memory", "update_driver", "check_disk", "check_device", "kernel_dump",
		"run_sanitizer",
	},
	"NextStep.Origin":   {"build", "microsoft", "mozilla", "chromium", "electron", "distribution", "mac", "device"},
	"Region.State":      {"", "committed", "reserved", "free"},
	"Region.Kind":       {"", "image", "mapped", "private", "stack"},
	"Region.Protection": {"", "---", "r--", "-w-", "--x", "rw-", "r-x", "-wx", "rwx"},
}

// names are the words of an enumeration of another package, up to its last.
func names[T interface {
	~uint8
	String() string
}](last T) (out []string) {
	for v := range last + 1 {
		out = append(out, v.String())
	}
	return out
}

type generator struct {
	defs     map[string]any
	comments map[string]string // of types and "Type.Field"
}

// object describes a struct.
func (g *generator) object(t reflect.Type) map[string]any {
	properties := map[string]any{}
	required := []string{}
	g.fields(t, properties, &required)
	out := map[string]any{"type": "object", "properties": properties, "required": required}
	if c := g.comments[t.Name()]; c != "" {
		out["description"] = c
	}
	return out
}

func (g *generator) fields(t reflect.Type, properties map[string]any, required *[]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		if f.Anonymous {
			g.fields(f.Type, properties, required)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		value := g.value(f.Type, words[t.Name()+"."+f.Name])
		if c := g.comments[t.Name()+"."+f.Name]; c != "" {
			value["description"] = c
		}
		properties[name] = value
		if options != "omitempty" {
			*required = append(*required, name)
		}
	}
}

// value describes the type of a field. Every call returns a map of its own.
func (g *generator) value(t reflect.Type, enum []string) map[string]any {
	switch {
	case t == reflect.TypeFor[Address]():
		return map[string]any{"$ref": "#/$defs/Address"}
	case t == reflect.TypeFor[Registers]():
		return map[string]any{"type": []string{"object", "null"}, "additionalProperties": g.value(reflect.TypeFor[Address](), nil)}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{g.value(t.Elem(), enum), map[string]any{"type": "null"}}}
	case reflect.Slice:
		return map[string]any{"type": []string{"array", "null"}, "items": g.value(t.Elem(), nil)}
	case reflect.Struct:
		if g.defs[t.Name()] == nil {
			g.defs[t.Name()] = true // so that a type that holds itself would end
			g.defs[t.Name()] = g.object(t)
		}
		return map[string]any{"$ref": "#/$defs/" + t.Name()}
	case reflect.Interface:
		return map[string]any{}
	case reflect.String:
		out := map[string]any{"type": "string"}
		if enum != nil {
			out["enum"] = enum
		}
		return out
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number"}
	}
	out := map[string]any{"type": "integer"}
	if k := t.Kind(); k >= reflect.Uint && k <= reflect.Uint64 {
		out["minimum"] = 0
	}
	return out
}

// comments are those of types and fields.
func comments(t *testing.T) map[string]string {
	code, err := source.Read(".")
	if err != nil {
		t.Fatal(err)
	}
	return code.Comments
}

// A field's words must be those of a field that exists.
func TestWords(t *testing.T) {
	known := comments(t)
	for name := range words {
		if _, ok := known[name]; !ok {
			t.Errorf("words has %s, which is no field", name)
		}
	}
}

func TestRegisters(t *testing.T) {
	tests := []struct {
		in   Registers
		want string
	}{
		{nil, "null"},
		{Registers{}, "{}"},
		{Registers{{"rip", "0x10"}, {"rax", "0x0"}}, `{"rip":"0x10","rax":"0x0"}`},
		{Registers{{`a"b`, "0x1"}}, `{"a\"b":"0x1"}`},
		{Registers{{"</script>\x00", "0x1"}}, `{"\u003c/script\u003e\u0000":"0x1"}`}, // a name from a hostile file
		{Registers{{"a\xff", "0x1"}}, `{"a\ufffd":"0x1"}`},
		{Registers{{"z", "0x2"}, {"a", "0x1"}, {"z", "0x3"}}, `{"z":"0x2","a":"0x1","z":"0x3"}`}, // neither sorted nor merged
	}
	for _, tt := range tests {
		got, err := json.Marshal(tt.in)
		if err != nil || string(got) != tt.want {
			t.Errorf("Marshal(%v) = %s, %v; want %s", tt.in, got, err, tt.want)
		}
	}
}

func TestAddress(t *testing.T) {
	tests := []struct {
		v     uint64
		width int
		want  Address
	}{
		{0, 4, "0x00000000"},
		{0x1234, 8, "0x0000000000001234"},
		{0x1_0000_0000, 4, "0x100000000"}, // wider than the pointers of the dump
		{0xfedc_ba98_7654_3210, 8, "0xfedcba9876543210"},
		{0xffff_ffff, 4, "0xffffffff"},
		{1 << 63, 8, "0x8000000000000000"},
		{0x1_0000, 2, "0x10000"},
		{0, 0, "0x0"}, {5, 0, "0x5"}, {1, 9, "0x0000000000000001"}, // no dump has such pointers
	}
	for _, tt := range tests {
		if got := Addr(tt.v, tt.width); got != tt.want {
			t.Errorf("Addr(%#x, %d) = %s, want %s", tt.v, tt.width, got, tt.want)
		}
	}
	for v, want := range map[uint64]Address{0: "0x0", 0x10: "0x10", 0xfedc_ba98_7654_3210: "0xfedcba9876543210"} {
		if got := Hex(v); got != want {
			t.Errorf("Hex(%#x) = %s, want %s", v, got, want)
		}
	}
}

// Addr is written by hand for its speed, and gives what fmt gives.
func TestAddressIsThatOfFmt(t *testing.T) {
	for shift := range 64 {
		for _, v := range []uint64{1 << shift, 1<<shift - 1, 0x9e37_79b9_7f4a_7c15 >> shift} {
			for _, width := range []int{4, 8} {
				if got, want := string(Addr(v, width)), "0x"+fmt.Sprintf("%0*x", 2*width, v); got != want {
					t.Errorf("Addr(%#x, %d) = %s, want %s", v, width, got, want)
				}
			}
		}
	}
}
