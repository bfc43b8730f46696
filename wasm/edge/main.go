//go:build js && wasm

// Command edge is a Cloudflare Worker that serves the page: the files of dist/, with headers that a
// plain static host cannot send.
//
// It answers GET and HEAD with files that were deployed before. If the deployer configures symbol
// servers, it also forwards symbol files from them; a request to such a server has a name and an
// ID, and nothing else. The Worker never reads dumps: no package of core or symbols is linked into
// it, and no request can upload one.
//
// Read this file first, then site.go, which answers with the page, and symbols.go, which answers
// with symbols. symbolfile.go says what may be requested, servers.go which servers get a request;
// upstream.go, range.go and redirect.go send it; upstream.go also remembers missing files.
package main

import (
	"net/http"
	"syscall/js"
	"time"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"
	"github.com/syumai/workers/cloudflare/fetch"
)

func main() {
	refuseUnreadable()
	workers.Serve(site{assets: assets(), symbols: symbols()})
}

// The platform requires that fetch is called as a method of the binding.
func assets() http.RoundTripper {
	binding := cloudflare.GetBinding("ASSETS")
	if binding.Type() != js.TypeObject {
		return nil
	}
	return fetch.NewClient(fetch.WithBinding(binding)).HTTPClient(fetch.RedirectModeManual).Transport
}

// symbols is the proxy, or nil where no servers are configured. A mistake in the configuration
// turns it off, and is logged once per request.
func symbols() *proxy {
	c, err := parseConfig(variable)
	if err != nil {
		println("crashglass: " + err.Error())
		return nil
	}
	if len(c.servers) == 0 {
		return nil
	}
	// wasm_exec.js wraps the global object, but the platform's fetch requires the real one.
	global := js.Global().Get("globalThis")
	return &proxy{
		config:  c,
		missing: platformMemory{global.Get("caches").Get("default")},
		count:   func(outcome string) { println("symbols " + outcome) },
		upstream: func(binding string) http.RoundTripper {
			target := global
			if binding != "" {
				target = cloudflare.GetBinding(binding)
			}
			return upstream{target: target, head: patience(), maxBytes: c.maxBytes}
		},
	}
}

// variable returns a variable of the Worker, or "".
func variable(name string) string {
	if value := cloudflare.GetBinding(name); value.Type() == js.TypeString {
		return value.String()
	}
	return ""
}

// patience is the time until a server has to begin its answer: SYMBOL_TIMEOUT, such as "3s".
func patience() time.Duration {
	if d, err := time.ParseDuration(variable("SYMBOL_TIMEOUT")); err == nil && d > 0 {
		return d
	}
	return headTime
}
