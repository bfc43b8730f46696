package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// policy is the page's own Content-Security-Policy, which stands in index.html
// for hosts that send no headers, and frame-ancestors, which only a header can
// say. It lets the page run its own scripts, WebAssembly and workers that it
// makes itself; no other origin can be reached. The page narrows it further
// before it starts a worker that holds a dump.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
	"connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; " +
	"require-trusted-types-for 'script'; trusted-types crashglass lit-html; frame-ancestors 'none'"

// securityHeaders go out with every response.
var securityHeaders = map[string]string{
	"Content-Security-Policy":      policy,
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Embedder-Policy": "require-corp",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
	"Permissions-Policy":           "camera=(), microphone=(), geolocation=(), usb=(), serial=(), payment=()",
}

func serve(c *cli, args []string) int {
	f := c.flags()
	addr := f.String("addr", "127.0.0.1:8080", "`address` to listen on; port 0 picks a free one")
	dir := f.String("dir", "dist", "`folder` that holds the built page")
	if status, ok := c.parse(f, args); !ok {
		return status
	}
	if f.NArg() > 0 {
		return c.wrong("unexpected argument %q", f.Arg(0))
	}
	if _, err := os.Stat(filepath.Join(*dir, "index.html")); err != nil {
		c.fail(*dir, fmt.Errorf("has no index.html; build the page first, or name its folder with -dir"))
		return exitInput
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		c.fail(*addr, err)
		return exitInput
	}
	fmt.Fprintf(c.out, "http://%s/\n", l.Addr())
	server := &http.Server{Handler: site(*dir), ReadHeaderTimeout: 10 * time.Second}
	c.fail(*addr, server.Serve(l))
	return exitInput
}

// site serves the files of a folder with the security headers.
func site(dir string) http.Handler {
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range securityHeaders {
			w.Header().Set(name, value)
		}
		w.Header().Set("Cache-Control", "no-cache") // a rebuilt page shows at once
		files.ServeHTTP(w, r)
	})
}
