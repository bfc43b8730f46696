//go:build js && wasm

package main

import "syscall/js"

// platformMemory remembers what is missing in the platform's cache, which all
// Workers of one place share. Where there is none, nothing is remembered.
type platformMemory struct {
	cache js.Value
}

// missingURL is no address: the cache wants one for a key.
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
	marker := js.Global().Get("Response").New("missing", map[string]any{"headers": map[string]any{"Cache-Control": keepMissing}})
	await(m.cache.Call("put", missingURL+key, marker)) // a memory that fails costs a request
}
