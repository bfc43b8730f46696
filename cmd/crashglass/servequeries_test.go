package main

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/wasm/served"
)

const appSymbols = "MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 app\nFILE 0 /src/a.c\nFUNC 1000 20 0 main\n1000 20 7 0\n"

// Queries are answered for programs of this machine, and for pages whose origin is named.
func TestQueries(t *testing.T) {
	dir := t.TempDir()
	file(t, dir, "app.sym", []byte(appSymbols))
	c := &cli{err: &strings.Builder{}}
	files := newFiles(c)
	defer files.close()
	files.addSymbols(c, []string{dir})
	const origin = "https://profiler.example"
	q, err := newQueries(files, &serveFlags{origins: []string{origin}, sources: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	s := &site{files: pageInTests, queries: q}
	const ask = `{"jobs": [{"memoryMap": [["app", "000102030405060708090A0B0C0D0E0F0"]], "stacks": [[[0, 4100]]]}]}`
	const answer = `{"results":[{"stacks":[[{"frame":0,"module":"app","module_offset":"0x1004","function":"main","function_offset":"0x4","function_size":"0x20",` +
		`"file":"/src/a.c","line":7}]],"found_modules":{"app/000102030405060708090A0B0C0D0E0F0":true}}]}` + "\n"
	for _, test := range []struct {
		method, path, host, origin, body string
		code                             int
		want, allowed                    string
	}{
		{method: "POST", path: "/symbolicate/v5", body: ask, code: 200, want: answer},
		{method: "POST", path: "/symbolicate/v6", body: ask, code: 200, want: answer},
		{method: "POST", path: "/symbolicate/v5", origin: origin, body: ask, code: 200, want: answer, allowed: origin},
		{method: "OPTIONS", path: "/asm/v1", origin: origin, code: 204, allowed: origin},
		{method: "POST", path: "/symbolicate/v5", origin: "https://other.example", body: ask, code: 403, want: "this origin is not allowed: name it with --allow-origin\n"},
		{method: "OPTIONS", path: "/symbolicate/v5", origin: "null", code: 403, want: "this origin is not allowed: name it with --allow-origin\n"},
		{method: "POST", path: "/symbolicate/v5", host: "evil.example", body: ask, code: 405, want: "this site is read-only\n"},
		{method: "POST", path: "/symbolicate/v4", body: ask, code: 405, want: "this site is read-only\n"},
		{method: "GET", path: "/symbolicate/v5", code: 405, want: "a query is a POST\n"},
		{method: "POST", path: "/symbolicate/v5", body: "{", code: 400, want: `{"error":"malformed request: unexpected end of JSON input"}` + "\n"},
		{method: "POST", path: "/source/v1", body: `{"debugName": "a", "debugId": "0", "moduleOffset": "0x1", "file": "b"}`, code: 200, want: `{"error":"there are no symbols of a 0"}` + "\n"},
	} {
		r := httptest.NewRequest(test.method, "http://localhost"+test.path, strings.NewReader(test.body))
		if test.host != "" {
			r.Host = test.host
		}
		if test.origin != "" {
			r.Header.Set("Origin", test.origin)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != test.code || w.Body.String() != test.want || w.Header().Get("Access-Control-Allow-Origin") != test.allowed {
			t.Errorf("%s %s of %q: %d %s for %q, want %d %s for %q", test.method, test.path, test.origin,
				w.Code, w.Body, w.Header().Get("Access-Control-Allow-Origin"), test.code, test.want, test.allowed)
		}
	}
	if _, err := newQueries(files, &serveFlags{sources: []string{filepath.Join(dir, "none")}}); err == nil {
		t.Error("a missing folder of sources is accepted")
	}
}

// Named origins may embed the page, and the page learns which they are.
func TestServedToEmbedders(t *testing.T) {
	s := &site{files: pageInTests, origins: []string{"https://a.example", "http://localhost:1"}}
	for path, want := range map[string]string{
		"/":            "frame-ancestors https://a.example http://localhost:1",
		"/viewer.html": "frame-ancestors https://a.example http://localhost:1",
		"/missing":     "frame-ancestors 'none'",
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost"+path, nil))
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.HasSuffix(policy, want) || path == "/" && policy != strings.Replace(served.Policy, "frame-ancestors 'none'", want, 1) {
			t.Errorf("%s has the policy %q, want %q", path, policy, want)
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/site.json", nil))
	if got, want := w.Body.String(), `{"embed":["https://a.example","http://localhost:1"],"symbols":null}`+"\n"; got != want {
		t.Errorf("site.json is %s, want %s", got, want)
	}
}

func TestOrigins(t *testing.T) {
	for text, want := range map[string]bool{
		"https://a.example": true, "http://127.0.0.1:8080": true, "https://a.example/": false, "a.example": false, "*": false, "null": false,
		"https://": false, "file:///a": false, "https://user@a.example": false, "https://a.example 'self'": false, "https://a.example;script-src": false, "": false,
	} {
		if got := originForm.MatchString(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
