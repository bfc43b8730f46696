package main

import (
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

// policy is the Content-Security-Policy of index.html plus frame-ancestors, which only a header can
// set. It lets the page run its own scripts, WebAssembly and workers that it makes itself, and
// reach no other origin. The page narrows it further before it starts a worker that holds a dump.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
	"connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; " +
	"require-trusted-types-for 'script'; trusted-types crashglass lit-html; frame-ancestors 'none'"

// securityHeaders are sent with every response.
var securityHeaders = map[string]string{
	"Content-Security-Policy":      policy,
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Embedder-Policy": "require-corp",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
	"Permissions-Policy":           "camera=(), microphone=(), geolocation=(), usb=(), serial=(), payment=()",
}

// types are the content types of the page's files. Systems differ in what they know of them: Windows
// reads its table from the registry, where other programs change the type of .js.
var types = map[string]string{
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm",
	".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8",
}

// A site serves the files of the page, and no list of them. Unless it is public, it answers only
// requests for names of this machine. Otherwise an attacker's name that resolves to this machine
// would have the page's origin (DNS rebinding).
type site struct {
	files  fs.FS
	public bool
}

// ServeHTTP answers GET and HEAD. Without --public it refuses a Host that is not this machine.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range securityHeaders {
		w.Header().Set(name, value)
	}
	switch {
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
	if strings.Contains("/"+name, "/.") { // files of tools or of the host: .git, .htaccess
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	content, info, err := readFile(s.files, name)
	if err != nil {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	defer content.Close()
	if name == "viewer.html" { // it has a policy of its own, which this one would narrow to nothing
		w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	}
	w.Header().Set("Content-Type", contentType(name))
	w.Header().Set("Cache-Control", cacheControl(name))
	http.ServeContent(w, r, name, info.ModTime(), content)
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

// contentType returns the type of a file by its extension. Those of the page do not depend on the system's table.
func contentType(name string) string {
	if known, ok := types[path.Ext(name)]; ok {
		return known
	}
	if known := mime.TypeByExtension(path.Ext(name)); known != "" {
		return known
	}
	return "application/octet-stream"
}

// cacheControl lets a rebuilt page appear at once: files in assets/ have a hash in their name. Browsers also check the service worker by
// themselves, at any time. Within a day after the page's own check they find it fresh and send no
// request.
func cacheControl(name string) string {
	switch {
	case strings.HasPrefix(name, "assets/"):
		return "public, max-age=31536000, immutable"
	case name == "sw.js":
		return "public, max-age=86400"
	}
	return "no-cache"
}

// withPort adds the default port to a Host header without one. An IPv6 address has colons of its own.
func withPort(host string) string {
	if strings.HasSuffix(host, "]") || !strings.Contains(host, ":") {
		return host + ":80"
	}
	return host
}
