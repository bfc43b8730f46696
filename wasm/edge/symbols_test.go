package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"crashglass/wasm/served"
)

// upstreams answers like several symbol servers, and records the requests.
type upstreams struct {
	answers map[string]string // URL to "STATUS header: value\nbody"
	slow    map[string]bool
	asked   []*http.Request
}

func (u *upstreams) RoundTrip(r *http.Request) (*http.Response, error) {
	u.asked = append(u.asked, r)
	if u.slow[r.URL.Host] {
		return nil, context.DeadlineExceeded
	}
	text, ok := u.answers[r.URL.String()]
	if !ok {
		text = "404\n"
	}
	if text == "broken" {
		return nil, errors.New("secret detail")
	}
	head, body, _ := strings.Cut(text, "\n")
	answer := &http.Response{Header: http.Header{"Set-Cookie": {"a=b"}, "Content-Type": {"text/html"}}, Body: io.NopCloser(strings.NewReader(body))}
	fields := strings.Split(head, "|")
	fmt.Sscan(fields[0], &answer.StatusCode)
	for _, field := range fields[1:] {
		name, value, _ := strings.Cut(field, ": ")
		answer.Header.Set(name, value)
	}
	return answer, nil
}

type keys map[string]bool

func (k keys) has(key string) bool { return k[key] }
func (k keys) add(key string)      { k[key] = true }

// newProxy configures a proxy by variables, as the Worker does.
func newProxy(t *testing.T, u *upstreams, variables map[string]string) (*proxy, *[]string) {
	t.Helper()
	c, err := parseConfig(func(name string) string { return variables[name] })
	if err != nil {
		t.Fatal(err)
	}
	log := &[]string{}
	return &proxy{c, func(string) http.RoundTripper { return u }, keys{}, func(word string) { *log = append(*log, word) }}, log
}

func get(p *proxy, path string, more ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", path, nil)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for i := 0; i+1 < len(more); i += 2 {
		r.Header.Set(more[i], more[i+1])
	}
	w := httptest.NewRecorder()
	site{symbols: p}.ServeHTTP(w, r)
	return w
}

const all = "breakpad=https://breakpad.example/store/ symstore=https://store.example/ debuginfod=https://elf.example/"

func TestEachLayoutIsAsked(t *testing.T) {
	for _, test := range []struct{ path, at string }{
		{"/symbols/app.pdb/" + anID + "/app.sym", "https://breakpad.example/store/app.pdb/" + anID + "/app.sym"},
		{"/symbols/My%20App.pdb/" + anID + "/My%20App.sym", "https://store.example/My%20App.pdb/" + anID + "/My%20App.pdb"},
		{"/symbols/app/" + anID + "/app.sym?build=" + aBuild, "https://elf.example/buildid/" + aBuild + "/debuginfo"},
	} {
		u := &upstreams{answers: map[string]string{test.at: "200|Content-Length: 4\nfile"}}
		p, log := newProxy(t, u, map[string]string{"SYMBOL_SERVERS": all})
		w := get(p, test.path)
		if w.Code != 200 || w.Body.String() != "file" || w.Header().Get("Content-Length") != "4" {
			t.Errorf("%s: %d %q", test.path, w.Code, w.Body)
		}
		if w.Header().Get("Content-Type") != "application/octet-stream" || w.Header().Get("Set-Cookie") != "" || w.Header().Get("Cache-Control") != cacheFound {
			t.Errorf("%s: headers %v", test.path, w.Header())
		}
		if fmt.Sprint(*log) != "[found]" {
			t.Errorf("%s: logged %v", test.path, *log)
		}
	}
}

func TestNothingOfTheVisitorGoesOn(t *testing.T) {
	u := &upstreams{}
	p, _ := newProxy(t, u, map[string]string{"SYMBOL_SERVERS": all})
	get(p, "/symbols/a.pdb/"+anID+"/a.sym", "Cookie", "a=b", "X-Forwarded-For", "10.0.0.1", "User-Agent", "secret", "Range", "bytes=0-9", "Referer", "https://x/")
	if len(u.asked) != 2 {
		t.Fatalf("%d servers were asked", len(u.asked))
	}
	for _, r := range u.asked {
		if fmt.Sprint(r.Header) != "map[Accept-Encoding:[identity] Range:[bytes=0-9] User-Agent:[crashglass]]" || r.Method != "GET" {
			t.Errorf("%s %s with %v", r.Method, r.URL, r.Header)
		}
	}
}

func TestSymbolStatus(t *testing.T) {
	good := "/symbols/a.pdb/" + anID + "/a.sym"
	at := "https://s.example/a.pdb/" + anID + "/a.sym"
	for _, test := range []struct {
		name, answer string
		headers      []string
		code         int
		body         string
	}{
		{"whole", "200|Content-Length: 3\nabc", nil, 200, "abc"},
		{"of unknown length", "200\nabc", nil, 200, "abc"},
		{"compressed on the way", "200|Content-Length: 9000|Content-Encoding: gzip\nabc", nil, 200, "abc"},
		{"a range", "206|Content-Length: 3|Content-Range: bytes 0-2/100\nabc", []string{"Range", "bytes=0-2"}, 206, "abc"},
		{"the end", "206|Content-Length: 3|Content-Range: bytes 97-99/100\nabc", []string{"Range", "bytes=-3"}, 206, "abc"},
		{"no such range", "416\n", []string{"Range", "bytes=900-"}, 416, "the file has no such range\n"},
		{"several ranges", "200\nabc", []string{"Range", "bytes=0-1,5-6"}, 400, "want one range of bytes\n"},
		{"a range that is a header", "200\nabc", []string{"Range", "bytes=0-1\r\nX: y"}, 400, "want one range of bytes\n"},
		{"a part of a file that is too large", "206|Content-Length: 3|Content-Range: bytes 0-2/2000\nabc", []string{"Range", "bytes=0-2"}, 502, "the file is larger than this site passes on\n"},
		{"a part of the range", "206|Content-Length: 2|Content-Range: bytes 5-6/100\nab", []string{"Range", "bytes=5-9"}, 206, "ab"},
		{"a part that was not requested", "206|Content-Length: 3|Content-Range: bytes 0-2/100\nabc", nil, 502, "the symbol server failed\n"},
		{"another part", "206|Content-Length: 3|Content-Range: bytes 3-5/100\nabc", []string{"Range", "bytes=0-2"}, 502, "the symbol server failed\n"},
		{"more than the part", "206|Content-Length: 9|Content-Range: bytes 0-8/100\nabcdefghi", []string{"Range", "bytes=0-2"}, 502, "the symbol server failed\n"},
		{"not the end", "206|Content-Length: 3|Content-Range: bytes 0-2/100\nabc", []string{"Range", "bytes=-3"}, 502, "the symbol server failed\n"},
		{"a part without Content-Range", "206|Content-Length: 3\nabc", []string{"Range", "bytes=0-2"}, 502, "the symbol server failed\n"},
		{"too large", "200|Content-Length: 1001\n", nil, 502, "the file is larger than this site passes on\n"},
		{"missing", "404\nsecret page", nil, 404, "no server has this file\n"},
		{"refused, or missing from a store without a list", "403\nsecret page", nil, 403, "a symbol server refuses this file, or lacks it\n"},
		{"failing", "500\nsecret trace", nil, 502, "the symbol server failed\n"},
		{"not reached", "broken", nil, 502, "the symbol server failed\n"},
		{"redirected to another host", "302|Location: https://evil.example/x\n", nil, 502, "the symbol server failed\n"},
		{"redirected to plain http", "302|Location: http://s.example/x\n", nil, 502, "the symbol server failed\n"},
		{"redirected to the storage", "302|Location: https://storage.example/x\n", nil, 200, "stored"},
		{"redirected in a circle", "302|Location: " + at + "\n", nil, 502, "the symbol server failed\n"},
		{"another site asks", "200\nabc", []string{"Sec-Fetch-Site", "cross-site"}, 403, "symbols are for this site's own page\n"},
		{"a program asks", "200\nabc", []string{"Sec-Fetch-Site", ""}, 403, "symbols are for this site's own page\n"},
	} {
		u := &upstreams{answers: map[string]string{at: test.answer, "https://storage.example/x": "200\nstored"}}
		p, _ := newProxy(t, u, map[string]string{"SYMBOL_SERVERS": "breakpad=https://s.example/", "SYMBOL_REDIRECTS": "storage.example", "SYMBOL_MAX_BYTES": "1000"})
		w := get(p, good, test.headers...)
		if w.Code != test.code || w.Body.String() != test.body {
			t.Errorf("%s: %d %q, want %d %q", test.name, w.Code, w.Body, test.code, test.body)
		}
		if w.Header().Get("Content-Security-Policy") != served.Policy {
			t.Errorf("%s comes without the policy", test.name)
		}
		if cached := w.Header().Get("Cache-Control"); w.Code >= 400 && w.Code != 404 && cached != "no-store" {
			t.Errorf("%s: %d may be kept: %q", test.name, w.Code, cached)
		}
		if cached := w.Header().Get("Cache-Control"); w.Code == 206 && cached != "no-store" {
			t.Errorf("%s: a part may be kept as the file: %q", test.name, cached)
		}
		if vary := w.Header().Get("Vary"); vary != "Sec-Fetch-Site" {
			t.Errorf("%s varies by %q", test.name, vary)
		}
	}
}

// TestRedirects follows redirects into the server's own folder, and to the host or folder that the
// deployer named.
func TestRedirects(t *testing.T) {
	at := "https://s.example/store/a/" + anID + "/a.sym"
	for _, test := range []struct {
		to   string
		code int
	}{
		{"https://s.example/store/b/a.sym", 200},
		{"b.sym", 200},
		{"https://s.example/elsewhere/a.sym", 502},
		{"/elsewhere/a.sym", 502},
		{"../../../elsewhere/a.sym", 502},
		{"https://s.example/store/%2e%2e/elsewhere/a.sym", 502},
		{"https://s.example/store/..%2felsewhere/a.sym", 502},
		{"https://s.example/store/..%5celsewhere/a.sym", 502},
		{"https://s.example/storeroom/a.sym", 502},
		{"https://any.example/x/a.sym", 200},
		{"https://some.example/bucket/a.sym", 200},
		{"https://some.example/other/a.sym", 502},
		{"https://some.example/bucket/../other/a.sym", 502},
	} {
		u := &upstreams{answers: map[string]string{at: "302|Location: " + test.to + "\n"}}
		p, _ := newProxy(t, u, map[string]string{
			"SYMBOL_SERVERS": "breakpad=https://s.example/store/", "SYMBOL_REDIRECTS": "any.example some.example/bucket/",
		})
		p.upstream = func(string) http.RoundTripper { return anywhere{u, at} }
		if w := get(p, "/symbols/a/"+anID+"/a.sym"); w.Code != test.code {
			t.Errorf("to %s: %d %q, want %d", test.to, w.Code, w.Body, test.code)
		}
	}
}

// anywhere has a file at every address except one.
type anywhere struct {
	first *upstreams
	at    string
}

func (a anywhere) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.String() != a.at {
		a.first.answers[r.URL.String()] = "200\nabc"
	}
	return a.first.RoundTrip(r)
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{
		"1000": 1000, "2GB": 2e9, "2 GB": 2e9, "2gb": 2e9, "2GiB": 2 << 30, "512MiB": 512 << 20, "3MB": 3e6, "4KB": 4000, "4KiB": 4096, "7B": 7,
	} {
		if got, ok := parseSize(text); !ok || got != want {
			t.Errorf("%q is %d, %t, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "2 apples", "2G B", "GB", "-1", "0", "1.5GB", "0x10", "1e9", "99999999999999999999", "9999999999GB", "2GBx", "12 34"} {
		if got, ok := parseSize(text); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
}

func TestSlowServerIsPassedOver(t *testing.T) {
	u := &upstreams{slow: map[string]bool{"slow.example": true}, answers: map[string]string{}}
	p, _ := newProxy(t, u, map[string]string{"SYMBOL_SERVERS": "breakpad=https://slow.example/ breakpad=https://s.example/"})
	if w := get(p, "/symbols/a/"+anID+"/a.sym"); w.Code != 504 || w.Body.String() != "the symbol server is too slow\n" {
		t.Errorf("%d %q", w.Code, w.Body)
	}
	u.answers["https://s.example/a/"+anID+"/a.sym"] = "200\nabc"
	if w := get(p, "/symbols/a/"+anID+"/a.sym"); w.Code != 200 || w.Body.String() != "abc" {
		t.Errorf("%d %q", w.Code, w.Body)
	}
}

func TestMissingIsRemembered(t *testing.T) {
	u := &upstreams{}
	p, log := newProxy(t, u, map[string]string{"SYMBOL_SERVERS": "breakpad=https://s.example/"})
	for range 3 {
		if w := get(p, "/symbols/a/"+anID+"/a.sym"); w.Code != 404 || w.Header().Get("Cache-Control") != cacheMissing {
			t.Errorf("%d %v", w.Code, w.Header())
		}
	}
	if len(u.asked) != 1 || fmt.Sprint(*log) != "[missing missing missing]" {
		t.Errorf("asked %d times, logged %v", len(u.asked), *log)
	}
}

func TestNamesMayBeLimited(t *testing.T) {
	u := &upstreams{}
	p, _ := newProxy(t, u, map[string]string{"SYMBOL_SERVERS": "breakpad=https://s.example/", "SYMBOL_NAMES": "app.pdb libapp*.so"})
	for name, code := range map[string]int{"app.pdb": 404, "libapp-core.so": 404, "ntdll.pdb": 403, "libapp.so.1": 403} {
		if w := get(p, "/symbols/"+name+"/"+anID+"/"+symName(name)); w.Code != code {
			t.Errorf("%s: %d, want %d", name, w.Code, code)
		}
	}
}

func TestProxyTakesNothing(t *testing.T) {
	p, log := newProxy(t, &upstreams{}, map[string]string{"SYMBOL_SERVERS": all})
	for _, method := range []string{"POST", "PUT", "HEAD", "OPTIONS"} {
		w := httptest.NewRecorder()
		site{symbols: p}.ServeHTTP(w, httptest.NewRequest(method, "/symbols/a/"+anID+"/a.sym", strings.NewReader("MDMP")))
		if w.Code != 405 {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
	if fmt.Sprint(*log) != "[refused]" { // HEAD: the site refuses other methods before
		t.Errorf("logged %v", *log)
	}
}

func TestSiteSaysWhatItOffers(t *testing.T) {
	files := newStore()
	files.files["/site.json"] = `{"symbols": null}`
	p, _ := newProxy(t, &upstreams{}, map[string]string{"SYMBOL_SERVERS": "breakpad=https://s.example/"})
	elf, _ := newProxy(t, &upstreams{}, map[string]string{"SYMBOL_SERVERS": all})
	for _, test := range []struct {
		symbols *proxy
		want    string
	}{
		{nil, `{"symbols": null}`},
		{p, "{\"symbols\": \"symbols/\", \"builds\": false}\n"},
		{elf, "{\"symbols\": \"symbols/\", \"builds\": true}\n"},
	} {
		w := httptest.NewRecorder()
		site{assets: files, symbols: test.symbols}.ServeHTTP(w, httptest.NewRequest("GET", "/site.json", nil))
		if w.Code != 200 || w.Body.String() != test.want {
			t.Errorf("%d %q, want %q", w.Code, w.Body, test.want)
		}
	}
}

func TestOffByDefault(t *testing.T) {
	w := httptest.NewRecorder()
	site{assets: newStore()}.ServeHTTP(w, httptest.NewRequest("GET", "/symbols/a/"+anID+"/a.sym", nil))
	if w.Code != 404 {
		t.Errorf("%d %q", w.Code, w.Body)
	}
}

func TestConfigErrors(t *testing.T) {
	for _, test := range []struct{ name, value, want string }{
		{"SYMBOL_SERVERS", "https://s.example/", `symbol server 1: no layout "https://s.example/"`},
		{"SYMBOL_SERVERS", "breakpad=https://a.example/ ftp=https://s.example/", `symbol server 2: no layout "ftp"`},
		{"SYMBOL_SERVERS", "breakpad=http://s.example/", "symbol server 1: want an address like https://host/folder/"},
		{"SYMBOL_SERVERS", "breakpad=https://s.example", "symbol server 1: want an address like https://host/folder/"},
		{"SYMBOL_SERVERS", "breakpad=https://u:p@s.example/", "symbol server 1: want an address like https://host/folder/"},
		{"SYMBOL_SERVERS", "breakpad=https://s.example/?a=b", "symbol server 1: want an address like https://host/folder/"},
		{"SYMBOL_NAMES", "[", `SYMBOL_NAMES: "[" is no pattern`},
		{"SYMBOL_MAX_BYTES", "many", `SYMBOL_MAX_BYTES: "many" is no size like 500MB or 2GiB`},
		{"SYMBOL_MAX_BYTES", "-1", `SYMBOL_MAX_BYTES: "-1" is no size like 500MB or 2GiB`},
		{"SYMBOL_MAX_BYTES", "2 apples", `SYMBOL_MAX_BYTES: "2 apples" is no size like 500MB or 2GiB`},
		{"SYMBOL_REDIRECTS", "some.example/bucket", `SYMBOL_REDIRECTS: "some.example/bucket" is no host, nor a folder like host/folder/`},
		{"SYMBOL_REDIRECTS", "https://some.example/", `SYMBOL_REDIRECTS: "https://some.example/" is no host, nor a folder like host/folder/`},
	} {
		_, err := parseConfig(func(name string) string {
			if name == test.name {
				return test.value
			}
			return ""
		})
		if err == nil || err.Error() != test.want {
			t.Errorf("%s=%s: %v, want %s", test.name, test.value, err, test.want)
		}
	}
}

// A strong ETag identifies a version of a file; a weak one does not.
func TestSymbolVersion(t *testing.T) {
	at := "https://s.example/a.pdb/" + anID + "/a.sym"
	for tag, want := range map[string]string{`"abc-1"`: `"abc-1"`, `W/"abc"`: "", `abc`: "", `"a"b"`: "", "": ""} {
		u := &upstreams{answers: map[string]string{at: "206|Content-Range: bytes 0-2/100|ETag: " + tag + "\nabc"}}
		p, _ := newProxy(t, u, map[string]string{"SYMBOL_SERVERS": "breakpad=https://s.example/"})
		w := get(p, "/symbols/a.pdb/"+anID+"/a.sym", "Range", "bytes=0-2")
		if w.Code != 206 || w.Header().Get("ETag") != want {
			t.Errorf("%s: %d with %q, want %q", tag, w.Code, w.Header().Get("ETag"), want)
		}
	}
}
