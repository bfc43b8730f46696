//go:build js && wasm

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"syscall/js"
	"time"
)

// How long a symbol server may take: until its answer begins, and until it ends.
const (
	headTime = 10 * time.Second
	bodyTime = 5 * time.Minute
)

// An upstream asks by the platform's fetch. The body of an answer never enters Go: the stream is
// passed on as it is, or within a limit.
type upstream struct {
	target   js.Value // the global object, or a binding
	head     time.Duration
	maxBytes int64
}

func (u upstream) RoundTrip(r *http.Request) (*http.Response, error) {
	abort := js.Global().Get("AbortController").New()
	stop := func() { abort.Call("abort") }
	timer := time.AfterFunc(u.head, stop)
	answer, err := await(u.target.Call("fetch", r.URL.String(), request(r.Header, abort.Get("signal"))))
	if !timer.Stop() {
		return nil, context.DeadlineExceeded
	}
	if err != nil {
		return nil, err
	}
	time.AfterFunc(bodyTime, stop)
	header := http.Header{}
	for _, name := range []string{"Content-Length", "Content-Encoding", "Content-Range", "ETag", "Location"} {
		if value := answer.Get("headers").Call("get", name); value.Type() == js.TypeString {
			header.Set(name, value.String())
		}
	}
	out := &http.Response{StatusCode: answer.Get("status").Int(), Header: header, Request: r}
	out.Body = &stream{js: answer.Get("body"), most: u.maxBytes, isKnown: length(out) > 0}
	return out, nil
}

// The platform keeps files for long, because a symbol file's address has its ID.
func request(header http.Header, signal js.Value) js.Value {
	headers := map[string]any{}
	for name := range header {
		headers[name] = header.Get(name)
	}
	cache := map[string]any{"cacheEverything": true, "cacheTtlByStatus": platformTimes}
	init := js.ValueOf(map[string]any{"method": "GET", "headers": headers, "redirect": "manual", "cf": cache})
	init.Set("signal", signal)
	return init
}

func await(promise js.Value) (js.Value, error) {
	done := make(chan js.Value, 1)
	failed := make(chan error, 1)
	then := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- args[0]
		return nil
	})
	catch := js.FuncOf(func(_ js.Value, args []js.Value) any {
		failed <- errors.New(js.Global().Get("String").Invoke(args[0]).String())
		return nil
	})
	defer then.Release()
	defer catch.Release()
	promise.Call("then", then, catch)
	select {
	case value := <-done:
		return value, nil
	case err := <-failed:
		return js.Undefined(), err
	}
}

// A stream is a body that only JavaScript reads.
type stream struct {
	js      js.Value
	most    int64
	isKnown bool // its Content-Length was sent and checked
}

// WriteTo passes the stream to a response.
func (s *stream) WriteTo(w io.Writer) (int64, error) {
	to, ok := w.(interface{ WriteRawJSBody(js.Value) })
	if !ok {
		return 0, fmt.Errorf("%T takes no stream", w)
	}
	body := s.js
	s.js = js.Null()
	if !s.isKnown && body.Type() == js.TypeObject {
		body = js.Global().Call("bounded", body, s.most) // bounded.mjs
	}
	to.WriteRawJSBody(body)
	return 0, nil
}

// Read makes the stream an io.Reader; io.Copy prefers WriteTo.
func (s *stream) Read([]byte) (int, error) { return 0, errors.New("the body is not read in Go") }

// Close cancels a body that was not used.
func (s *stream) Close() error {
	if s.js.Type() == js.TypeObject {
		s.js.Call("cancel")
	}
	return nil
}

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
