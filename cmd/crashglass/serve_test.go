package main

import (
	"bytes"
	"compress/gzip"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"crashglass/cmd/internal/page"
	"crashglass/wasm/served"
)

var pageInTests = fstest.MapFS{
	"index.html":      {Data: []byte("<p>page")},
	"viewer.html":     {Data: []byte("<p>viewer")},
	"sw.js":           {Data: []byte("worker")},
	".htaccess":       {Data: []byte("host")},
	"assets/a-1.wasm": {Data: []byte("\x00asm")},
	".git/config":     {Data: []byte("secret")},
	"a/.ssh/id_rsa":   {Data: []byte("secret")},
}

func TestServedFiles(t *testing.T) {
	for _, test := range []struct {
		method, path, host string
		public             bool
		code               int
		body, cache        string
	}{
		{method: "GET", path: "/", host: "127.0.0.1:8080", code: 200, body: "<p>page", cache: "no-cache"},
		{method: "GET", path: "/index.html", host: "localhost:8080", code: 200, body: "<p>page", cache: "no-cache"},
		{method: "GET", path: "/assets/a-1.wasm", host: "[::1]:8080", code: 200, body: "\x00asm", cache: "public, max-age=31536000, immutable"},
		{method: "GET", path: "/sw.js", host: "localhost", code: 200, body: "worker", cache: "public, max-age=86400"},
		{method: "HEAD", path: "/", host: "localhost", code: 200, body: "", cache: "no-cache"},
		{method: "GET", path: "/assets", host: "localhost", code: 404, body: "no such file\n", cache: ""},
		{method: "GET", path: "/assets/", host: "localhost", code: 404, body: "no such file\n", cache: ""},
		{method: "GET", path: "/.htaccess", host: "localhost", code: 404, body: "no such file\n", cache: ""},
		{method: "GET", path: "/.git/config", host: "localhost", code: 404, body: "no such file\n", cache: ""},
		{method: "GET", path: "/a/.ssh/id_rsa", host: "localhost", code: 404, body: "no such file\n", cache: ""},
		{method: "GET", path: "/%2egit/config", host: "localhost", code: 404, body: "no such file\n", cache: ""},
		{method: "GET", path: "/../serve.go", host: "localhost", code: 404, body: "no such file\n", cache: ""},
		{method: "GET", path: "/%2e%2e/serve.go", host: "localhost", code: 404, body: "no such file\n", cache: ""},
		{method: "POST", path: "/share", host: "localhost", code: 405, body: "this site is read-only\n", cache: ""},
		{method: "GET", path: "/", host: "evil.example", code: 403, body: "this site is for this machine\n", cache: ""},
		{method: "GET", path: "/", host: "dumps.example", public: true, code: 200, body: "<p>page", cache: "no-cache"},
	} {
		r := httptest.NewRequest(test.method, "http://host"+test.path, nil)
		r.Host = test.host
		w := httptest.NewRecorder()
		(&site{files: pageInTests, public: test.public}).ServeHTTP(w, r)
		if w.Code != test.code || w.Body.String() != test.body || w.Header().Get("Cache-Control") != test.cache {
			t.Errorf("%s %s of %s: %d %q %q, want %d %q %q", test.method, test.path, test.host,
				w.Code, w.Body, w.Header().Get("Cache-Control"), test.code, test.body, test.cache)
		}
		if w.Header().Get("Content-Security-Policy") != served.Policy {
			t.Errorf("%s %s comes without the policy", test.method, test.path)
		}
	}
}

// viewer.html has its script inside, which the page's policy refuses.
func TestServedViewerKeepsItsOwnPolicy(t *testing.T) {
	w := httptest.NewRecorder()
	(&site{files: pageInTests, public: true}).ServeHTTP(w, httptest.NewRequest("GET", "/viewer.html", nil))
	if got := w.Header().Get("Content-Security-Policy"); w.Code != 200 || got != "frame-ancestors 'none'" {
		t.Errorf("%d with the policy %q", w.Code, got)
	}
}

// TestServedLinks has links in the folder: some stay in it, also by way of others, and some leave it, lead
// nowhere or in a ring.
func TestServedLinks(t *testing.T) {
	outside, dist := t.TempDir(), t.TempDir()
	write := func(path string) {
		if err := os.WriteFile(path, []byte("<p>"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(outside + "/secret.html")
	write(dist + "/index.html")
	for name, to := range map[string]string{
		"inside.html": "index.html", "outside.html": outside + "/secret.html", "folder": outside, "up.html": "../" + filepath.Base(outside) + "/secret.html",
		"again.html": "inside.html", "second.html": "up.html", "nothing.html": "gone.html", "ring.html": "ring.html", "root": "/", "here": ".",
	} {
		if err := os.Symlink(to, filepath.Join(dist, name)); err != nil {
			t.Skip(err)
		}
	}
	page, err := pageFiles(dist)
	if err != nil {
		t.Fatal(err)
	}
	for path, code := range map[string]int{
		"/": 200, "/inside.html": 200, "/outside.html": 404, "/up.html": 404, "/folder/secret.html": 404,
		"/again.html": 200, "/second.html": 404, "/nothing.html": 404, "/ring.html": 404, "/root/etc/passwd": 404, "/here/index.html": 200, "/here/here/../../secret.html": 404,
	} {
		w := httptest.NewRecorder()
		(&site{files: page, public: true}).ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != code {
			t.Errorf("%s: %d, want %d", path, w.Code, code)
		}
	}
}

func TestServeRefuses(t *testing.T) {
	dist := t.TempDir()
	if err := os.WriteFile(dist+"/index.html", []byte("<p>"), 0o644); err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	for _, test := range []struct {
		args   []string
		status int
		err    string
	}{
		{[]string{"-dir", dist, "-addr", ":8080"}, exitUsage, `crashglass serve: ":8080" can be reached from other machines: use --public to allow that`},
		{[]string{"-dir", dist, "-addr", "0.0.0.0:0"}, exitUsage, `crashglass serve: "0.0.0.0:0" can be reached from other machines: use --public to allow that`},
		{[]string{"-dir", dist, "-addr", "[::]:0"}, exitUsage, `crashglass serve: "[::]:0" can be reached from other machines: use --public to allow that`},
		{[]string{"-dir", dist, "-addr", "127.0.0.1:http:x"}, exitUsage, `crashglass serve: "127.0.0.1:http:x" can be reached from other machines: use --public to allow that`},
		{[]string{"-dir", empty}, exitInput, "crashglass: " + empty + ": has no index.html; build the page first, or name its folder with --dir"},
	} {
		var out, errs strings.Builder
		status := run(append([]string{"serve"}, test.args...), &out, &errs)
		if status != test.status || strings.TrimSpace(errs.String()) != test.err || out.Len() > 0 {
			t.Errorf("%q: status %d, %q, want %d, %q", test.args, status, errs.String(), test.status, test.err)
		}
	}
}

func TestWithoutThePageItSaysSo(t *testing.T) {
	if builtIn != nil {
		t.Skip("this test program was built with the page")
	}
	var out, errs strings.Builder
	status := run([]string{"serve"}, &out, &errs)
	want := "crashglass: serve: this program was built without the page; name its folder with --dir, or run ./build.sh program\n"
	if status != exitInput || errs.String() != want {
		t.Errorf("status %d, %q, want %q", status, errs.String(), want)
	}
}

// The page inside the program is sent compressed to clients that take it, and unpacked to others.
func TestServedPackedPage(t *testing.T) {
	packed := func(text string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write([]byte(text))
		w.Close()
		return b.Bytes()
	}
	stored := page.FS{Stored: fstest.MapFS{"index.html.gz": {Data: packed("<p>page")}, "icon.png": {Data: []byte("picture")}}}
	for _, test := range []struct{ path, accept, encoding, body string }{
		{"/", "gzip, deflate, br", "gzip", string(packed("<p>page"))},
		{"/", "br, gzip;q=0.5", "gzip", string(packed("<p>page"))},
		{"/", "br, gzip;q=0", "", "<p>page"},
		{"/", "gzip; q=0.000", "", "<p>page"},
		{"/", "", "", "<p>page"},
		{"/icon.png", "gzip", "", "picture"},
		{"/index.html.gz", "gzip", "", "no such file\n"},
	} {
		r := httptest.NewRequest("GET", "http://localhost"+test.path, nil)
		r.Header.Set("Accept-Encoding", test.accept)
		w := httptest.NewRecorder()
		(&site{files: stored}).ServeHTTP(w, r)
		h := w.Header()
		if h.Get("Content-Encoding") != test.encoding || w.Body.String() != test.body || h.Get("Content-Security-Policy") != served.Policy {
			t.Errorf("%s for %q: %q %q %v", test.path, test.accept, h.Get("Content-Encoding"), w.Body, h)
		}
		if varies := h.Get("Vary") == "Accept-Encoding"; varies != (test.path == "/") {
			t.Errorf("%s for %q: Vary is %q", test.path, test.accept, h.Get("Vary"))
		}
	}
}
