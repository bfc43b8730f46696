package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"crashglass/wasm/served"
)

// A part is taken only if it begins where the request does, and ends no later. RFC 9110, 14.4 and 15.3.7.
func TestSizeOfPart(t *testing.T) {
	for _, test := range []struct {
		content, asked string
		size           int64 // 0 for a part that is refused
	}{
		{"bytes 0-9/100", "bytes=0-9", 100},
		{"bytes 0-0/1", "bytes=0-0", 1},
		{"bytes 90-99/100", "bytes=90-", 100},
		{"bytes 90-99/100", "bytes=90-200", 100},
		{"bytes 90-99/100", "bytes=-10", 100},
		{"bytes 0-99/100", "bytes=-200", 100},
		{"bytes 0-4/100", "bytes=0-9", 100},
		{"bytes 0-10/100", "bytes=0-9", 0},
		{"bytes 1-9/100", "bytes=0-9", 0},
		{"bytes 90-100/100", "bytes=90-", 0},
		{"bytes 9-0/100", "bytes=9-", 0},
		{"bytes 89-99/100", "bytes=-10", 0},
		{"bytes 0-9/*", "bytes=0-9", 0},
		{"bytes */100", "bytes=0-9", 0},
		{"bytes 0-9/1000000000000000", "bytes=0-9", 0}, // 16 digits
		{"0-9/100", "bytes=0-9", 0},
		{"bytes 0-9/100", "", 0},
		{"", "bytes=0-9", 0},
	} {
		size, ok := sizeOfPart(test.content, test.asked)
		if ok != (test.size > 0) || ok && size != test.size {
			t.Errorf("%q for %q: %d, %t, want %d", test.content, test.asked, size, ok, test.size)
		}
	}
}

func TestLengthOfAnswer(t *testing.T) {
	for _, test := range []struct {
		length, encoding string
		want             int64
	}{
		{"5", "", 5}, {"5", "identity", 5}, {"5", "gzip", 0}, {"5", "br", 0}, {"", "", 0}, {"-5", "", 0}, {"5 bytes", "", 0}, {"99999999999999999999", "", 0},
	} {
		answer := &http.Response{Header: http.Header{}}
		answer.Header.Set("Content-Length", test.length)
		answer.Header.Set("Content-Encoding", test.encoding)
		if got := length(answer); got != test.want {
			t.Errorf("%q in %q: %d, want %d", test.length, test.encoding, got, test.want)
		}
	}
}

// A file is missing only if every server said so. Otherwise the next request asks again.
func TestFailureIsNotRemembered(t *testing.T) {
	first, second := "https://a.example/a/"+anID+"/a.sym", "https://b.example/a/"+anID+"/a.sym"
	u := &upstreams{answers: map[string]string{first: "500\n", second: "404\n"}}
	p, _ := newProxy(t, u, map[string]string{"SYMBOL_SERVERS": "breakpad=https://a.example/ breakpad=https://b.example/"})
	if w := get(p, "/symbols/a/"+anID+"/a.sym"); w.Code != 502 || len(u.asked) != 2 {
		t.Errorf("%d, asked %d servers", w.Code, len(u.asked))
	}
	u.answers[first] = "200\nabc"
	if w := get(p, "/symbols/a/"+anID+"/a.sym"); w.Code != 200 {
		t.Errorf("the server works again: %d %q", w.Code, w.Body)
	}
}

// Only 404 and 410 say that a server lacks a file. Any other answer may be another one a second later: a server
// whose owner mends its permissions must not stay "missing" for ten minutes.
func TestOnlyMissingIsRemembered(t *testing.T) {
	at := "https://s.example/a/" + anID + "/a.sym"
	for answer, code := range map[int]int{
		400: 502, 401: 502, 402: 502, 403: 403, 404: 404, 405: 502, 407: 502, 408: 502, 409: 502, 410: 404, 416: 416, 418: 502, 421: 502, 425: 502,
		429: 502, 451: 502, 500: 502, 501: 502, 502: 502, 503: 502, 504: 502, 520: 502, 100: 502, 204: 502, 300: 502, 301: 502, 302: 502, 304: 502, 307: 502, 308: 502,
	} {
		u := &upstreams{answers: map[string]string{at: fmt.Sprint(answer)}}
		p, _ := newProxy(t, u, map[string]string{"SYMBOL_SERVERS": "breakpad=https://s.example/"})
		w := get(p, "/symbols/a/"+anID+"/a.sym")
		want := "no-store"
		if code == 404 {
			want = cacheMissing
		}
		if cache := w.Header().Get("Cache-Control"); w.Code != code || cache != want {
			t.Errorf("%d becomes %d with %q, want %d with %q", answer, w.Code, cache, code, want)
		}
		u.answers[at] = "200\nabc"
		if w := get(p, "/symbols/a/"+anID+"/a.sym"); (w.Code == 200) != (code != 404) {
			t.Errorf("after %d: %d %q", answer, w.Code, w.Body)
		}
	}
}

// The platform's own cache keeps the same answers: by default it would keep any status whose headers allow it.
func TestPlatformKeepsOnlyFilesAndMissing(t *testing.T) {
	for status := 100; status < 600; status++ {
		var rules []int
		for span, seconds := range platformTimes {
			from, to, isSpan := strings.Cut(span, "-")
			if !isSpan {
				to = from
			}
			if first, last := number(t, from), number(t, to); first <= status && status <= last {
				rules = append(rules, seconds.(int))
			}
		}
		want := -1
		switch status {
		case 200:
			want = 30 * 24 * 3600
		case 404, 410:
			want = 600
		}
		if len(rules) != 1 || rules[0] != want {
			t.Errorf("%d is kept for %v seconds, want [%d]", status, rules, want)
		}
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A server that refuses a file says less than one that fails, and more than one that lacks it.
func TestRefusalOfOneServer(t *testing.T) {
	first, second := "https://a.example/a/"+anID+"/a.sym", "https://b.example/a/"+anID+"/a.sym"
	for _, test := range []struct {
		first, second string
		code          int
		word          string
	}{
		{"403", "404", 403, "forbidden"}, {"404", "403", 403, "forbidden"},
		{"403", "500", 502, "failed"}, {"500", "403", 502, "failed"},
		{"403", "200\nabc", 200, "found"},
	} {
		u := &upstreams{answers: map[string]string{first: test.first, second: test.second}}
		p, log := newProxy(t, u, map[string]string{"SYMBOL_SERVERS": "breakpad=https://a.example/ breakpad=https://b.example/"})
		if w := get(p, "/symbols/a/"+anID+"/a.sym"); w.Code != test.code || fmt.Sprint(*log) != "["+test.word+"]" {
			t.Errorf("%q and %q: %d, logged %v, want %d and %s", test.first, test.second, w.Code, *log, test.code, test.word)
		}
	}
}

// A file that was missing without its build ID may be found with it, on a server of debuginfod.
func TestMissingIsRememberedByBuild(t *testing.T) {
	u := &upstreams{answers: map[string]string{"https://elf.example/buildid/" + aBuild + "/debuginfo": "200\nELF"}}
	p, _ := newProxy(t, u, map[string]string{"SYMBOL_SERVERS": all})
	for _, test := range []struct {
		path string
		code int
	}{
		{"/symbols/a/" + anID + "/a.sym", 404},
		{"/symbols/a/" + anID + "/a.sym?build=" + aBuild, 200},
		{"/symbols/b/" + anID + "/b.sym?build=" + aBuild, 200},
		{"/symbols/a/" + strings.ToLower(anID) + "/a.sym", 404}, // remembered: one key for both cases
	} {
		before := len(u.asked)
		if w := get(p, test.path); w.Code != test.code {
			t.Errorf("%s: %d, want %d", test.path, w.Code, test.code)
		}
		if strings.Contains(test.path, strings.ToLower(anID)) && len(u.asked) != before {
			t.Errorf("%s: a server was asked again", test.path)
		}
	}
}

// Three redirects are followed, with the range, and the fourth is not.
func TestRedirectsAreCounted(t *testing.T) {
	at := func(name string) string { return "https://s.example/" + name }
	chain := map[string]string{
		at("a/" + anID + "/a.sym"): "301|Location: /1\n", at("1"): "302|Location: /2\n", at("2"): "307|Location: /3\n",
		at("3"): "206|Content-Range: bytes 0-2/9\nabc",
	}
	u := &upstreams{answers: chain}
	p, _ := newProxy(t, u, map[string]string{"SYMBOL_SERVERS": "breakpad=https://s.example/"})
	if w := get(p, "/symbols/a/"+anID+"/a.sym", "Range", "bytes=0-2"); w.Code != 206 || w.Header().Get("Content-Range") != "bytes 0-2/9" {
		t.Errorf("three: %d %q", w.Code, w.Body)
	}
	for _, r := range u.asked {
		if r.Header.Get("Range") != "bytes=0-2" {
			t.Errorf("%s is asked without the range", r.URL)
		}
	}
	chain[at("3")], chain[at("4")] = "308|Location: /4\n", "200\nabc"
	if w := get(p, "/symbols/a/"+anID+"/a.sym", "Range", "bytes=0-2"); w.Code != 502 {
		t.Errorf("four: %d %q", w.Code, w.Body)
	}
}

// A body notes that it was closed.
type body struct {
	io.Reader
	closed *int
}

func (b body) Close() error {
	*b.closed++
	return nil
}

// Each answer is closed, whether it is passed on or not. An open one keeps one of the six connections
// that the Worker may have for a request.
func TestEveryAnswerIsClosed(t *testing.T) {
	for _, head := range []string{"200\nabc", "404\n", "500\n", "206\nabc", "302|Location: /b\n", "302|Location: https://evil.example/\n", "200|Content-Length: 9999\n"} {
		u := &upstreams{answers: map[string]string{"https://s.example/a/" + anID + "/a.sym": head}}
		p, _ := newProxy(t, u, map[string]string{"SYMBOL_SERVERS": "breakpad=https://s.example/", "SYMBOL_MAX_BYTES": "1000"})
		opened, closed := 0, 0
		p.upstream = func(string) http.RoundTripper {
			return roundTrip(func(r *http.Request) (*http.Response, error) {
				answer, err := u.RoundTrip(r)
				answer.Body = body{answer.Body, &closed}
				opened++
				return answer, err
			})
		}
		get(p, "/symbols/a/"+anID+"/a.sym")
		if opened == 0 || closed != opened {
			t.Errorf("%q: %d of %d answers closed", head, closed, opened)
		}
	}
}

// roundTrip is a function as a http.RoundTripper.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Files with rules of their own: the page in one file brings its policy, and browsers keep the service
// worker for a day.
func TestFilesWithRulesOfTheirOwn(t *testing.T) {
	files := newStore()
	files.files["/viewer.html"], files.files["/sw.js"], files.files["/a.unknown-type"] = "<p>all", "worker", "?"
	for _, test := range []struct{ path, policy, kind, cache string }{
		{"/viewer.html", "frame-ancestors 'none'", "text/html; charset=utf-8", "no-cache"},
		{"/sub/../viewer.html", "frame-ancestors 'none'", "text/html; charset=utf-8", "no-cache"},
		{"/sw.js", served.Policy, "text/javascript; charset=utf-8", "public, max-age=86400"},
		{"/a.unknown-type", served.Policy, "application/octet-stream", "no-cache"},
	} {
		w := httptest.NewRecorder()
		site{assets: files}.ServeHTTP(w, httptest.NewRequest("GET", test.path, nil))
		got := [3]string{w.Header().Get("Content-Security-Policy"), w.Header().Get("Content-Type"), w.Header().Get("Cache-Control")}
		if w.Code != 200 || got != [3]string{test.policy, test.kind, test.cache} {
			t.Errorf("%s: %d %q", test.path, w.Code, got)
		}
	}
}

// The length of a file is passed on with its bytes. An answer to HEAD has neither: the platform would
// wait for the bytes.
func TestLengthIsPassedOn(t *testing.T) {
	files := roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Length": {"3"}}, Body: io.NopCloser(strings.NewReader("abc"))}, nil
	})
	for method, want := range map[string]string{"GET": "3", "HEAD": ""} {
		w := httptest.NewRecorder()
		site{assets: files}.ServeHTTP(w, httptest.NewRequest(method, "/a.js", nil))
		if got := w.Header().Get("Content-Length"); got != want || (w.Body.Len() > 0) != (method == "GET") {
			t.Errorf("%s: length %q, %d bytes", method, got, w.Body.Len())
		}
	}
}

// A name outside of the site's list is refused before a server learns of it.
func TestRefusedNameReachesNoServer(t *testing.T) {
	u := &upstreams{}
	p, log := newProxy(t, u, map[string]string{"SYMBOL_SERVERS": all, "SYMBOL_NAMES": "app.pdb"})
	w := get(p, "/symbols/other.pdb/"+anID+"/other.sym")
	if w.Code != 403 || w.Body.String() != "this site has no symbols of that name\n" || len(u.asked) != 0 || len(*log) != 1 {
		t.Errorf("%d %q, asked %d, logged %v", w.Code, w.Body, len(u.asked), *log)
	}
	if w := get(p, "/symbols/app.pdb/"+anID+"/other.sym"); w.Code != 400 || w.Body.String() != "want /symbols/NAME/ID/NAME.sym\n" || len(u.asked) != 0 {
		t.Errorf("a wrong address: %d %q", w.Code, w.Body)
	}
}
