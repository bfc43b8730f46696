package plan

import (
	"strings"
	"testing"

	"crashglass/core/report"
)

// shape writes the tries of a list: files of a try are joined by "+", and places of a file by "|".
func shape(l *List) string {
	var tries []string
	for _, item := range l.Items {
		for _, try := range item.Tries {
			var files []string
			for _, file := range try.Files {
				var places []string
				for _, place := range file {
					places = append(places, place.Path)
				}
				files = append(files, strings.Join(places, "|"))
			}
			tries = append(tries, strings.Join(files, " + "))
		}
	}
	return strings.Join(tries, "; ")
}

func windowsModule(paths ...string) *report.Report {
	return wants("Windows NT", `C:\app\a.dll`, report.Wanted{DebugFile: "a.pdb", DebugID: id, Paths: paths})
}

// A Breakpad file has everything, so it is requested alone and first. A PDB and its image complete each other.
func TestTries(t *testing.T) {
	const sym, pdb, dll, elf = "a.pdb/1/a.sym", "a.pdb/1/a.pdb", "a.dll/2/a.dll", "buildid/3/debuginfo"
	for _, tt := range []struct {
		name, server string
		paths        []string
		want         string
	}{
		{"a server of any layout", "https://a.example", []string{pdb, dll, sym}, sym + "; " + pdb + "|a.pdb/1/a.pd_ + " + dll + "|a.dll/2/a.dl_"},
		{"of Breakpad files", "breakpad=https://a.example", []string{pdb, dll, sym}, sym},
		{"of Microsoft's layout", "symstore=https://a.example", []string{pdb, sym}, pdb + "|a.pdb/1/a.pd_"},
		{"of build IDs", "debuginfod=https://a.example", []string{pdb, sym, elf, "buildid/3/executable"}, elf + " + buildid/3/executable"},
		{"a folder that is named buildid, with another file", "debuginfod=https://a.example", []string{"buildid/3/a.pdb"}, ""},
		{"a path that only ends like one of build IDs", "debuginfod=https://a.example", []string{"x/3/debuginfo"}, ""},
		{"no paths", "https://a.example", nil, ""},
		{"a name that ends in a letter of several bytes", "symstore=https://a.example", []string{"ä/1/ä"}, "ä/1/ä|ä/1/_"},
	} {
		servers, err := Servers([]string{tt.server}, "")
		if err != nil {
			t.Fatal(err)
		}
		var l List
		l.Add(windowsModule(tt.paths...), &Options{Servers: servers})
		if got := shape(&l); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if (tt.want == "") != (len(l.Not) == 1) {
			t.Errorf("%s: not requested are %q", tt.name, l.Not)
		}
	}
}

// Names come from a dump and may be anything. No part of one becomes a query, a fragment or a host.
func TestAddressesOfOddNames(t *testing.T) {
	servers, err := Servers([]string{"breakpad=https://a.example/s"}, "")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"a b/1/a b.sym":             "https://a.example/s/a%20b/1/a%20b.sym",
		"a?b#c/1/x.sym":             "https://a.example/s/a%3Fb%23c/1/x.sym",
		"libstdc++/1/libstdc++.sym": "https://a.example/s/libstdc%2B%2B/1/libstdc%2B%2B.sym",
		"100%/1/x.sym":              "https://a.example/s/100%25/1/x.sym",
		"user@host:80/1/x.sym":      "https://a.example/s/user@host:80/1/x.sym",
		"é/1/x.sym":                 "https://a.example/s/%C3%A9/1/x.sym",
		"\r\nHost: b/1/x.sym":       "https://a.example/s/%0D%0AHost:%20b/1/x.sym",
	} {
		var l List
		l.Add(windowsModule(path), &Options{Servers: servers})
		if got := strings.Join(addresses(&l), " "); got != want {
			t.Errorf("%q is requested as %s, want %s", path, got, want)
		}
		if file := l.Items[0].Tries[0].Files[0][0]; file.Path != path {
			t.Errorf("%q is kept as %q", path, file.Path)
		}
	}
}

// Without a pattern, files whose public names are at hand are not requested again. With one, each file of
// that name is, by the name of its symbols or of its code.
func TestOnly(t *testing.T) {
	for _, tt := range []struct {
		only  string
		state string
		want  bool
	}{
		{only: "", state: report.SymbolsMissing, want: true},
		{only: "", state: report.SymbolsPublicOnly},
		{only: "*.pdb", state: report.SymbolsPublicOnly, want: true},
		{only: "a.dll", state: report.SymbolsPublicOnly, want: true},
		{only: "a.*", state: report.SymbolsMissing, want: true},
		{only: "b.*", state: report.SymbolsMissing},
		{only: "[", state: report.SymbolsMissing}, // no pattern
	} {
		servers, _ := Servers([]string{"mozilla"}, "")
		r := windowsModule("a.pdb/1/a.sym")
		r.WantedSymbols[0].State = tt.state
		var l List
		l.Add(r, &Options{Servers: servers, Only: tt.only})
		if got := len(l.Items) == 1; got != tt.want || len(l.Not) > 0 {
			t.Errorf("%q and %q: listed is %t, want %t; not requested %q", tt.only, tt.state, got, tt.want, l.Not)
		}
	}
}

// An item has the debug ID or, if that is zeros, the code ID. Two builds of a module are two items.
func TestItems(t *testing.T) {
	servers, _ := Servers([]string{"mozilla"}, "")
	var l List
	for _, w := range []report.Wanted{
		{DebugFile: "a.pdb", DebugID: id},
		{DebugFile: "a.pdb", DebugID: strings.Repeat("0", 33), CodeID: "abcd"},
		{DebugFile: "a.pdb", CodeID: "ef"},
		{CodeID: "12"}, // known by the name of its code alone
		{DebugFile: "a.pdb", DebugID: id},
	} {
		w.Paths = []string{"a/1/a.sym"}
		l.Add(wants("Windows NT", `C:\app\a.dll`, w), &Options{Servers: servers})
	}
	var got []string
	for _, item := range l.Items {
		got = append(got, item.Name+" "+item.ID)
	}
	if want := "a.pdb " + id + ", a.pdb abcd, a.pdb ef, a.dll 12"; strings.Join(got, ", ") != want {
		t.Errorf("items %q, want %s", got, want)
	}
}

// Drivers are known by their names below the Windows folder; a program that is called like one is the user's.
func TestMaker(t *testing.T) {
	for path, want := range map[string]string{
		`C:\Windows\System32\nvd3dumx.dll`:              "nvidia",
		`c:\windows\system32\DriverStore\ATIDXX64.DLL`:  "amd",
		`C:\Windows\System32\DriverStore\igd10iumd.dll`: "intel",
		`C:\Windows\System32\amdxc64.dll`:               "amd",
		`C:\app\nvd3dumx.dll`:                           "",
		`C:\Windows\System32\kernel32.dll`:              "microsoft",
	} {
		if got := maker(wants("Windows NT", path, report.Wanted{}), 0); got != want {
			t.Errorf("%s is of %q, want %q", path, got, want)
		}
	}
	for _, index := range []int{-1, 1, 1 << 30} {
		if got := maker(windowsModule(), index); got != "" {
			t.Errorf("module %d of one is of %q", index, got)
		}
	}
}

// A module of a distribution is not requested when DEBUGINFOD_URLS has no usable address.
func TestUnusableDebuginfod(t *testing.T) {
	r := wants("Linux", "/usr/lib/libc.so.6", report.Wanted{DebugFile: "libc.so.6", DebugID: id, CodeID: "ab", Paths: []string{"buildid/ab/debuginfo"}})
	var l List
	l.Add(r, &Options{DebuginfodURLs: "file:///srv/debug"})
	if len(l.Items) != 0 || strings.Join(l.Not, " ") != "libc.so.6" {
		t.Errorf("requested %v, not %q", l.Items, l.Not)
	}
}
