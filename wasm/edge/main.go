//go:build js && wasm

// Command edge is a Cloudflare Worker that serves the page: the files of
// dist/, with the headers that a plain static host cannot be told to send.
//
// It answers GET and HEAD, and what it answers with is on the deployer's side
// before any request comes in. It has no part in reading dumps: nothing of
// core or symbols is linked into it, and there is no way to send it one.
package main

import (
	"net/http"
	"syscall/js"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"
	"github.com/syumai/workers/cloudflare/fetch"
)

func main() {
	workers.Serve(site{assets()})
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
