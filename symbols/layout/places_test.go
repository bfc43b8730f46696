package layout

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/process/module"
)

// A placed is a module and where its files are looked for.
type placed struct {
	name string
	m    module.Module
	want []string
}

func checkPlaces(t *testing.T, of func(*module.Module) []string, list []placed) {
	t.Helper()
	for _, tt := range list {
		if got := of(&tt.m); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

// names out of a dump that must not become part of a path.
var unsafe = []string{"", ".", "..", "a/..", `C:\`, "a\x00b"}

// A store has a folder for a module's name and, with index2.txt, one for the
// first two letters above it (symstore, "Two-tiered structure").
func TestRoots(t *testing.T) {
	checkPlaces(t, Roots, []placed{
		{"a PDB and an image", module.Module{CodeFile: `C:\bin\app.exe`, DebugFile: `D:\build\app.pdb`},
			[]string{"app.pdb", "ap/app.pdb", "app.exe", "ap/app.exe"}},
		{"a path of Unix", module.Module{CodeFile: "/usr/lib/libc.so.6", DebugFile: "libc.so.6"},
			[]string{"libc.so.6", "li/libc.so.6", "libc.so.6", "li/libc.so.6"}},
		{"one letter", module.Module{CodeFile: "/bin/[", DebugFile: "["}, []string{"[", "[/[", "[", "[/["}},
		{"no debug file", module.Module{CodeFile: "/bin/ls"}, []string{"ls", "ls/ls"}},
		{"no name", module.Module{}, nil},
		{"two dots", module.Module{CodeFile: "..", DebugFile: "."}, nil},
		{"a zero", module.Module{CodeFile: "a\x00b", DebugFile: "x.pdb"}, []string{"x.pdb", "x./x.pdb"}},
	})
	for _, name := range unsafe {
		for _, root := range Roots(&module.Module{CodeFile: name, DebugFile: name}) {
			if strings.Contains("/"+root+"/", "/../") || strings.ContainsAny(root, "\\\x00") {
				t.Errorf("%q leads to %q", name, root)
			}
		}
	}
}

// Breakpad's SimpleSymbolSupplier replaces .pdb by .sym, and appends .sym to
// other names.
func TestSymbolNames(t *testing.T) {
	checkPlaces(t, SymbolNames, []placed{
		{"a PDB", module.Module{CodeFile: "app.exe", DebugFile: "app.pdb"}, []string{"app.sym", "app.pdb.sym", "app.sym", "app.exe.sym"}},
		{"in capitals", module.Module{CodeFile: "APP.DLL", DebugFile: "App.PDB"}, []string{"App.sym", "App.PDB.sym", "APP.sym", "APP.DLL.sym"}},
		{"a library of Linux", module.Module{CodeFile: "/lib/libc.so.6", DebugFile: "libc.so.6"},
			[]string{"libc.so.6.sym", "libc.so.6.sym", "libc.so.6.sym", "libc.so.6.sym"}},
		{"only an ending", module.Module{CodeFile: ".exe", DebugFile: ".pdb"}, []string{".pdb.sym", ".pdb.sym", ".exe.sym", ".exe.sym"}},
		{"another ending", module.Module{CodeFile: "app.bin", DebugFile: "apppdb"}, []string{"apppdb.sym", "apppdb.sym", "app.bin.sym", "app.bin.sym"}},
		{"no debug file", module.Module{CodeFile: "app.exe"}, []string{"app.sym", "app.exe.sym"}},
		{"nothing", module.Module{}, nil},
	})
}

// A symbol store of Breakpad has NAME/ID/NAME.sym.
func TestPlace(t *testing.T) {
	const id = "0123456789ABCDEF0123456789ABCDEF1"
	for _, tt := range []struct {
		m    module.Module
		want string
	}{
		{module.Module{DebugFile: `D:\build\app.pdb`, DebugID: id}, "app.pdb/" + id + "/app.sym"},
		{module.Module{DebugFile: "/usr/lib/libc.so.6", DebugID: id}, "libc.so.6/" + id + "/libc.so.6.sym"},
		{module.Module{DebugFile: "app.pdb"}, ""},
		{module.Module{DebugID: id}, ""},
		{module.Module{CodeFile: "app.exe", DebugID: id}, ""}, // a store is by the debug file
		{module.Module{DebugFile: "app.pdb", DebugID: "../.."}, ""},
		{module.Module{DebugFile: "app.pdb", DebugID: ".."}, ""},
		{module.Module{DebugFile: "..", DebugID: id}, ""},
		{module.Module{DebugFile: "app\x00.pdb", DebugID: id}, ""},
	} {
		if got := Place(&tt.m); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.m, got, tt.want)
		}
	}
}

// A module's own files may be split: by objcopy, dwp and dsymutil.
func TestNativeNames(t *testing.T) {
	checkPlaces(t, NativeNames, []placed{
		{"a library", module.Module{CodeFile: "/usr/lib/libfoo.so"}, []string{"libfoo.so", "libfoo.so.debug", "libfoo.so.dwp", "libfoo.so.dSYM/Contents/Resources/DWARF/libfoo.so"}},
		{"a versioned library", module.Module{CodeFile: "/lib/libz.so.1.2"}, []string{"libz.so.1.2", "libz.so.1.2.debug", "libz.so.1.2.dwp",
			"libz.so.1.2.dSYM/Contents/Resources/DWARF/libz.so.1.2", "libz.so.1", "libz.so"}},
		{"a PDB", module.Module{DebugFile: "app.pdb"}, []string{"app.pdb", "app.pdb.debug", "app.pdb.dwp", "app.pdb.dSYM/Contents/Resources/DWARF/app.pdb"}},
		{"nothing", module.Module{CodeFile: ".."}, nil},
	})
}

// gdb has a folder for the first byte of a build id; debuginfod's server and
// client have one for the whole.
func TestByBuildID(t *testing.T) {
	full := func(id string) []string {
		return []string{id + "/debuginfo", id + "/executable", "buildid/" + id + "/debuginfo", "buildid/" + id + "/executable",
			".build-id/" + id[:2] + "/" + id[2:] + ".debug", ".build-id/" + id[:2] + "/" + id[2:]}
	}
	checkPlaces(t, ByBuildID, []placed{
		{"an id", module.Module{CodeID: "0123456789abcdef0123456789abcdef01234567"}, full("0123456789abcdef0123456789abcdef01234567")},
		{"in capitals", module.Module{CodeID: "ABCD"}, full("abcd")},
		{"too short", module.Module{CodeID: "abc"}, nil},
		{"not hexadecimal", module.Module{CodeID: "abcdefg0"}, nil},
		{"a path", module.Module{CodeID: "../../etc"}, nil},
		{"a time of 0 and a size, from old Breakpad", module.Module{CodeID: "00000000216000"}, nil},
		{"none", module.Module{}, nil},
	})
}

func TestPacked(t *testing.T) {
	want := []string{"app.pdb", "app.pdb.gz", "app.pdb.zst", "app.pdb.xz", "app.pd_"}
	if got := Packed("app.pdb"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A folder of one build has as many digits as a time stamp and a size, or a
// GUID and an age.
func TestIsBuild(t *testing.T) {
	for name, want := range map[string]bool{
		"4A5BDBDE1":                         true, // the size has one digit
		"4A5BDBDE":                          false,
		"4a5bdbde1000":                      true,
		strings.Repeat("0", 32) + "1":       true,
		strings.Repeat("F", 40):             true,
		strings.Repeat("F", 41):             false,
		"4A5BDBDE1g":                        false,
		"":                                  false,
		"01234567-89AB-CDEF-0123-456789ABC": false,
	} {
		if got := IsBuild(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Xcode names .bcsymbolmap files and folders by UUIDs, with dashes or without.
func TestUUID(t *testing.T) {
	const id = "0123456789ABCDEF0123456789ABCDEF"
	for name, want := range map[string]string{
		id:                                       id,
		strings.ToLower(id):                      id,
		"01234567-89AB-CDEF-0123-456789ABCDEF":   id,
		id + ".bcsymbolmap":                      id,
		"01234567-89ab-cdef-0123-456789abcdef.x": id,
		id[1:]:                                   "",
		id + "0":                                 "",
		"G" + id[1:]:                             "",
		"app":                                    "",
		"":                                       "",
	} {
		if got := UUID(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// Folders of bundles are those that Xcode makes, and what is in them.
func TestBundles(t *testing.T) {
	for name, want := range map[string]struct{ bundle, dir bool }{
		"App.app":                              {bundle: true, dir: true},
		"App.app.dSYM":                         {bundle: true, dir: true},
		"APP.XCARCHIVE":                        {bundle: true, dir: true},
		"Foo.framework":                        {bundle: true, dir: true},
		"Foo.xcframework":                      {bundle: true, dir: true},
		"Driver.kext":                          {bundle: true, dir: true},
		"Share.appex":                          {bundle: true, dir: true},
		"Contents":                             {dir: true},
		"Resources":                            {dir: true},
		"DWARF":                                {dir: true},
		"dSYMs":                                {dir: true},
		"BCSymbolMaps":                         {dir: true},
		"A":                                    {dir: true}, // of Versions
		"ios-arm64":                            {dir: true},
		"macos-arm64_x86":                      {dir: true},
		"tvos-arm64":                           {dir: true},
		"watch":                                {},
		"src":                                  {},
		"App.app.zip":                          {},
		"":                                     {},
		"app":                                  {},
		"iosapp":                               {},
		"0123456789ABCDEF":                     {},
		"01234567-89AB-CDEF-0123-456789ABCDEF": {dir: true},
		// Without dashes it may be the folder of a symbol store.
		"0123456789ABCDEF0123456789ABCDEF": {},
	} {
		if IsBundle(name) != want.bundle || IsBundleDir(name) != want.dir {
			t.Errorf("%q: %v, %v; want %+v", name, IsBundle(name), IsBundleDir(name), want)
		}
	}
}
