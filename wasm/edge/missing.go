//go:build js && wasm

package main

import "syscall/js"

// platformMemory remembers missing files in the platform's cache, which all Workers of one location
// share. Without a cache it remembers nothing.
type platformMemory struct {
	cache js.Value
}

// missingURL is never requested: the cache needs a URL as its key.
const missingURL = "https://missing.invalid/"

func (m platformMemory) has(key string) bool {
	if m.cache.Type() != js.TypeObject {
		return false
	}
	found, err := await(m.cache.Call("match", missingURL+key))
	return err == nil && found.Type() == js.TypeObject
}

func (m platformMemory) add(key string) {
	if m.cache.Type() != js.TypeObject {
		return
	}
	marker := js.Global().Get("Response").New("missing", map[string]any{"headers": map[string]any{"Cache-Control": cacheMissing}})
	await(m.cache.Call("put", missingURL+key, marker)) // a failed write costs one more request later
}
