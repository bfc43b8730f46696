package download

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"crashglass/cmd/internal/fetch"
)

const content = "MODULE Linux x86_64 0 app\nFUNC 100 40 0 crash\n"

// A flaky server sends half of a file and breaks off. On the next request it sends the rest or, as
// configured, the whole file.
type flaky struct {
	tag    string
	breaks int // the number of responses that break off
	ranges []string
}

func (f *flaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.ranges = append(f.ranges, r.Header.Get("Range"))
	w.Header().Set("ETag", f.tag)
	if f.breaks == 0 {
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
		return
	}
	f.breaks--
	w.Header().Set("Content-Length", fmt.Sprint(len(content)))
	w.Write([]byte(content[:len(content)/2]))
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// quick is a downloader into a folder, without delays.
func quick(t *testing.T, dir string) *downloader {
	store, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return &downloader{store: store, client: newClient(), wait: waitTime, most: mostTime}
}

func TestResume(t *testing.T) {
	half := fmt.Sprintf("bytes=%d-", len(content)/2)
	for _, tt := range []struct {
		name   string
		server flaky
		ranges []string
		state  fetch.State
	}{
		{"whole", flaky{tag: `"1"`}, []string{""}, fetch.Came},
		{"goes on", flaky{tag: `"1"`, breaks: 1}, []string{"", half}, fetch.Came},
		{"has no version", flaky{tag: `W/"1"`, breaks: 1}, []string{"", ""}, fetch.Came},
		{"never ends", flaky{tag: `"1"`, breaks: 9}, []string{"", half, half, half}, fetch.Failed},
	} {
		s := httptest.NewServer(&tt.server)
		dir := t.TempDir()
		a := quick(t, dir).candidate(fetch.Candidate{URL: s.URL + "/app.sym", Path: "app/1/app.sym"})
		if a.State != tt.state || !slices.Equal(tt.server.ranges, tt.ranges) {
			t.Errorf("%s: %+v, ranges %q", tt.name, a, tt.server.ranges)
		}
		if got, _ := os.ReadFile(filepath.Join(dir, "app/1/app.sym")); tt.state == fetch.Came && string(got) != content {
			t.Errorf("%s: the file is %q", tt.name, got)
		}
		// A later run resumes, if the file on the server has not changed.
		if tt.server.breaks = 0; tt.state == fetch.Failed {
			tt.server.tag = `"2"`
			a = quick(t, dir).candidate(fetch.Candidate{URL: s.URL + "/app.sym", Path: "app/1/app.sym"})
			if got, _ := os.ReadFile(filepath.Join(dir, "app/1/app.sym")); a.State != fetch.Came || string(got) != content {
				t.Errorf("%s: a later run: %+v, %q", tt.name, a, got)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "app/1/*.part*")); len(left) > 0 {
			t.Errorf("%s: left behind: %q", tt.name, left)
		}
		s.Close()
	}
}

// A server may send less than the requested rest of a file.
func TestShortRest(t *testing.T) {
	requests := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		if requests++; requests == 1 {
			w.Header().Set("Content-Length", fmt.Sprint(len(content)))
			w.Write([]byte(content[:10]))
			return
		}
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", 15*requests-20, min(15*requests-6, len(content)-1), len(content)))
		w.WriteHeader(http.StatusPartialContent)
		w.Write([]byte(content[15*requests-20 : min(15*requests-5, len(content))]))
	}))
	defer s.Close()
	dir := t.TempDir()
	a := quick(t, dir).candidate(fetch.Candidate{URL: s.URL, Path: "app.sym"})
	if got, _ := os.ReadFile(filepath.Join(dir, "app.sym")); a.State != fetch.Came || string(got) != content {
		t.Errorf("%+v, %q", a, got)
	}
}

// A file that is there under its second name is not requested under its first.
func TestHadUnderAnotherName(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("requested %s", r.URL.Path) }))
	defer s.Close()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "app.pd_"), []byte("MSCF"), 0o666); err != nil {
		t.Fatal(err)
	}
	a := quick(t, dir).file(fetch.File{{URL: s.URL + "/app.pdb", Path: "app.pdb"}, {URL: s.URL + "/app.pd_", Path: "app.pd_"}})
	if a.State != fetch.Had || a.Path != "app.pd_" {
		t.Errorf("%+v", a)
	}
}

// A server that sends a byte now and then does not hold a transfer, before the file or in it, and is
// not requested again.
func TestSlowServer(t *testing.T) {
	drip := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			w.Write([]byte("x"))
			w.(http.Flusher).Flush()
			time.Sleep(5 * time.Millisecond)
		}
	}
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		why     string
		tries   int
	}{
		{"the file", drip, errSlow.Error(), 1},
		{"the file, after a burst", func(w http.ResponseWriter, r *http.Request) {
			w.Write(make([]byte, 8<<20))
			drip(w, r)
		}, errSlow.Error(), 1},
		{"nothing of the file", func(w http.ResponseWriter, r *http.Request) {
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, errSlow.Error(), 1},
		{"the whole file, but for too long", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				w.Write(make([]byte, 4<<10))
				w.(http.Flusher).Flush()
				time.Sleep(time.Millisecond)
			}
		}, errLong.Error(), 1},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "/next")
			w.WriteHeader(http.StatusFound)
			drip(w, r)
		}, "it did not answer: " + errSlow.Error(), maxTries},
	} {
		requests := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests++
			tt.handler(w, r)
		}))
		d := quick(t, t.TempDir())
		d.wait, d.most = 100*time.Millisecond, time.Second
		begin := time.Now()
		a := d.candidate(fetch.Candidate{URL: s.URL, Path: "app.sym"})
		if a.State != fetch.Failed || a.Why != tt.why || requests != tt.tries {
			t.Errorf("%s: %+v after %d requests, want %q after %d", tt.name, a, requests, tt.why, tt.tries)
		}
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%s: it took %v", tt.name, took)
		}
		// the next file does not wait for the server
		a = d.candidate(fetch.Candidate{URL: s.URL + "/other", Path: "other.sym"})
		if a.State != fetch.Failed || !strings.HasPrefix(a.Why, "not requested, because of an earlier file: ") || requests != tt.tries {
			t.Errorf("%s: %+v for the next file, after %d requests", tt.name, a, requests)
		}
		s.Close()
	}
}

// Two modules may want one file: that of a PDB whose images differ.
func TestOneFileTwice(t *testing.T) {
	var requests atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		time.Sleep(50 * time.Millisecond)
		w.Write([]byte(content))
	}))
	defer s.Close()
	item := fetch.Item{Tries: []fetch.Try{{Files: []fetch.File{{{URL: s.URL, Path: "app.sym"}}}}}}
	in, err := json.Marshal(fetch.List{Store: t.TempDir(), Items: []fetch.Item{item, item}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Run(bytes.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if n := requests.Load(); n != 1 || strings.Contains(out.String(), "failed") {
		t.Errorf("requested %d times:\n%s", n, out.String())
	}
}

// A failing server is queried again. A server that sends another part than the requested one does not
// damage the existing part.
func TestAskedAgain(t *testing.T) {
	for _, tt := range []struct {
		name  string
		first http.HandlerFunc
	}{
		{"unavailable", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }},
		{"another part", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", "bytes 7-9/100")
			w.WriteHeader(http.StatusPartialContent)
		}},
		{"no such part", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusRequestedRangeNotSatisfiable) }},
	} {
		requests := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if requests++; requests == 1 {
				tt.first(w, r)
				return
			}
			w.Write([]byte(content))
		}))
		a := quick(t, t.TempDir()).candidate(fetch.Candidate{URL: s.URL, Path: "app.sym"})
		if a.State != fetch.Came || requests != 2 || a.Bytes != int64(len(content)) {
			t.Errorf("%s: %+v after %d requests", tt.name, a, requests)
		}
		s.Close()
	}
}

// No path of a list leads out of the store, and no link in it does.
func TestStaysInside(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(content)) }))
	defer s.Close()
	dir := t.TempDir()
	store := filepath.Join(dir, "store")
	if err := os.Mkdir(store, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(store, "link")); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{"../x", "/x", "", ".", "a/../../x", "link/x"} {
		if a := quick(t, store).candidate(fetch.Candidate{URL: s.URL, Path: path}); a.State != fetch.Failed {
			t.Errorf("%q: %+v", path, a)
		}
	}
	if found, _ := os.ReadDir(dir); len(found) != 1 {
		t.Errorf("there are %v", found)
	}
}

// No server is queried after the first one that has a file of an item.
func TestTries(t *testing.T) {
	var requests []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests = append(requests, r.URL.Path)
		if r.URL.Path != "/b/app.pd_" {
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	try := func(server string, names ...string) fetch.Try {
		var file fetch.File
		for _, name := range names {
			file = append(file, fetch.Candidate{URL: s.URL + "/" + server + "/" + name, Path: name})
		}
		return fetch.Try{Server: server, Files: []fetch.File{file}}
	}
	list := fetch.List{Store: t.TempDir(), Items: []fetch.Item{{Tries: []fetch.Try{
		try("a", "app.sym"), try("b", "app.pdb", "app.pd_"), try("c", "app.pdb"),
	}}}}
	in, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Run(bytes.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if want := []string{"/a/app.sym", "/b/app.pdb", "/b/app.pd_"}; !slices.Equal(requests, want) {
		t.Errorf("requested %q, want %q", requests, want)
	}
	want := `{"Item":0,"Try":0,"Server":"a","State":"missing","Path":"app.sym","Bytes":0,"Why":""}
{"Item":0,"Try":1,"Server":"b","State":"came","Path":"app.pd_","Bytes":0,"Why":""}
`
	if out.String() != want {
		t.Errorf("answers\n%s", out.String())
	}
}

// A redirect from an encrypted address to a plain one is refused, and a redirected request has no
// Referer.
func TestRedirects(t *testing.T) {
	from, _ := http.NewRequest(http.MethodGet, "https://a.example/x", nil)
	for address, want := range map[string]error{"https://b.example/y": nil, "http://b.example/y": errPlain} {
		next, _ := http.NewRequest(http.MethodGet, address, nil)
		next.Header.Set("Referer", "https://a.example/x")
		if err := checkRedirect(next, []*http.Request{from}); err != want || next.Header.Get("Referer") != "" {
			t.Errorf("%s: %v, want %v", address, err, want)
		}
	}
}
