package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"crashglass/wasm/served"
)

// store answers like a store of files, and records the requests.
type store struct {
	files map[string]string
	asked []*http.Request
	err   error
}

func (s *store) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked = append(s.asked, r)
	if s.err != nil {
		return nil, s.err
	}
	body, ok := s.files[r.URL.Path]
	answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Set-Cookie": {"a=b"}}, Body: io.NopCloser(strings.NewReader(body))}
	if !ok {
		answer.StatusCode = http.StatusNotFound
	}
	return answer, nil
}

func newStore() *store {
	return &store{files: map[string]string{
		"/index.html":       "<p>page",
		"/sub/index.html":   "<p>sub",
		"/assets/a-1.js":    "script",
		"/assets/m-2.wasm":  "\x00asm",
		"/assets/x-3.dmp":   "MDMP",
		"/assets":           `["a list"]`,
		"/licences.unknown": "text",
	}}
}

func TestFiles(t *testing.T) {
	for _, test := range []struct{ path, body, kind, cache string }{
		{"/", "<p>page", "text/html; charset=utf-8", "no-cache"},
		{"/index.html", "<p>page", "text/html; charset=utf-8", "no-cache"},
		{"/sub/", "<p>sub", "text/html; charset=utf-8", "no-cache"},
		{"/assets/a-1.js", "script", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		{"/assets/m-2.wasm", "\x00asm", "application/wasm", "public, max-age=31536000, immutable"},
		{"/assets/x-3.dmp?a=b", "MDMP", "application/octet-stream", "public, max-age=31536000, immutable"},
		{"/assets/../index.html", "<p>page", "text/html; charset=utf-8", "no-cache"},
	} {
		w := httptest.NewRecorder()
		site{assets: newStore()}.ServeHTTP(w, httptest.NewRequest("GET", test.path, nil))
		if w.Code != 200 || w.Body.String() != test.body {
			t.Errorf("%s: %d %q, want %q", test.path, w.Code, w.Body, test.body)
		}
		if kind, cache := w.Header().Get("Content-Type"), w.Header().Get("Cache-Control"); kind != test.kind && test.kind != "application/octet-stream" || cache != test.cache {
			t.Errorf("%s: type %q, cache %q; want %q, %q", test.path, kind, cache, test.kind, test.cache)
		}
		if w.Header().Get("Set-Cookie") != "" {
			t.Errorf("%s: a header of the store came through", test.path)
		}
	}
}

func TestNotFound(t *testing.T) {
	for _, path := range []string{"/missing.js", "/assets", "/assets/", "/..%2f..%2fetc/passwd", "/a%00b.js", "/etc/passwd"} {
		w := httptest.NewRecorder()
		site{assets: newStore()}.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != 404 || w.Body.String() != "no such file\n" {
			t.Errorf("%s: %d %q, want 404", path, w.Code, w.Body)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, test := range []struct {
		method string
		assets http.RoundTripper
		code   int
		body   string
	}{
		{"POST", newStore(), 405, "this site is read-only\n"},
		{"PUT", newStore(), 405, "this site is read-only\n"},
		{"DELETE", newStore(), 405, "this site is read-only\n"},
		{"GET", nil, 500, "the Worker has no ASSETS binding\n"},
		{"GET", &store{err: errors.New("secret detail")}, 502, "the files cannot be reached\n"},
	} {
		w := httptest.NewRecorder()
		site{assets: test.assets}.ServeHTTP(w, httptest.NewRequest(test.method, "/", strings.NewReader("body")))
		if w.Code != test.code || w.Body.String() != test.body {
			t.Errorf("%s: %d %q, want %d %q", test.method, w.Code, w.Body, test.code, test.body)
		}
		if w.Header().Get("Content-Security-Policy") != served.Policy {
			t.Errorf("%s: %d comes without the policy", test.method, w.Code)
		}
	}
}

func TestHeadHasNoBody(t *testing.T) {
	w := httptest.NewRecorder()
	site{assets: newStore()}.ServeHTTP(w, httptest.NewRequest("HEAD", "/", nil))
	if w.Code != 200 || w.Body.Len() != 0 {
		t.Errorf("%d with %d bytes", w.Code, w.Body.Len())
	}
}

// Headers, cookies and query of a visitor do not reach the store.
func TestNothingOfTheRequestGoesOn(t *testing.T) {
	files := newStore()
	r := httptest.NewRequest("GET", "/index.html?crash=secret", nil)
	r.Header.Set("Cookie", "a=b")
	r.Header.Set("X-Forwarded-For", "10.0.0.1")
	site{assets: files}.ServeHTTP(httptest.NewRecorder(), r)
	asked := files.asked[0]
	if asked.URL.String() != "http://assets/index.html" || len(asked.Header) != 0 {
		t.Errorf("asked for %s with %v", asked.URL, asked.Header)
	}
}
