package download

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"crashglass/cmd/internal/fetch"
)

// answer is a response of a server: its status, and headers as pairs.
func answer(code int, headers ...string) *http.Response {
	r := &http.Response{StatusCode: code, Status: http.StatusText(code), Header: http.Header{}}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

// What a status says of a file: it is sent, it is not there, it is refused, ask again, or ask no more.
// RFC 9110, section 15.
func TestStatus(t *testing.T) {
	const again, never = "again", "never"
	for _, tt := range []struct {
		code    int
		headers []string
		want    string
	}{
		{200, nil, ""},
		{206, []string{"Content-Range", "bytes 10-19/20"}, ""},
		{206, []string{"Content-Range", "bytes 0-19/20"}, again},
		{206, []string{"Content-Range", "bytes 100-119/120"}, again},
		{206, nil, again},
		{206, []string{"Content-Range", "bytes 10-19/20", "Content-Encoding", "gzip"}, again}, // its first half was not
		{416, nil, again},
		{404, nil, "not there"}, {403, nil, "refused, or not there"}, {410, nil, "not there"},
		{429, nil, again}, {500, nil, again}, {502, nil, again}, {503, nil, again},
		{400, nil, never}, {401, nil, never}, {204, nil, never}, {302, nil, never},
	} {
		p := quick(t, t.TempDir()).part(fetch.Candidate{Path: "a"})
		p.size = 10
		err := status(answer(tt.code, tt.headers...), p)
		got := ""
		var retry retryable
		switch {
		case errors.Is(err, errNotThere), errors.Is(err, errForbidden):
			got = err.Error()
		case errors.As(err, &retry):
			got = again
		case err != nil:
			got = never
		}
		if got != tt.want {
			t.Errorf("%d %q: %q (%v), want %q", tt.code, tt.headers, got, err, tt.want)
		}
		if discarded := p.size == 0; discarded != (tt.want == again && (tt.code == 206 || tt.code == 416)) {
			t.Errorf("%d %q: the part is discarded: %t", tt.code, tt.headers, discarded)
		}
	}
}

// Content-Range has the size of the whole file behind its slash, or a star.
func TestTotal(t *testing.T) {
	for value, want := range map[string]int64{
		"bytes 10-19/20": 20, "bytes 10-19/*": 0, "bytes 10-19": 0, "": 0, "bytes 0-1/9223372036854775807": 1<<63 - 1, "bytes 0-1/x": 0,
	} {
		if got := total(answer(206, "Content-Range", value)); got != want {
			t.Errorf("%q: %d, want %d", value, got, want)
		}
	}
}

// Only a strong ETag or a date proves that the rest is of the same file.
func TestVersionOfFile(t *testing.T) {
	const date = "Wed, 21 Oct 2015 07:28:00 GMT"
	for _, tt := range []struct {
		tag, date, want string
	}{
		{`"a"`, date, `"a"`}, {`"a"`, "", `"a"`}, {`W/"a"`, date, date}, {`W/"a"`, "", ""}, {"", date, date}, {"", "", ""},
	} {
		if got := version(answer(200, "ETag", tt.tag, "Last-Modified", tt.date).Header); got != tt.want {
			t.Errorf("%q and %q: %q, want %q", tt.tag, tt.date, got, tt.want)
		}
	}
}

// A compressed file is stored as it was sent, under a name that says so. Another encoding is refused.
func TestFinalName(t *testing.T) {
	p := &part{place: fetch.Candidate{Path: "a/b.pdb"}}
	for encoding, want := range map[string]string{
		"": "a/b.pdb", "identity": "a/b.pdb", "gzip": "a/b.pdb.gz", "x-gzip": "a/b.pdb.gz",
		"br": `it sent the encoding "br", which was not requested`, "gzip, gzip": `it sent the encoding "gzip, gzip", which was not requested`,
	} {
		got, err := p.final(answer(200, "Content-Encoding", encoding))
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", encoding, got, want)
		}
	}
}

// A response that breaks off is requested again; a full disk would be full again.
func TestBroken(t *testing.T) {
	for name, tt := range map[string]struct {
		err   error
		retry bool
	}{
		"nothing":                 {},
		"a response that ends":    {err: io.ErrUnexpectedEOF, retry: true},
		"a connection that ends":  {err: syscall.ECONNRESET, retry: true},
		"a full disk":             {err: &os.PathError{Op: "write", Path: "a", Err: syscall.ENOSPC}},
		"a full disk, in another": {err: errors.Join(nil, &os.PathError{Op: "write", Path: "a", Err: syscall.ENOSPC})},
	} {
		var retry retryable
		if got := errors.As(broken(tt.err), &retry); got != tt.retry {
			t.Errorf("%s: requested again is %t", name, got)
		}
	}
	for err, want := range map[error]bool{errRedirects: false, errPlain: false, io.EOF: true} {
		var retry retryable
		if got := errors.As(temporary(err), &retry); got != want {
			t.Errorf("%v: requested again is %t", err, got)
		}
	}
}

// A part is continued only with its note, of the same address, and with a version.
func TestPartOfAnotherRun(t *testing.T) {
	const url = "https://a.example/a"
	for name, tt := range map[string]struct {
		note string
		size int64
	}{
		"its note":               {`{"URL":"https://a.example/a","Version":"\"1\""}`, 4},
		"of another address":     {`{"URL":"https://b.example/a","Version":"\"1\""}`, 0},
		"without a version":      {`{"URL":"https://a.example/a"}`, 0},
		"a note that is cut off": {`{"URL":"https://a.exa`, 0},
		"no note":                {"", 0},
	} {
		dir := t.TempDir()
		write := func(name, text string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		write("a.part", "half")
		if tt.note != "" {
			write("a.part.json", tt.note)
		}
		p := quick(t, dir).part(fetch.Candidate{URL: url, Path: "a"})
		request, _ := http.NewRequest(http.MethodGet, url, nil)
		p.resume(request)
		want := strings.Repeat("bytes=4-", int(tt.size/4))
		if p.size != tt.size || request.Header.Get("Range") != want {
			t.Errorf("%s: %d bytes, range %q; want %d and %q", name, p.size, request.Header.Get("Range"), tt.size, want)
		}
	}
}

// Redirects end after five, as a loop of them would never.
func TestManyRedirects(t *testing.T) {
	next, _ := http.NewRequest(http.MethodGet, "https://a.example/x", nil)
	for n, want := range map[int]error{1: nil, maxRedirects - 1: nil, maxRedirects: errRedirects, maxRedirects + 1: errRedirects} {
		var via []*http.Request
		for range n {
			via = append(via, next)
		}
		if err := checkRedirect(next, via); err != want {
			t.Errorf("after %d requests: %v, want %v", n, err, want)
		}
	}
}
