//go:build js && wasm

// Command edge is a Cloudflare Worker that serves the page: the files of
// dist/, with the headers that a plain static host cannot be told to send.
//
// It answers GET and HEAD, and what it answers with is on the deployer's side
// before any request comes in. Where the deployer names symbol servers, it
// also passes on symbol files from them; what it asks them for is a name and
// an id, and it can be sent nothing else. It has no part in reading dumps:
// nothing of core or symbols is linked into it, and there is no way to send it
// one.
//
// Read this file first, then site.go, which answers with the page, and
// symbols.go, which answers with symbols: question.go is what may be asked,
// servers.go by whom it is answered, upstream.go, range.go and redirect.go how;
// missing.go remembers what is not there.
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

// assets is the binding to the files. Its fetch is called on the binding
// itself, which the platform insists on.
func assets() http.RoundTripper {
	binding := cloudflare.GetBinding("ASSETS")
	if binding.Type() != js.TypeObject {
		return nil
	}
	return fetch.NewClient(fetch.WithBinding(binding)).HTTPClient(fetch.RedirectModeManual).Transport
}

// symbols is the proxy, or nil where no servers are configured. A mistake in
// the configuration turns it off, and says so once for each request.
func symbols() *proxy {
	c, err := parseConfig(variable)
	if err != nil {
		println("crashglass: " + err.Error())
		return nil
	}
	if len(c.servers) == 0 {
		return nil
	}
	// wasm_exec.js wraps the global object, and the platform's fetch insists on the real one.
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

// variable is one of the Worker's, or "".
func variable(name string) string {
	if value := cloudflare.GetBinding(name); value.Type() == js.TypeString {
		return value.String()
	}
	return ""
}

// patience is how long a server may think, by SYMBOL_TIMEOUT, as "3s".
func patience() time.Duration {
	if d, err := time.ParseDuration(variable("SYMBOL_TIMEOUT")); err == nil && d > 0 {
		return d
	}
	return headTime
}
