package report

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compiled is the published schema.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("report.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("report.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// written is a report as JSON, read again.
func written(t *testing.T, r *Report) map[string]any {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc.(map[string]any)
}

// full sets every field of a report to something: pointers point, lists have one element, strings
// are a word of the schema.
func full() *Report {
	var r Report
	fill(reflect.ValueOf(&r).Elem(), "", 0)
	return &r
}

// fill sets a value and all that it holds. Variables hold variables; inner counts how deep.
func fill(v reflect.Value, field string, inner int) {
	if field == "Variable.Children" {
		if inner++; inner > 2 {
			return
		}
	}
	switch v.Type() {
	case reflect.TypeFor[Address]():
		v.SetString("0x0000000000401000")
		return
	case reflect.TypeFor[Registers]():
		v.Set(reflect.ValueOf(Registers{{"rip", "0x10"}}))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), field, inner)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), "", inner)
	case reflect.Struct:
		for i := range v.NumField() {
			if !v.Field(i).CanSet() {
				continue
			}
			fill(v.Field(i), v.Type().Name()+"."+v.Type().Field(i).Name, inner)
		}
	case reflect.String:
		v.SetString("text")
		if list := words[field]; list != nil {
			v.SetString(list[len(list)-1])
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Interface:
		v.Set(reflect.ValueOf("unlimited"))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(7)
	default:
		v.SetInt(7)
	}
}

// A report without any facts is of the schema, and so is one with all of them.
func TestEmptyAndFullReports(t *testing.T) {
	schema := compiled(t)
	for name, r := range map[string]*Report{"empty": {Status: "OK"}, "full": full()} {
		if name == "empty" {
			r.Dump.Kind = "minidump" // the only words that every report has
		}
		if err := schema.Validate(written(t, r)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// set changes one value of a document: "threads.0.frames.0.trust". The value nil removes it.
func set(doc any, path string, value any) {
	key, rest, more := strings.Cut(path, ".")
	switch doc := doc.(type) {
	case []any:
		set(doc[0], rest, value)
	case map[string]any:
		switch {
		case more:
			set(doc[key], rest, value)
		case value == nil:
			delete(doc, key)
		default:
			doc[key] = value
		}
	}
}

// The schema refuses what no report has: it is of use to programs only if it is strict.
func TestSchemaRefuses(t *testing.T) {
	schema := compiled(t)
	for _, tt := range []struct {
		name, path string
		value      any
	}{
		{"a field that is missing", "verdict", nil},
		{"a field of rust-minidump that is missing", "crash_info.type", nil},
		{"a field of a thread that is missing", "threads.0.thread_id", nil},
		{"another status", "status", "ERROR_NO_THREADS"},
		{"an address as a number", "crash_info.address", json.Number("4198400")},
		{"an address in upper case", "crash_info.address", "0xABC"},
		{"an address without digits", "modules.0.base_addr", "0x"},
		{"an address without 0x", "modules.0.end_addr", "401000"},
		{"a negative thread ID", "threads.0.thread_id", json.Number("-1")},
		{"a line with a point", "threads.0.frames.0.line", json.Number("1.5")},
		{"a trust that does not exist", "threads.0.frames.0.trust", "certain"},
		{"a method of another unwinder", "threads.0.frames.0.found_by", "magic"},
		{"a register as a number", "threads.0.frames.0.registers.rip", json.Number("16")},
		{"a step that is no object", "next_steps", []any{"look"}},
		{"a kind of step that does not exist", "next_steps.0.kind", "pray"},
		{"a state of symbols that does not exist", "modules.0.symbols.state", "fine"},
		{"a word instead of a truth value", "verdict.crashed", "yes"},
		{"a list instead of an object", "system_info", []any{}},
		{"an object instead of a list", "threads", map[string]any{}},
		{"a protection with its letters in another order", "memory_regions.0.protection", "xwr"},
		{"the former name of a truncated symbol file", "modules.0.symbols.damage.truncated", nil},
	} {
		doc := written(t, full())
		if set(doc, tt.path, tt.value); schema.Validate(doc) == nil {
			t.Errorf("%s: accepted", tt.name)
		}
	}
}

// What later versions may add, and what is not known, is of the schema.
func TestSchemaAccepts(t *testing.T) {
	schema := compiled(t)
	for _, tt := range []struct {
		name, path string
		value      any
	}{
		{"a field of a later version", "verdict.mood", "good"},
		{"no threads", "threads", []any{}},
		{"a dump without a hash", "dump.hash", json.RawMessage("null")},
		{"a limit that is a number", "proc_limits.limits.0.soft", json.Number("1024")},
		{"errors of the writer in any form", "soft_errors", []any{map[string]any{"InitErrors": []any{}}}},
		{"an address wider than pointers", "crash_info.address", "0x10000000000000000"},
		{"a register of another CPU", "threads.0.frames.0.registers.x29", "0x0"},
	} {
		doc := written(t, full())
		if raw, ok := tt.value.(json.RawMessage); ok && string(raw) == "null" {
			doc["dump"].(map[string]any)["hash"] = nil
		} else {
			set(doc, tt.path, tt.value)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
