package main

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// policy is that of index.html plus frame-ancestors, which browsers accept in a header only. A
// worker that the page makes from a blob: URL inherits the policy.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
	"connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; " +
	"require-trusted-types-for 'script'; trusted-types crashglass lit-html; frame-ancestors 'none'"

// headers go out with every response, errors included.
var headers = map[string]string{
	"Content-Security-Policy":      policy,
	"Cross-Origin-Embedder-Policy": "require-corp",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), microphone=(), geolocation=(), usb=(), serial=(), payment=()",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
}

// types are the media types of the files in dist/. Some stores do not know them, and under nosniff
// browsers refuse a script or a module of the wrong type.
var types = map[string]string{
	".css":         "text/css; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".svg":         "image/svg+xml",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
}

// symbolsPath is the path prefix of requests for symbol files.
const symbolsPath = "/symbols/"

// A site serves files. Assets fetches them; nil when the binding is missing. Symbols forwards
// symbol files; nil when it is turned off, which is the default.
type site struct {
	assets  http.RoundTripper
	symbols *proxy
}

func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range headers {
		w.Header().Set(name, value)
	}
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
	ask, err := http.NewRequestWithContext(r.Context(), r.Method, (&url.URL{Scheme: "http", Host: "assets", Path: name}).String(), nil)
	if err != nil {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	answer, err := s.assets.RoundTrip(ask)
	if err != nil {
		http.Error(w, "the files cannot be reached", http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	if name == "/viewer.html" { // the file has its own policy; with the page's as well it would be allowed nothing
		w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	}
	w.Header().Set("Content-Type", contentType(name))
	w.Header().Set("Cache-Control", cacheControl(name))
	if r.Method == http.MethodHead {
		return // without a length, since the platform would wait for that many bytes
	}
	if length := answer.Header.Get("Content-Length"); length != "" {
		w.Header().Set("Content-Length", length)
	}
	io.Copy(w, answer.Body) // the browser has closed the connection
}

func contentType(name string) string {
	if known, ok := types[path.Ext(name)]; ok {
		return known
	}
	if known := mime.TypeByExtension(path.Ext(name)); known != "" {
		return known
	}
	return "application/octet-stream"
}

// describe answers site.json, which tells the page what this site offers.
func (s site) describe(w http.ResponseWriter) {
	w.Header().Set("Content-Type", types[".json"])
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprintf(w, "{\"symbols\": %q, \"builds\": %t}\n", strings.TrimPrefix(symbolsPath, "/"), s.symbols.builds())
}

// cacheControl lets browsers keep files with a hash in their name, and revalidate the others. The
// service worker stays fresh for a day, after which browsers ask for it in any case. Until then
// they ask when the page does, and not by themselves after it was loaded.
func cacheControl(name string) string {
	if name == "/sw.js" {
		return "public, max-age=86400"
	}
	if strings.HasPrefix(name, "/assets/") {
		return "public, max-age=31536000, immutable"
	}
	return "no-cache"
}
