package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"

	"crashglass/wasm/internal/bridge"
)

// operations are what the page can request, by name.
var operations = map[string]operation{
	"open":        plain((*call).openFiles),
	"close":       plain((*call).close),
	"scan":        plain((*call).scan),
	"scanned":     plain((*call).scanned),
	"index":       plain((*call).index),
	"whole":       plain((*call).whole),
	"warm":        plain((*call).warm),
	"symbolFiles": plain((*call).symbolFiles),
	"syms":        withSymbols(plain((*call).syms)),

	"report":      ofDump((*call).report),
	"force":       ofDump((*call).force),
	"explain":     withSymbols(ofDump((*call).explain)),
	"variables":   withSymbols(ofDump((*call).variables)),
	"globals":     withSymbols(ofDump((*call).globals)),
	"render":      withSymbols(ofDump((*call).render)),
	"memory":      ofDump((*call).memory),
	"captured":    ofDump((*call).captured),
	"find":        ofDump((*call).find),
	"pointers":    withSymbols(ofDump((*call).pointers)),
	"disassemble": withSymbols(ofDump((*call).disassemble)),
	"fields":      ofDump((*call).fields),
	"file":        ofDump((*call).file),
	"checklist":   withSymbols(ofDump((*call).checklist)),
	"sanitize":    withSymbols(ofDump((*call).sanitize)),
	"capsule":     withSymbols(ofDump((*call).capsule)),
}

// An operation answers requests of one type. Its result is bytes, empty, or else JSON.
type operation struct {
	aboutDump       bool // an open dump
	needsSymbols    bool // that were read for the dump: a worker that replaces another reads them first
	request, result reflect.Type
	run             func(c *call, request any) (any, error)
}

// plain is an operation that is not about an open dump. Its types are pointers and lists: for each
// struct the compiler would make a copy of this code.
func plain[Q, R any](handler func(*call, Q) (R, error)) operation {
	var request Q
	var result R
	return operation{
		request: reflect.TypeOf(request).Elem(),
		result:  reflect.TypeOf(result),
		run:     func(c *call, request any) (any, error) { return handler(c, request.(Q)) },
	}
}

func ofDump[Q, R any](handler func(*call, Q) (R, error)) operation {
	op := plain(handler)
	op.aboutDump = true
	return op
}

// withSymbols is an operation that uses symbols, or the report that was made with them.
func withSymbols(op operation) operation {
	op.needsSymbols = true
	return op
}

// empty is the result of a request that only changes something.
type empty struct{}

// A call is one request while it is answered.
type call struct {
	*viewer
	dump     *dump         // the open dump that it is about, nil for none
	files    []bridge.File // those of the request
	attached []byte        // bytes that accompany a result in JSON
}

// answer decodes a request and runs its operation.
func (c *call) answer(request []byte) (answer bridge.Answer, err error) {
	var head struct {
		Op   string `json:"op"`
		Dump int    `json:"dump"`
	}
	malformed := json.Unmarshal(request, &head)
	op, known := operations[head.Op]
	switch {
	case !known && malformed != nil:
		return answer, fmt.Errorf("viewer: request: %w", malformed)
	case !known:
		return answer, fmt.Errorf("viewer: request: unknown op %q", head.Op)
	}
	q := reflect.New(op.request).Interface()
	if err := cmp.Or(json.Unmarshal(request, q), malformed); err != nil {
		return answer, fmt.Errorf("viewer: request %s: %w", head.Op, err)
	}
	if op.aboutDump {
		if c.dump, err = c.opened(head.Dump); err != nil {
			return answer, err
		}
	}
	result, err := op.run(c, q)
	if err != nil {
		return answer, err
	}
	switch result := result.(type) {
	case empty:
	case []byte:
		answer.Bytes = result
	default:
		answer.Bytes = c.attached
		if answer.JSON, err = json.Marshal(result); err != nil {
			return bridge.Answer{}, fmt.Errorf("viewer: answer: %w", err)
		}
	}
	return answer, nil
}
