package main

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"crashglass/cmd/internal/page"
	"crashglass/cmd/internal/profiler"
	"crashglass/wasm/served"
)

// A site serves the files of the page, and no list of them. Unless it is public, it answers only
// requests for names of this machine. Otherwise an attacker's name that resolves to this machine
// would have the page's origin (DNS rebinding).
type site struct {
	files   fs.FS // nil for none
	public  bool
	origins []string // whose pages may embed the page
	queries *queries // nil for none
}

// ServeHTTP answers GET and HEAD. Without --public it refuses a Host that is not this machine.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	served.Error(w.Header().Set)
	switch {
	case s.queries != nil && profiler.Answers(r.URL.Path) && isLoopback(withPort(r.Host)):
		s.queries.ServeHTTP(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "this site is read-only", http.StatusMethodNotAllowed)
	case !s.public && !isLoopback(withPort(r.Host)):
		http.Error(w, "this site is for this machine", http.StatusForbidden)
	default:
		s.file(w, r)
	}
}

// file sends one file, or index.html for a folder. Hidden files, folders and missing files have one
// answer, so that a request learns nothing about the disk.
func (s *site) file(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	if s.files == nil || strings.Contains("/"+name, "/.") { // files of tools or of the host: .git, .htaccess
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	if name == "site.json" && s.origins != nil {
		s.headers(w, name)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(s.description()))
		return
	}
	if s.packed(w, r, name) {
		return
	}
	content, info, err := readFile(s.files, name)
	if err != nil {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	defer content.Close()
	s.headers(w, name)
	http.ServeContent(w, r, name, info.ModTime(), content)
}

// headers sets the headers of a file. Pages of the named origins may embed it.
func (s *site) headers(w http.ResponseWriter, name string) {
	served.File(w.Header().Set, name)
	if policy := w.Header().Get("Content-Security-Policy"); s.origins != nil {
		w.Header().Set("Content-Security-Policy", strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors "+strings.Join(s.origins, " "), 1))
	}
}

// description is site.json, which tells the page who may embed it.
func (s *site) description() []byte {
	data, _ := json.Marshal(map[string]any{"symbols": nil, "embed": s.origins})
	return append(data, '\n')
}

// packed sends the stored gzip form of a file to a client that takes it, so that nothing is unpacked and compressed again.
func (s *site) packed(w http.ResponseWriter, r *http.Request, name string) bool {
	built, ok := s.files.(page.FS)
	if !ok {
		return false
	}
	data, ok := built.Packed(name)
	if !ok {
		return false
	}
	w.Header().Set("Vary", "Accept-Encoding")
	if !takesGzip(r.Header.Get("Accept-Encoding")) {
		return false
	}
	s.headers(w, name)
	w.Header().Set("Content-Encoding", "gzip")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
	return true
}

// takesGzip reports whether a header Accept-Encoding allows gzip. A weight of zero forbids it (RFC 9110, 12.5.3).
func takesGzip(header string) bool {
	for coding := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(coding, ";")
		if strings.TrimSpace(name) == "gzip" {
			_, q, _ := strings.Cut(weight, "q=")
			return strings.Trim(q, "0. ") != "" || q == ""
		}
	}
	return false
}

// A readableFile is a file as http.ServeContent needs it. Files of embed.FS and of folders are.
type readableFile interface {
	io.ReadSeeker
	io.Closer
}

// readFile opens a regular file and fails for a folder.
func readFile(files fs.FS, name string) (readableFile, fs.FileInfo, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	content, ok := f.(readableFile)
	if err != nil || !ok || !info.Mode().IsRegular() {
		f.Close()
		return nil, nil, fs.ErrNotExist
	}
	return content, info, nil
}

// withPort adds the default port to a Host header without one. An IPv6 address has colons of its own.
func withPort(host string) string {
	if strings.HasSuffix(host, "]") || !strings.Contains(host, ":") {
		return host + ":80"
	}
	return host
}
