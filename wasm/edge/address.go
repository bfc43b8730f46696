//go:build js && wasm

package main

import (
	"net/http"
	"net/url"
	"syscall/js"

	"crashglass/wasm/served"
)

// refuseUnreadable answers 400 for an address that Go cannot read, such as "/%u002e": browsers send
// such an address unchanged, and the library that passes requests to the site would fail instead of
// answering.
func refuseUnreadable() {
	binding := js.Global().Get("context").Get("binding") // the library calls the handler that is stored here
	handle := binding.Get("handleRequest")
	binding.Set("handleRequest", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if _, err := url.Parse(args[0].Get("url").String()); err == nil {
			return handle.Invoke(args[0])
		}
		all := map[string]any{"Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"}
		for name, value := range served.Headers {
			all[name] = value
		}
		return js.Global().Get("Response").New("no such address\n", map[string]any{"status": http.StatusBadRequest, "headers": all})
	}))
}
