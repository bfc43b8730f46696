package plan

import (
	"strings"
	"testing"

	"crashglass/core/report"
)

const id = "0123456789ABCDEF0123456789ABCDEF1"

// wants is a report of one wanted module.
func wants(os, path string, w report.Wanted) *report.Report {
	w.CodeFile = path[strings.LastIndexAny(path, `/\`)+1:]
	m := report.Module{CodeFile: w.CodeFile, DebugFile: w.DebugFile, Path: path, System: strings.Contains(path, "System32")}
	return &report.Report{SystemInfo: report.SystemInfo{OS: &os}, Modules: []report.Module{m}, WantedSymbols: []report.Wanted{w}}
}

// addresses returns the addresses of a list, server by server.
func addresses(l *List) (out []string) {
	for _, item := range l.Items {
		for _, try := range item.Tries {
			for _, file := range try.Files {
				for _, place := range file {
					out = append(out, place.URL)
				}
			}
		}
	}
	return out
}

func TestList(t *testing.T) {
	windows := func(path, pdb string) *report.Report {
		stem := strings.TrimSuffix(pdb, ".pdb")
		return wants("Windows NT", path, report.Wanted{DebugFile: pdb, DebugID: id, Paths: []string{pdb + "/" + id + "/" + stem + ".sym", pdb + "/" + id + "/" + pdb, stem + ".dll/5D0F9A1Bcd000/" + stem + ".dll"}})
	}
	linux := func(path string) *report.Report {
		return wants("Linux", path, report.Wanted{DebugFile: "libstdc++.so.6", DebugID: id, CodeID: "abcd", Paths: []string{"libstdc++.so.6/" + id + "/libstdc++.so.6.sym", "buildid/abcd/debuginfo", "buildid/abcd/executable"}})
	}
	for _, tt := range []struct {
		name    string
		report  *report.Report
		servers string
		want    string
	}{
		{"a module of the system", windows(`C:\Windows\System32\ntdll.dll`, "ntdll.pdb"), "",
			"https://msdl.microsoft.com/download/symbols/ntdll.pdb/" + id + "/ntdll.pdb https://msdl.microsoft.com/download/symbols/ntdll.pdb/" + id + "/ntdll.pd_ " +
				"https://msdl.microsoft.com/download/symbols/ntdll.dll/5D0F9A1Bcd000/ntdll.dll https://msdl.microsoft.com/download/symbols/ntdll.dll/5D0F9A1Bcd000/ntdll.dl_"},
		{"one of Mozilla's", windows(`C:\Program Files\Firefox\xul.dll`, "xul.pdb"), "breakpad=https://a.example/s/", "https://a.example/s/xul.pdb/" + id + "/xul.sym"},
		{"a driver", windows(`C:\Windows\System32\DriverStore\nvwgf2umx.dll`, "nvwgf2umx.pdb"), "", "https://driver-symbols.nvidia.com/"},
		{"of an unknown vendor", windows(`C:\app\app.dll`, "app.pdb"), "", ""},
		{"of an unknown vendor, with a server", windows(`C:\app\app.dll`, "app.pdb"), "symstore=http://127.0.0.1:80", "http://127.0.0.1:80/app.pdb/" + id + "/app.pdb"},
		{"of a distribution", linux("/usr/lib/libstdc++.so.6"), "", "https://d.example/buildid/abcd/debuginfo https://d.example/buildid/abcd/executable"},
		{"a plus sign", linux("/usr/lib/libstdc++.so.6"), "breakpad=https://a.example", "https://a.example/libstdc%2B%2B.so.6/" + id + "/libstdc%2B%2B.so.6.sym"},
	} {
		servers, err := Servers(strings.Fields(tt.servers), "")
		if err != nil {
			t.Fatal(err)
		}
		var l List
		l.Add(tt.report, &Options{Servers: servers, DebuginfodURLs: "https://d.example/"})
		l.Add(tt.report, &Options{Servers: servers, DebuginfodURLs: "https://d.example/"})
		if got := strings.Join(addresses(&l), " "); !strings.HasPrefix(got, tt.want) || tt.want == "" && (got != "" || len(l.Not) != 1) || len(l.Items) > 1 {
			t.Errorf("%s: %s, want %s; not requested: %q", tt.name, got, tt.want, l.Not)
		}
	}
}

func TestServers(t *testing.T) {
	for _, tt := range []struct{ word, want string }{
		{"mozilla", "symbols.mozilla.org"},
		{"debuginfod", "d.example e.example/x"},
		{"https://a.example/s/", "a.example/s"},
		{"http://a.example", "http://a.example"},
		{"breakpad=https://a.example/?x", "error"},
		{"https://me:secret@a.example/", "error"},
		{"ftp://a.example", "error"},
		{"mozila", "error"},
	} {
		servers, err := Servers([]string{tt.word}, "https://d.example/ nonsense https://e.example/x/")
		var got []string
		for _, s := range servers {
			got = append(got, s.Name())
		}
		if err != nil {
			got = []string{"error"}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q (%v), want %q", tt.word, got, err, tt.want)
		}
	}
}

// Every preset has an address, and every maker a preset.
func TestPresets(t *testing.T) {
	for _, name := range Presets() {
		if s := presets[name]; !strings.HasPrefix(s.URL, "https://") || s.Layout == 0 {
			t.Errorf("%s is %+v", name, s)
		}
	}
	for _, name := range byOrigin {
		if presets[name].URL == "" {
			t.Errorf("there is no %s", name)
		}
	}
	for _, d := range drivers {
		if presets[d.preset].URL == "" {
			t.Errorf("there is no %s", d.preset)
		}
	}
}

// The public server does not replace unusable addresses in DEBUGINFOD_URLS.
func TestDebuginfodURLs(t *testing.T) {
	for urls, want := range map[string]string{
		"":                             "https://debuginfod.elfutils.org",
		"ima:enforcing https://d.test": "https://d.test",
		"https://me:pw@d.test":         "",
		"file:///srv/debug":            "",
	} {
		got, err := Servers([]string{"debuginfod"}, urls)
		if want == "" {
			if err == nil || strings.Contains(err.Error(), "pw") {
				t.Errorf("%q: %v, %v", urls, got, err)
			}
			continue
		}
		if err != nil || len(got) != 1 || got[0].URL != want {
			t.Errorf("%q: %v, %v; want %q", urls, got, err, want)
		}
	}
}
