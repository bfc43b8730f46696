package main

import (
	"net/url"
	"strings"
	"testing"
)

const anID = "49F6744A29752BD4B61262C76D7B1ADD0"

// aBuild is the build ID from which anID was made.
const aBuild = "4a74f6497529d42bb61262c76d7b1add49c4dea6"

func TestQuestions(t *testing.T) {
	for _, test := range []struct {
		path, query string
		want        symbolFile
	}{
		{"app.pdb/" + anID + "/app.sym", "", symbolFile{"app.pdb", anID, ""}},
		{"APP.PDB/" + anID + "/APP.sym", "", symbolFile{"APP.PDB", anID, ""}},
		{"libc.so.6/" + strings.ToLower(anID) + "/libc.so.6.sym", "", symbolFile{"libc.so.6", anID, ""}},
		{"My%20App%20(x64).pdb/" + anID + "1f/My%20App%20(x64).sym", "", symbolFile{"My App (x64).pdb", anID + "1F", ""}},
		{"app/" + anID + "/app.sym", "build=" + aBuild, symbolFile{"app", anID, aBuild}},
	} {
		got, ok := parseSymbolFile(test.path, test.query)
		if !ok || got != test.want {
			t.Errorf("%s?%s: %v %t, want %v", test.path, test.query, got, ok, test.want)
		}
	}
}

func TestQuestionsRefused(t *testing.T) {
	long := strings.Repeat("a", maxName+1)
	for _, test := range []struct{ path, query string }{
		{"", ""},
		{"app.pdb/" + anID, ""},
		{"app.pdb/" + anID + "/app.sym/", ""},
		{"app.pdb/" + anID + "/other.sym", ""},
		{"app.pdb/" + anID + "/app.pdb", ""},
		{"../" + anID + "/...sym", ""},
		{"%2e%2e/" + anID + "/%2e%2e.sym", ""},
		{"a..b/" + anID + "/a..b.sym", ""},
		{".a/" + anID + "/.a.sym", ""},
		{"%20a/" + anID + "/%20a.sym", ""},
		{"a%2fb/" + anID + "/a%2fb.sym", ""},
		{"a%5cb/" + anID + "/a%5cb.sym", ""},
		{"a%00/" + anID + "/a%00.sym", ""},
		{"a%0d%0aHost:x/" + anID + "/a%0d%0aHost:x.sym", ""},
		{"a%25/" + anID + "/a%25.sym", ""},
		{"a%3fb/" + anID + "/a%3fb.sym", ""},
		{"%C3%A4/" + anID + "/%C3%A4.sym", ""},
		{"a%zz/" + anID + "/a%zz.sym", ""},
		{long + "/" + anID + "/" + long + ".sym", ""},
		{"app/" + anID[:32] + "/app.sym", ""},
		{"app/" + anID + "00000000/app.sym", ""},
		{"app/" + strings.Repeat("0", 33) + "/app.sym", ""},
		{"app/" + strings.Repeat("g", 33) + "/app.sym", ""},
		{"app/" + anID + "/app.sym", "x=1"},
		{"app/" + anID + "/app.sym", "build=" + aBuild + "&x=1"},
		{"app/" + anID + "/app.sym", "build=" + strings.ToUpper(aBuild)},
		{"app/" + anID + "/app.sym", "build=" + strings.Repeat("0", 40)},
		{"app/" + anID + "/app.sym", "build=" + aBuild[:30]},
	} {
		if got, ok := parseSymbolFile(test.path, test.query); ok {
			t.Errorf("%s?%s is %v", test.path, test.query, got)
		}
	}
}

// FuzzQuestion checks that every accepted request asks a server for nothing but a name and an ID.
func FuzzQuestion(f *testing.F) {
	f.Add("app.pdb/"+anID+"/app.sym", "")
	f.Add("a%2fb/"+anID+"/a%2fb.sym", "build="+aBuild)
	servers, err := parseServers("breakpad=https://a.example/s/ symstore=https://b.example/ debuginfod=https://c.example/x/")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, path, query string) {
		q, ok := parseSymbolFile(path, query)
		if !ok {
			return
		}
		for _, s := range servers {
			u, ok := s.address(q)
			if !ok {
				continue
			}
			again, err := url.Parse(u.String())
			if err != nil || again.Host != s.base.Host || !strings.HasPrefix(again.Path, s.base.Path) || again.RawQuery != "" || again.Fragment != "" ||
				strings.Contains(again.Path, "..") || strings.ContainsAny(u.String(), "\r\n\x00\\") {
				t.Errorf("%s?%s asks for %s", path, query, u)
			}
		}
	})
}
