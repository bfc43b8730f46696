package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"

	"crashglass/wasm/served"
)

// symbolsPath is the path prefix of requests for symbol files.
const symbolsPath = "/symbols/"

// A site serves files. Assets fetches them; nil when the binding is missing. Symbols forwards
// symbol files; nil when it is turned off, which is the default.
type site struct {
	assets  http.RoundTripper
	symbols *proxy
}

func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	served.Error(w.Header().Set)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "this site is read-only", http.StatusMethodNotAllowed)
		return
	}
	if s.symbols != nil && strings.HasPrefix(r.URL.Path, symbolsPath) {
		s.symbols.ServeHTTP(w, r)
		return
	}
	if s.symbols != nil && r.URL.Path == "/site.json" {
		s.describe(w)
		return
	}
	if s.assets == nil {
		http.Error(w, "the Worker has no ASSETS binding", http.StatusInternalServerError)
		return
	}
	s.file(w, r)
}

// file forwards one file. Only method and path of the request reach the store, and only body, type
// and length of the answer reach the browser. No cookie and no other header passes in either
// direction.
func (s site) file(w http.ResponseWriter, r *http.Request) {
	name := path.Clean("/" + r.URL.Path)
	if strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	if path.Ext(name) == "" { // a folder, which some stores answer with a list
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	request, err := http.NewRequestWithContext(r.Context(), r.Method, (&url.URL{Scheme: "http", Host: "assets", Path: name}).String(), nil)
	if err != nil {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	answer, err := s.assets.RoundTrip(request)
	if err != nil {
		http.Error(w, "the files cannot be reached", http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	served.File(w.Header().Set, strings.TrimPrefix(name, "/"))
	if r.Method == http.MethodHead {
		return // without a length, since the platform would wait for that many bytes
	}
	if length := answer.Header.Get("Content-Length"); length != "" {
		w.Header().Set("Content-Length", length)
	}
	io.Copy(w, answer.Body) // the browser has closed the connection
}

// describe answers site.json, which tells the page what this site offers.
func (s site) describe(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprintf(w, "{\"symbols\": %q, \"builds\": %t}\n", strings.TrimPrefix(symbolsPath, "/"), s.symbols.builds())
}
