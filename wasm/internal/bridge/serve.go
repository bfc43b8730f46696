//go:build js && wasm

package bridge

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/hack-pad/safejs"
)

// Serve makes fn callable as name(json, files, progress, scratch): a string, an array of
// {path, size, read}, a function of a string, and {read, write} or null. The call returns {json, bytes, about} or, when fn
// fails, {error}. When fn panics it returns {error, stack}. The caller should then end the program, because its state may be
// inconsistent.
func Serve(name string, cache *Cache, fn func(Request) (Answer, error)) error {
	f, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		answer, stack, err := guard(func() (Answer, error) {
			request, err := requestOf(name, args, cache)
			if err != nil {
				return Answer{}, err
			}
			return fn(request)
		})
		if err == nil {
			var value any
			if value, err = answer.value(); err == nil {
				return value
			}
		}
		return map[string]any{"error": err.Error(), "stack": stack}
	})
	if err != nil {
		return fmt.Errorf("bridge: export %s: %w", name, err)
	}
	if err := safejs.Global().Set(name, f); err != nil {
		return fmt.Errorf("bridge: export %s: %w", name, err)
	}
	return nil
}

// guard calls fn and turns a panic into an error and a stack. safejs guards calls out of Go, but not
// calls into Go: a panic inside a callback ends the whole program, and the page only looks slow.
func guard(fn func() (Answer, error)) (answer Answer, stack string, err error) {
	defer func() {
		if p := recover(); p != nil {
			answer, stack, err = Answer{}, string(debug.Stack()), fmt.Errorf("internal error: %v", p)
		}
	}()
	answer, err = fn()
	return answer, "", err
}

func requestOf(name string, args []safejs.Value, cache *Cache) (Request, error) {
	if len(args) < 3 {
		return Request{}, fmt.Errorf("bridge: %s: want 3 arguments, have %d", name, len(args))
	}
	text, err := args[0].String()
	if err != nil {
		return Request{}, fmt.Errorf("bridge: %s: first argument: %w", name, err)
	}
	files, err := filesOf(args[1], cache)
	if err != nil {
		return Request{}, fmt.Errorf("bridge: %s: %w", name, err)
	}
	// Go's collector needs turns of its own, which a call from JavaScript does not give: a collection
	// that has begun may not end, and all garbage stays. (Go 1.26: no thread preempts the call.)
	progress := func(json []byte) error {
		runtime.Gosched()
		_, err := args[2].Invoke(string(json))
		return err
	}
	return Request{JSON: []byte(text), Files: files, Progress: progress, Scratch: storeOf(args, cache)}, nil
}

func (a Answer) value() (any, error) {
	value := map[string]any{"json": string(a.JSON), "bytes": nil, "about": a.About}
	if a.Bytes == nil {
		return value, nil
	}
	class, err := safejs.Global().Get("Uint8Array")
	if err != nil {
		return nil, fmt.Errorf("bridge: copying bytes out: %w", err)
	}
	array, err := class.New(len(a.Bytes))
	if err != nil {
		return nil, fmt.Errorf("bridge: copying bytes out: %w", err)
	}
	if _, err := safejs.CopyBytesToJS(array, a.Bytes); err != nil {
		return nil, fmt.Errorf("bridge: copying bytes out: %w", err)
	}
	value["bytes"] = array
	return value, nil
}
