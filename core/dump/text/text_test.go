package text

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// Reports are found anywhere in a log, without its prefixes and colours, also two that are written at once.
func TestOpenAll(t *testing.T) {
	for _, tt := range []struct {
		name, log string
		want      []string
	}{
		{"nothing", "", nil},
		{"no report", "NOT\nNOTHING x\n", nil},
		{"one", "NOTE a\nf\ng\nEND\n", []string{"a: f g"}},
		{"without a last line end", "x\nNOTE a\nf\nEND", []string{"a: f"}},
		{"two", "NOTE a\nf\nEND\nNOTE c\ng\nEND\n", []string{"a: f", "c: g"}},
		{"two families have a mark, and the second one a report", "NOTE b\nf\nEND\n", []string{"b: f"}},
		{"a report without an end, which hides the next one", "NOTE a\nf\nNOTE c\ng\n", nil},
		{"line ends of Windows, of adb, and spaces", "NOTE a\r\nf  \r\r\nEND \r\n", []string{"a: f"}},
		{"colours", "\x1b[1m\x1b[31mNOTE a\x1b[0m\n\x1b[36mf\x1b[m\nEND\n", []string{"a: f"}},
		{"GitHub Actions", "2026-11-23T05:09:58.1234567Z NOTE a\n2026-11-23T05:09:58.2Z f\n2026-11-23T05:10:58.9234567Z END\n", []string{"a: f"}},
		{"syslog", "Nov 23 05:09:58 host prog[12]: NOTE a\nNov 23 05:09:59 host prog[12]: f\nNov 24 00:00:00 host prog[12]: END\n", []string{"a: f"}},
		{"syslog, two at once", "Nov  3 05:09:58 host prog[12]: NOTE a\nNov  3 05:09:58 host prog[13]: NOTE c\nNov  3 05:09:59 host prog[12]: f\n" +
			"Nov  3 05:09:59 host prog[13]: g\nNov  3 05:09:59 host prog[13]: END\nNov  3 05:09:59 host prog[12]: END\n", []string{"a: f", "c: g"}},
		{"logcat", "03-02 10:11:12.345  4400  4401 F DEBUG   : NOTE a\n03-02 10:11:12.346  4400  4401 F DEBUG   : f\n03-02 10:11:12.346  1  2 I other: x\n" +
			"03-02 10:11:12.346  1  2 F DEBUG   : y\n03-02 10:11:12.346  4400  4401 F DEBUG   : END\n", []string{"a: f"}},
		{"logcat, brief", "F/DEBUG   ( 3745): NOTE a\nF/DEBUG   (13745): x\nF/DEBUG   ( 3745): f\nF/DEBUG   ( 3745): END\n", []string{"a: f"}},
		{"Docker Compose", "app-1  | NOTE a\ndb-1   | x\napp-1  |   f\napp-1  | END\n", []string{"a:   f"}},
		{"a prefix for each message", "2026-11-23 05:09:58,123 ERROR NOTE a\nf\ng\n2026-11-23 05:09:58,124 INFO other\nEND\n", []string{"a: f g"}},
		{"UTF-16", "\xff\xfe" + strings.Join(strings.Split("NOTE a\nf\nEND\n", ""), "\x00") + "\x00", []string{"a: f"}},
	} {
		if got := notes(tt.log); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Lines that are in no report are read again, but not for ever.
func TestReadAgain(t *testing.T) {
	log := "NOTE a\nf\nNOTE b\ng\nEND\n"
	if got := notes(strings.Repeat("NOTE x\n", 3) + log); len(got) != 1 {
		t.Errorf("%q", got)
	}
	reads := 0
	never := Family{Marks: []string{"x x"}, Read: func(l *Lines) []*process.Process {
		for {
			if _, ok := l.Next(); !ok {
				return nil
			}
			reads++
		}
	}}
	const lines = 20_000
	if all, found, err := OpenAll([]Family{never})(source(strings.Repeat("x x\n", lines))); found || err != nil || len(all) > 0 {
		t.Errorf("%d reports, %v", len(all), err)
	}
	if most := lines + maxAgain + lines; reads > 2*most {
		t.Errorf("%d lines were read for %d", reads, lines)
	}
}

// A report knows its size and hash, and the lines before it.
func TestReportInLog(t *testing.T) {
	before := "one\ntwo\n"
	report := "NOTE a\nf\nEND\n"
	var past []string
	keep := note
	keep.Read = func(l *Lines) []*process.Process {
		past = l.Before(5)
		return note.Read(l)
	}
	all, _, _ := OpenAll([]Family{keep})(source(before + report + "three\n"))
	alone, _, _ := OpenAll([]Family{note})(source(report))
	if len(all) != 1 || all[0].Origin.Size != int64(len(report)) || all[0].Hash != alone[0].Hash || all[0].Hash == "" || !slices.Equal(past, []string{"two", "one"}) {
		t.Errorf("%d reports of %d bytes, %q", len(all), all[0].Origin.Size, past)
	}
}

// Each mark is found, whatever other marks begin or end in it.
func TestMarks(t *testing.T) {
	families := []Family{{Marks: []string{"abcd", "xxx"}}, {Marks: []string{"bcd", "bcde"}}, {Marks: []string{"cdc", "zzzy"}}, {Marks: []string{"abce"}}}
	m := newMarks(families)
	for line, want := range map[string][]hit{
		"": nil, "ab": nil, "abc": nil, "abcd": {{0, 0}, {1, 1}}, "ababcdc": {{0, 2}, {1, 3}, {2, 4}}, "bbcde": {{1, 1}}, "x.xxxx": {{0, 2}}, "zzzz": nil, "zzzzy": {{2, 1}},
		"\xff\x00abce": {{3, 2}}, "abceabcd": {{3, 0}, {0, 4}, {1, 5}},
	} {
		if got := m.find([]byte(line), nil); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
	var many []Family // more beginnings than bits
	for i := range 200 {
		many = append(many, Family{Marks: []string{fmt.Sprintf("%03d", i)}})
	}
	m = newMarks(many)
	for i := range many {
		if got := m.find(fmt.Appendf(nil, "-%03d-", i), nil); !slices.Equal(got, []hit{{i, 1}}) {
			t.Errorf("%d: %v", i, got)
		}
	}
}

// A search stops where progress says so.
func TestFirst(t *testing.T) {
	log := strings.Repeat("a line\n", 1<<19) + "NOTE a\nEND\n"
	calls := 0
	if First([]Family{note})(source(log), func(int64) error { calls++; return nil }) != "note" || calls < 3 {
		t.Errorf("not found, %d calls", calls)
	}
	if First([]Family{note})(source(log), func(done int64) error {
		if done > 0 {
			return errors.New("enough")
		}
		return nil
	}) != "" {
		t.Error("found behind the end of the search")
	}
	if First([]Family{note})(source("NOTE a\x00END\n"), nil) != "" {
		t.Error("found in what is no text")
	}
}

// A value of many parts is refused before it needs memory for them.
func TestUnmarshal(t *testing.T) {
	var list []struct{ A [16]int }
	for n, want := range map[int]bool{0: true, 5: true, maxValues: true, maxValues + 1: false} {
		err := Decode(json.NewDecoder(strings.NewReader("["+strings.Repeat("null,", n)+"null]")), &list)
		if (err == nil) != want || want && len(list) != n+1 {
			t.Errorf("%d: %d, %v", n, len(list), err)
		}
	}
	if Decode(json.NewDecoder(strings.NewReader("[null,")), &list) == nil {
		t.Error("half a value was read")
	}
}

// A table has values by keys, and a key of another form none.
func TestTable(t *testing.T) {
	const table Table = ";a b=amd64;c=0x10;d="
	for key, want := range map[string]string{"a b": "amd64", "c": "0x10", "d": "", "": "-", "b": "-", "a b=amd64;c": "-", "amd64": "-"} {
		got, ok := table.Of(key)
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", key, got, want)
		}
	}
	n, number := table.Number("c")
	if _, word := table.Number("a b"); n != 16 || !number || word || table.CPU("a b") != &cpu.AMD64 || table.CPU("d") != nil {
		t.Errorf("%d, %t, %t", n, number, word)
	}
}

// Each table of this package and those below it has pairs with distinct keys.
func TestTables(t *testing.T) {
	tables := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Type == nil || strings.TrimPrefix(types.ExprString(spec.Type), "text.") != "Table" {
				return true
			}
			for i, value := range spec.Values {
				tables++
				checkTable(t, name+": "+spec.Names[i].Name, types.ExprString(value))
			}
			return false
		})
		return nil
	})
	if err != nil || tables < 15 {
		t.Errorf("%d tables, %v", tables, err)
	}
}

// checkTable checks the table that is the value of an expression.
func checkTable(t *testing.T, name, expression string) {
	value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, expression)
	if err != nil || value.Value == nil || value.Value.Kind() != constant.String {
		t.Errorf("%s is no constant text: %v", name, err)
		return
	}
	table := constant.StringVal(value.Value)
	pairs := strings.Split(table, ";")
	if pairs[0] != "" || len(pairs) < 2 {
		t.Errorf("%s does not begin with a semicolon", name)
	}
	for _, pair := range pairs[1:] {
		key, want, ok := strings.Cut(pair, "=")
		if got, _ := Table(table).Of(key); !ok || key == "" || got != want || strings.Contains(want, "=") || strings.TrimSpace(key) != key || strings.Count(table, ";"+key+"=") != 1 {
			t.Errorf("%s: %q", name, pair)
		}
	}
}
