package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// parsed returns servers of one variable, which must be valid.
func parsed(t *testing.T, text string) []server {
	t.Helper()
	servers, err := parseServers(text)
	if err != nil {
		t.Fatal(err)
	}
	return servers
}

func TestServersAreParsed(t *testing.T) {
	for _, test := range []struct{ text, base, binding string }{
		{"breakpad=https://s.example/", "https://s.example/", ""},
		{"breakpad=https://s.example:8443/a/b/", "https://s.example:8443/a/b/", ""},
		{"\n breakpad=https://s.example/ \t", "https://s.example/", ""},
		{"breakpad=http://127.0.0.1:9000/", "http://127.0.0.1:9000/", ""},
		{"breakpad=http://[::1]:9000/", "http://[::1]:9000/", ""},
		{"breakpad=binding:STORE/folder/", "https://binding/folder/", "STORE"},
		{"breakpad=binding:STORE/", "https://binding/", "STORE"},
		{"breakpad=binding:STORE", "https://binding/", "STORE"},
	} {
		servers := parsed(t, test.text)
		if len(servers) != 1 || servers[0].base.String() != test.base || servers[0].binding != test.binding {
			t.Errorf("%q: %+v, want %s through %q", test.text, servers, test.base, test.binding)
		}
	}
	if servers := parsed(t, " \n"); servers != nil {
		t.Errorf("no entry: %+v", servers)
	}
}

// An address that others could read or change on the way, or that is not a folder, is refused.
func TestServersRefused(t *testing.T) {
	for _, address := range []string{
		"", "https://", "https:///a/", "s.example/", "//s.example/", "ftp://s.example/", "file:///etc/",
		"http://localhost/", "http://127.0.0.1.example/", "http://10.0.0.1/", "https://s.example/#a", "https://s.example/%zz/",
		"https://s.example:port/", "https://u@s.example/", "binding:", "binding:/folder/", "binding:STORE/file", "binding:STORE/?a=b",
	} {
		_, err := parseServers("symstore=" + address)
		if err == nil || err.Error() != "symbol server 1: want an address like https://host/folder/" {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// A store has each kind of file at one path. A file that the layout cannot name is not asked for.
func TestAddresses(t *testing.T) {
	pdb, elf := symbolFile{name: "a b.PDB", id: anID}, symbolFile{name: "a#1", id: anID, build: aBuild}
	for _, test := range []struct {
		layout string
		q      symbolFile
		want   string // after the base; "" for none
	}{
		{"breakpad", pdb, "a%20b.PDB/" + anID + "/a%20b.sym"},
		{"breakpad", elf, "a%231/" + anID + "/a%231.sym"},
		{"symstore", pdb, "a%20b.PDB/" + anID + "/a%20b.PDB"},
		{"symstore", elf, ""},
		{"debuginfod", elf, "buildid/" + aBuild + "/debuginfo"},
		{"debuginfod", pdb, ""},
	} {
		u, ok := parsed(t, test.layout+"=https://s.example/x/")[0].address(test.q)
		if ok != (test.want != "") || ok && u.String() != "https://s.example/x/"+test.want {
			t.Errorf("%s of %v: %v, %t, want %q", test.layout, test.q, u, ok, test.want)
		}
	}
}

// Only the layout debuginfod needs build IDs, which the page then sends.
func TestBuildsAreNeededByDebuginfodAlone(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "breakpad=https://a.example/ symstore=https://b.example/": false, "debuginfod=https://c.example/": true, all: true,
	} {
		if got := (config{servers: parsed(t, text)}).builds(); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

// A binding of the Worker is asked in place of the internet, by its name.
func TestBindingIsAsked(t *testing.T) {
	u := &upstreams{answers: map[string]string{"https://binding/s/a/" + anID + "/a.sym": "200\nabc"}}
	p, _ := newProxy(t, u, map[string]string{"SYMBOL_SERVERS": "breakpad=https://s.example/ breakpad=binding:STORE/s/"})
	var asked []string
	p.upstream = func(binding string) http.RoundTripper {
		asked = append(asked, binding)
		return u
	}
	if w := get(p, "/symbols/a/"+anID+"/a.sym"); w.Code != 200 || fmt.Sprintf("%q", asked) != `["" "STORE"]` {
		t.Errorf("%d, asked %q", w.Code, asked)
	}
}

func TestSizesOfFilesAreLimitedByDefault(t *testing.T) {
	c, err := parseConfig(func(string) string { return "" })
	if err != nil || c.maxBytes != 4<<30 || len(c.servers)+len(c.redirects)+len(c.names) != 0 || !c.allows("anything") {
		t.Errorf("without variables: %+v, %v", c, err)
	}
}

// A name has at most 128 bytes, an age 1 to 8 digits, and a build ID 16 to 32 bytes, as MD5 and
// SHA-256 give them.
func TestLimitsOfQuestions(t *testing.T) {
	longest := strings.Repeat("a", maxName)
	md5 := aBuild[:32]
	for _, test := range []struct {
		path, query string
		ok          bool
	}{
		{path: longest + "/" + anID + "/" + longest + ".sym", query: "", ok: true},
		{path: "app/" + anID + "1234567/app.sym", query: "", ok: true},
		{path: "app/" + anID + "12345678/app.sym", query: ""},
		{path: "app/" + anID + "/app.sym", query: "build=" + md5, ok: true},
		{path: "app/" + anID + "/app.sym", query: "build=" + md5[:30]},
		{path: "app/" + anID + "/app.sym", query: "build=" + md5 + strings.Repeat("0", 32), ok: true},
		{path: "app/" + anID + "/app.sym", query: "build=" + md5 + strings.Repeat("0", 34)},
		{path: "app/" + anID[:32] + "1/app.sym", query: "build=" + aBuild}, // an ELF file has no age
		{path: "app/" + anID + "/app.sym", query: "build="},
		{path: "app.pdb/" + anID + "/app.pdb.sym", query: ""},
		{path: "app.exe/" + anID + "/app.exe.sym", query: "", ok: true},
	} {
		if q, ok := parseSymbolFile(test.path, test.query); ok != test.ok {
			t.Errorf("%s?%s: %v, %t", test.path, test.query, q, ok)
		}
	}
}
