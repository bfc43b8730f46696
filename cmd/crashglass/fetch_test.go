package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"crashglass/cmd/internal/fetch"
	"crashglass/cmd/internal/fetch/download"
	"crashglass/cmd/internal/fetch/plan"
)

// A symbolServer serves one folder and records its requests.
type symbolServer struct {
	*httptest.Server
	mu       sync.Mutex
	requests []string // method, path and all other parts of a request that may reveal something
}

// serveSymbols answers by a table of paths.
func serveSymbols(t *testing.T, answers map[string]http.HandlerFunc) *symbolServer {
	s := &symbolServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, fmt.Sprintf("%s %s%s", r.Method, r.URL.EscapedPath(), revealing(r)))
		s.mu.Unlock()
		if answer := answers[r.URL.Path]; answer != nil {
			answer(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// revealing returns the parts of a request other than its path; only the accepted encodings are allowed.
func revealing(r *http.Request) (more string) {
	for name, values := range r.Header {
		if name != "User-Agent" && name != "Accept-Encoding" || name == "User-Agent" && values[0] != "crashglass" {
			more += " " + name + ": " + values[0]
		}
	}
	if r.ContentLength != 0 || r.URL.RawQuery != "" {
		more += " and more"
	}
	return more
}

func sends(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Unix(1e9, 0), strings.NewReader(text))
	}
}

const smallPlace = "/app/" + debugID + "/app.sym"

// fetchSmall fetches for smallDump into a store, and returns the files of the store.
func fetchSmall(t *testing.T, s *symbolServer, more ...string) (out, errs string, status int, store string) {
	t.Helper()
	dir := t.TempDir()
	store = filepath.Join(dir, "store")
	args := append([]string{"fetch", "--store", store, "--server", s.URL, file(t, dir, "small.dmp", smallDump(t))}, more...)
	out, errs, status = crashglass(args...)
	return strings.ReplaceAll(out, s.URL, "SERVER"), strings.ReplaceAll(errs, s.URL, "SERVER"), status, store
}

// Exactly the listed files are requested. The next walk uses the file, and it is not requested
// again.
func TestFetch(t *testing.T) {
	s := serveSymbols(t, map[string]http.HandlerFunc{smallPlace: sends(smallSym)})
	out, errs, status, store := fetchSmall(t, s, "--yes")
	want := "app " + debugID + "\n  SERVER: app.sym\n  SERVER: debuginfo, executable\nsymbols for 1 of 1 module\n"
	if out != want || status != exitOK || errs != fmt.Sprintf("crashglass: %s: %d bytes from SERVER\n", smallPlace[1:], len(smallSym)) {
		t.Errorf("status %d, %q, output\n%s", status, errs, out)
	}
	if want := []string{"GET " + smallPlace}; !slices.Equal(s.requests, want) {
		t.Errorf("requested %q, want %q", s.requests, want)
	}
	dump := file(t, t.TempDir(), "small.dmp", smallDump(t))
	if out, _, _ := crashglass("walk", dump, store); !strings.Contains(out, "app!crash()") {
		t.Errorf("the walk is\n%s", out)
	}
	if out, _, _ := crashglass("fetch", "--yes", "--server", s.URL, "--store", store,
		dump); out != "These stacks lack no symbols that a server could have.\n" || len(s.requests) != 1 {
		t.Errorf("a second run: requested %q, output %q", s.requests, out)
	}
}

// The downloading process has no open file but its list, and its arguments and environment have
// nothing of a dump.
func TestFetchProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this looks into /proc")
	}
	t.Setenv("CRASHGLASS_SECRET", "hunter2")
	var has string
	s := serveSymbols(t, map[string]http.HandlerFunc{smallPlace: func(w http.ResponseWriter, r *http.Request) {
		has = processes(t, download.Command)
		sends(smallSym)(w, r)
	}})
	if _, errs, status, _ := fetchSmall(t, s, "--yes"); status != exitOK {
		t.Fatal(errs)
	}
	if !strings.Contains(has, "socket:") || !strings.Contains(has, "pipe:") || strings.Contains(has, ".dmp") || strings.Contains(has, "hunter2") {
		t.Errorf("the process has\n%s", has)
	}
}

// processes returns the arguments, environment and open files of child processes with the given
// last argument.
func processes(t *testing.T, last string) (has string) {
	t.Helper()
	found, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range found {
		line, _ := os.ReadFile(dir + "/cmdline")
		stat, _ := os.ReadFile(dir + "/stat")
		if !strings.HasSuffix(string(line), "\x00"+last+"\x00") || !strings.Contains(string(stat), fmt.Sprintf(" S %d ", os.Getpid())) && !strings.Contains(string(stat), fmt.Sprintf(" R %d ", os.Getpid())) {
			continue
		}
		environ, _ := os.ReadFile(dir + "/environ")
		has += string(line) + string(environ)
		open, _ := filepath.Glob(dir + "/fd/*")
		for _, fd := range open {
			to, _ := os.Readlink(fd)
			has += fd + " " + to + "\n"
		}
	}
	return has
}

// No server is asked without consent, nor one that the user did not name.
func TestFetchConsent(t *testing.T) {
	s := serveSymbols(t, nil)
	for _, tt := range []struct {
		flag      string
		status    int
		out, errs string
	}{
		{"--list", exitOK, "app " + debugID + "\n", ""},
		{"--only=app", exitUsage, "app " + debugID + "\n", "nothing was downloaded: agree to this list with --yes"},
		{"--only=lib*", exitOK, "These stacks lack no symbols", ""},
	} {
		out, errs, status, store := fetchSmall(t, s, tt.flag)
		if status != tt.status || !strings.HasPrefix(out, tt.out) || !strings.Contains(errs, tt.errs) {
			t.Errorf("%s: status %d, %q, output %q", tt.flag, status, errs, out)
		}
		if _, err := os.Stat(store); err == nil {
			t.Errorf("%s: there is a store", tt.flag)
		}
	}
	dump := file(t, t.TempDir(), "small.dmp", smallDump(t))
	if out, _, status := crashglass("fetch", "--yes", dump); out != "app: no server is asked; name one with --server\n" || status != exitOK {
		t.Errorf("without a server: status %d, %q", status, out)
	}
	if len(s.requests) > 0 {
		t.Errorf("requested %q", s.requests)
	}
}

// Downloaded files are checked, and unusable ones are removed.
func TestFetchChecks(t *testing.T) {
	other := strings.Replace(smallSym, debugID, strings.Repeat("F", 32)+"0", 1)
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		want   string // in the errors
		status int
	}{
		{"a page", sends("<html>sign in</html>"), "not a symbol file", exitInput},
		{"nothing", sends(""), "not a symbol file", exitInput},
		{"another build", sends(other), "it belongs to another build than the requested one", exitInput},
		{"an error", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, "it answered 401 Unauthorized", exitInput},
		{"forbidden", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, "app.sym: not at SERVER, which answered 403 Forbidden: it refuses the file, or does not have it\n", exitOK},
		{"endless redirects", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, "it redirects too often", exitInput},
		{"another encoding", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			w.Write([]byte(smallSym))
		}, `it sent the encoding "br", which was not requested`, exitInput},
	} {
		s := serveSymbols(t, map[string]http.HandlerFunc{smallPlace: tt.answer})
		out, errs, status, store := fetchSmall(t, s, "--yes")
		if status != tt.status || !strings.Contains(errs, tt.want) || !strings.Contains(out, "symbols for 0 of 1 module\n") {
			t.Errorf("%s: status %d, %s%s", tt.name, status, errs, out)
		}
		if left, _ := filepath.Glob(filepath.Join(store, "*", "*", "*")); len(left) > 0 {
			t.Errorf("%s: the store has %q", tt.name, left)
		}
	}
}

// A server that sends something else does not end the search: the next server is asked, and the
// unusable file is removed.
func TestFetchAsksTheNext(t *testing.T) {
	page := serveSymbols(t, map[string]http.HandlerFunc{smallPlace: sends("<html>sign in</html>")})
	other := serveSymbols(t, map[string]http.HandlerFunc{smallPlace: sends(strings.Replace(smallSym, debugID, strings.Repeat("F", 32)+"0", 1))})
	right := serveSymbols(t, map[string]http.HandlerFunc{smallPlace: sends(smallSym)})
	last := serveSymbols(t, map[string]http.HandlerFunc{smallPlace: sends(smallSym)})
	out, errs, status, store := fetchSmall(t, page, "--yes", "--server", other.URL, "--server", right.URL, "--server", last.URL)
	for _, want := range []string{"not a symbol file", "it belongs to another build", "app.sym: " + fmt.Sprint(len(smallSym)) + " bytes from " + right.URL} {
		if !strings.Contains(errs, want) {
			t.Errorf("%q is not said in\n%s", want, errs)
		}
	}
	if status != exitInput || !strings.HasSuffix(out, "symbols for 1 of 1 module\n") {
		t.Errorf("status %d, %s", status, out)
	}
	if left := string(read(t, filepath.Join(store, smallPlace))); left != smallSym || len(last.requests) > 0 {
		t.Errorf("the store has %q, and the last server got %q", left, last.requests)
	}
}

// Cabinets and gzip files are stored as they were sent; the symbol store reads them.
func TestFetchPacked(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(smallSym))
	w.Close()
	s := serveSymbols(t, map[string]http.HandlerFunc{smallPlace: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(packed.Bytes())
	}})
	if out, errs, status, _ := fetchSmall(t, s, "--yes"); status != exitOK || !strings.Contains(errs, "app.sym.gz: ") || !strings.HasSuffix(out, "symbols for 1 of 1 module\n") {
		t.Errorf("gzip: status %d, %s%s", status, errs, out)
	}

	out, _, _ := crashglass("fetch", "--list", "--server", s.URL, "testdata/pdbvars/deep-O0.dmp")
	_, id, _ := strings.Cut(out, "deep.pdb ")
	id, _, _ = strings.Cut(id, "\n")
	s = serveSymbols(t, map[string]http.HandlerFunc{
		"/deep.pdb/" + id + "/deep.pd_": sends(string(cabinet("deep.pdb", unzipped(t, "testdata/pdbvars/deep-O0.pdb.gz")))),
	})
	store := filepath.Join(t.TempDir(), "store")
	out, errs, status := crashglass("fetch", "--yes", "--store", store, "--server", "symstore="+s.URL, "--only", "deep*", "testdata/pdbvars/deep-O0.dmp")
	if status != exitOK || !strings.Contains(errs, "deep.pd_: ") || !strings.HasSuffix(out, "symbols for 1 of 1 module\n") {
		t.Errorf("cabinet: status %d, %s%s", status, errs, out)
	}
	if out, _, _ := crashglass("walk", "testdata/pdbvars/deep-O0.dmp", store); !strings.Contains(out, "p.exe!") {
		t.Errorf("the walk with a cabinet is\n%.600s", out)
	}
}

// cabinet is a cabinet of one file, stored ([MS-CAB] 2.1 to 2.5).
func cabinet(name string, data []byte) []byte {
	const block = 1 << 15
	var b, blocks bytes.Buffer
	count := 0
	for chunk := range slices.Chunk(data, block) {
		binary.Write(&blocks, binary.LittleEndian, []uint16{0, 0, uint16(len(chunk)), uint16(len(chunk))})
		blocks.Write(chunk)
		count++
	}
	first := 36 + 8 + 16 + len(name) + 1
	b.WriteString("MSCF\x00\x00\x00\x00")
	binary.Write(&b, binary.LittleEndian, []uint32{uint32(first + blocks.Len()), 0, 36 + 8, 0})
	binary.Write(&b, binary.LittleEndian, []uint16{0x0103, 1, 1, 0, 0, 0})
	binary.Write(&b, binary.LittleEndian, uint32(first))
	binary.Write(&b, binary.LittleEndian, []uint16{uint16(count), 0})
	binary.Write(&b, binary.LittleEndian, []uint32{uint32(len(data)), 0})
	binary.Write(&b, binary.LittleEndian, []uint16{0, 0, 0, 0})
	b.WriteString(name + "\x00")
	return append(b.Bytes(), blocks.Bytes()...)
}

// A file that was in the store before is not attributed to a server, and stays. An invalid file
// name does not prevent the following answers from being read.
func TestFetchAnswers(t *testing.T) {
	store := t.TempDir()
	file(t, store, "app.sym", []byte("<html>sign in</html>"))
	var errs bytes.Buffer
	w := &wanted{List: plan.List{Items: []fetch.Item{{Name: "app", ID: debugID, Tries: make([]fetch.Try, 1)}}}}
	d := &downloaded{cli: &cli{out: &errs, err: &errs}, wanted: w, store: store, has: map[int]bool{}, refused: map[int]int{}}
	err := d.answers(strings.NewReader(`{"Server":"a.example","State":"failed","Path":"../x","Why":"it is no path below a folder"}
{"Server":"a.example","State":"had","Path":"app.sym"}
`))
	if err != nil {
		t.Error(err)
	}
	want := "crashglass: ../x: a.example: it is no path below a folder\n" +
		"crashglass: app.sym: the existing file cannot be used (this is "
	if got := errs.String(); !strings.HasPrefix(got, want) {
		t.Errorf("it said\n%s", got)
	}
	if _, err := os.Stat(filepath.Join(store, "app.sym")); err != nil {
		t.Error(err)
	}
	for _, try := range []string{"-1", "1", "9223372036854775807"} { // there is none, or one
		if err := d.answers(strings.NewReader(`{"State":"came","Path":"app.sym","Try":` + try + `}`)); err == nil {
			t.Errorf("an answer of try %s is taken", try)
		}
	}
	err = d.answers(strings.NewReader(`{"State":"had","Path":"../app.sym"}`))
	if want := `the downloading process answered for "../app.sym", which is not on its list`; err == nil || err.Error() != want {
		t.Errorf("it said %v", err)
	}
}
