package symbols

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"crashglass/core/process/module"
	"crashglass/core/testkit/asm"
)

// dsym is a Mach-O file for ARM64 with one symbol at 0x1000, and a UUID of one
// byte repeated.
func dsym(t *testing.T, uuid byte, symbol string) []byte {
	t.Helper()
	const base = 0x1_0000_0000
	name16 := func(s *asm.Section, name string) { s.Text(name).Zeros(16 - len(name)) }
	s := asm.At(0).U32(0xfeedfacf, 0x0100000c, 0, 10, 3, 72+80+24+24, 0, 0)
	s.U32(0x19, 72+80)
	name16(s, "__TEXT")
	s.U64(base, 0x4000, 0, 0x4000).U32(5, 5, 1, 0)
	name16(s, "__text")
	name16(s, "__TEXT")
	s.U64(base+0x1000, 0x100).U32(0x1000, 0, 0, 0, 0x80000400, 0, 0, 0)
	s.U32(0x1b, 24).Bytes(slices.Repeat([]byte{uuid}, 16))
	s.U32(2, 24, 0x200, 1, 0x210, uint32(len(symbol)+2))
	s.Zeros(int(0x200 - s.Here()))
	s.U32(1).U8(0xf, 1).U16(0).U64(base + 0x1000).U8(0).Text(symbol + "\x00")
	return s.Build(t)
}

func uuidText(b byte) string {
	x := fmt.Sprintf("%02X", b)
	r := func(n int) string { return strings.Repeat(x, n) }
	return r(4) + "-" + r(2) + "-" + r(2) + "-" + r(2) + "-" + r(6)
}

func appModule(uuid byte) *module.Module {
	return &module.Module{CodeFile: "/var/containers/App.app/App", DebugFile: "App", DebugID: strings.Repeat(fmt.Sprintf("%02X", uuid), 16) + "0", Arch: "arm64"}
}

// nameIn is the name that a folder of files has for the start of the module's code.
func nameIn(t *testing.T, files fstest.MapFS, m *module.Module) string {
	t.Helper()
	s := NewStore(Options{})
	s.AddFS("symbols", files)
	defer s.Close()
	source, _ := s.For(m)
	if source == nil {
		return ""
	}
	loc, _ := source.Locate(0x1008)
	return loc.Function
}

// A dSYM is found whatever it is called and wherever it is, by the name of the
// file in it or, failing that, by its UUID.
func TestBundles(t *testing.T) {
	for _, path := range []string{
		"App.dSYM/Contents/Resources/DWARF/App",
		"App.app.dSYM/Contents/Resources/DWARF/App",
		"Contents/Resources/DWARF/App", // the bundle itself
		"My.xcarchive/dSYMs/App.app.dSYM/Contents/Resources/DWARF/App",
		"2026-11-22/My 22.11.26, 07.16.xcarchive/dSYMs/App.app.dSYM/Contents/Resources/DWARF/App",
		uuidText(0xab) + ".dSYM/Contents/Resources/DWARF/App",
		"downloads/" + uuidText(0xab) + "/App.app.dSYM/Contents/Resources/DWARF/App",
		"App.dSYM/Contents/Resources/DWARF/Renamed",
		"My.xcarchive/Products/Applications/App.app/App",
		"App.app/Contents/MacOS/App",
	} {
		files := fstest.MapFS{
			path: {Data: dsym(t, 0xab, "_mine")},
			"Other.dSYM/Contents/Resources/DWARF/App": {Data: dsym(t, 0xcd, "_other")},
		}
		if got := nameIn(t, files, appModule(0xab)); got != "mine" {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// The folders of a large store that has no bundles are not all listed.
func TestBundlesInAStore(t *testing.T) {
	fsys := &listed{counted: &counted{MapFS: storeOf(func(name, id string) string { return name + "/" + id + "/" + name + ".sym" })}}
	s := NewStore(Options{})
	s.AddFS("S", fsys)
	s.For(appModule(0xab))
	if len(fsys.folders) > 10 {
		t.Errorf("%d folders were listed", len(fsys.folders))
	}
}

const plist = `<plist version="1.0"><dict><key>DBGOriginalUUID</key><string>%s</string></dict></plist>`

// Hidden names are undone by a map that has the dSYM's UUID, or the one that a
// property list in the dSYM names; in folders, and for files given one by one
// in any order.
func TestHiddenNames(t *testing.T) {
	bundle := "dSYMs/App.app.dSYM/Contents/Resources/"
	hidden := dsym(t, 0xab, "__hidden#1_")
	symbolMap := []byte("BCSymbolMap Version: 2.0\n_first\n_$s3App3FooV3bar1xySi_tF\n")
	for _, tt := range []struct {
		what  string
		files fstest.MapFS
		want  string
	}{
		{"no map", fstest.MapFS{}, "__hidden#1_"},
		{"a map of the dSYM's UUID", fstest.MapFS{"BCSymbolMaps/" + uuidText(0xab) + ".bcsymbolmap": {Data: symbolMap}}, "Foo.bar(x: Int)"},
		{"a map of the original's", fstest.MapFS{
			"BCSymbolMaps/" + strings.ToLower(uuidText(0xef)) + ".bcsymbolmap": {Data: symbolMap},
			bundle + uuidText(0xab) + ".plist":                                 {Data: fmt.Appendf(nil, plist, uuidText(0xef))},
		}, "Foo.bar(x: Int)"},
		{"a map of another build", fstest.MapFS{"BCSymbolMaps/" + uuidText(0xef) + ".bcsymbolmap": {Data: symbolMap}}, "__hidden#1_"},
		{"a damaged map", fstest.MapFS{"BCSymbolMaps/" + uuidText(0xab) + ".bcsymbolmap": {Data: []byte("BCSymbolMap Version: 9\n")}}, "__hidden#1_"},
	} {
		tt.files[bundle+"DWARF/App"] = &fstest.MapFile{Data: hidden}
		if got := nameIn(t, tt.files, appModule(0xab)); got != tt.want {
			t.Errorf("%s, in a folder: %q, want %q", tt.what, got, tt.want)
		}
		s := NewStore(Options{})
		s.Add("App", inMemory(hidden))
		s.For(appModule(0xab)) // opens it
		for name, file := range tt.files {
			if !strings.HasSuffix(name, "/App") {
				if items := s.Add(name, inMemory(file.Data)); items[0].Use != IsSymbols {
					t.Errorf("%s: %s: %+v", tt.what, name, items[0])
				}
			}
		}
		source, _ := s.For(appModule(0xab))
		if loc, _ := source.Locate(0x1008); loc.Function != tt.want {
			t.Errorf("%s, one by one: %q, want %q", tt.what, loc.Function, tt.want)
		}
	}
}
