package macho

import (
	"strings"
	"testing"

	"crashglass/core/stack/symbolize"
)

// The map of a build, as dsymutil reads it: the first name is on the second line.
const someMap = "BCSymbolMap Version: 2.0\n_main\n__ZN1a1bEv\n\x01-[Foo bar]\n/src/app\nmain.c\n\n"

func parseMap(t *testing.T, text string) *SymbolMap {
	t.Helper()
	m, err := ParseSymbolMap(source([]byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSymbolMap(t *testing.T) {
	m := parseMap(t, someMap)
	for _, tt := range []struct{ name, text, symbol string }{
		{"__hidden#0_", "_main", "main"},
		{"__hidden#1_", "__ZN1a1bEv", "_ZN1a1bEv"},
		{"__hidden#2_", "\x01-[Foo bar]", "-[Foo bar]"},
		{"__hidden#5_", "__hidden#5_", "__hidden#5_"}, // an empty line
		{"__hidden#99_", "__hidden#99_", "__hidden#99_"},
		{"__hidden#x_", "__hidden#x_", "__hidden#x_"},
	} {
		if text, symbol := m.text(tt.name), m.symbol(tt.name); text != tt.text || symbol != tt.symbol {
			t.Errorf("%s: %q and %q, want %q and %q", tt.name, text, symbol, tt.text, tt.symbol)
		}
	}
	for p, want := range map[string]string{
		"__hidden#3_/__hidden#4_":  "/src/app/main.c",
		"/build/__hidden#4_":       "/build/main.c",
		"/build/__hidden#3_/x.c":   "/src/app/x.c",
		"/usr/include/stdio.h":     "/usr/include/stdio.h",
		"__hidden#4_":              "main.c",
		"/__hidden#3_/__hidden#4_": "/src/app/main.c",
	} {
		if got := m.path(p); got != want {
			t.Errorf("%s: %s, want %s", p, got, want)
		}
	}
	if _, err := ParseSymbolMap(source([]byte("BCSymbolMap Version: 3.0\n"))); err == nil ||
		err.Error() != `macho: bcsymbolmap at 0x0: the version is "3.0", not 1.0 or 2.0` {
		t.Error(err)
	}
}

// A hidden name gives way to what the map, the export trie or another symbol of
// the address has.
func TestHiddenNames(t *testing.T) {
	trie := []byte("\x00\x01_\x00\x05" + "\x00\x01exported\x00\x11" + "\x03\x00\x80\x20\x00")
	for _, tt := range []struct {
		what    string
		symbols []testSymbol
		exports []byte
		hidden  string
		want    string
	}{
		{"nothing", []testSymbol{{"__hidden#0_", 0xf, 1, 0, testBase + 0x1000}}, nil, "", "__hidden#0_"},
		{"another symbol", []testSymbol{{"__hidden#0_", 0xf, 1, 0, testBase + 0x1000}, {"_real", 0xf, 1, 0, testBase + 0x1000}}, nil, "", "real"},
		{"the export trie", []testSymbol{{"__hidden#0_", 0xf, 1, 0, testBase + 0x1000}}, trie, "", "exported"},
		{"the map", []testSymbol{{"__hidden#0_", 0xf, 1, 0, testBase + 0x1000}}, nil, someMap, "main"},
		{"no symbols, but the export trie", nil, trie, "", "exported"},
	} {
		m := someImage(t)
		m.symbols, m.exports = tt.symbols, tt.exports
		opt := Options{}
		if tt.hidden != "" {
			opt.SymbolMap = parseMap(t, tt.hidden)
		}
		f, err := Open(source(m.build(t)), opt)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := f.Locate(0x1008); got.Function != tt.want {
			t.Errorf("%s: %q, want %q", tt.what, got.Function, tt.want)
		}
	}
}

// Names of DWARF are hidden like those of symbols.
func TestHiddenDWARF(t *testing.T) {
	m := someImage(t)
	m.symbols, m.more = nil, debugInfo(t)
	m.more[2].data = []byte("other\x00__hidden#1_\x00")
	f, err := Open(source(m.build(t)), Options{SymbolMap: parseMap(t, someMap)})
	if err != nil {
		t.Fatal(err)
	}
	want := "__ZN1a1bEv"
	if got, _ := f.Locate(0x1008); got.Function != want {
		t.Errorf("Locate says %q, want %q", got.Function, want)
	}
	if err := f.EachFunction(func(fn *symbolize.Function) error {
		if fn.Name != want {
			t.Errorf("EachFunction says %q, want %q", fn.Name, want)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// Edges that lead back, to nowhere, or down without an end cost nothing.
func TestDamagedExports(t *testing.T) {
	deep := []byte{}
	for i := range 3000 {
		at := 5 * (i + 1)
		deep = append(deep, 0, 1, 0, byte(at)|0x80, byte(at>>7))
	}
	for name, trie := range map[string][]byte{
		"a circle": []byte("\x00\x02a\x00\x00b\x00\x00"), "no end": []byte("\x00\x01abc"), "beyond": []byte("\x00\x01a\x00\x7f"),
		"a long node": []byte("\xff\xff\x03\x00"), "deep": deep, "255 edges": []byte("\x00\xff" + strings.Repeat("a\x00\x00", 255)),
	} {
		m := someImage(t)
		m.symbols, m.exports = nil, trie
		if got, ok := m.open(t).Locate(0x1008); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
