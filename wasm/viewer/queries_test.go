package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/wasm/internal/bridge"
)

// Every question about a dump is refused when the dump is not open: the worker may have been replaced.
func TestQuestionsAboutDumpsThatAreNotOpen(t *testing.T) {
	v := openExample(t)
	for _, op := range []string{
		"report", "explain", "variables", "globals", "render", "memory", "disassemble", "pointers", "captured", "find",
		"checklist", "sanitize", "capsule", "fields", "file", "force", "syms",
	} {
		_, err := v.handle(bridge.Request{JSON: []byte(`{"op":"` + op + `","dump":9}`)})
		if err == nil || err.Error() != "viewer: dump 9 is not open" {
			t.Errorf("%s: %v", op, err)
		}
	}
}

// Words that are addresses in code get its name, in the order of the question. Others are left out.
func TestPointers(t *testing.T) {
	v, opened := openWithSymbols(t)
	frame := crashing(t, opened.Report).Frames[1]
	var got []analyze.Pointer
	request := fmt.Sprintf(`{"op":"pointers","dump":1,"addresses":["0x10","%s"]}`, frame.Offset)
	if err := json.Unmarshal(ask(t, v, request).JSON, &got); err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, p := range got {
		if strings.Contains(fmt.Sprintf("%+v", p), string(frame.Offset)) {
			named++
		}
	}
	if named != 1 || !strings.Contains(string(ask(t, v, request).JSON), "desk::") {
		t.Errorf("got %s", ask(t, v, request).JSON)
	}
	if _, err := v.handle(bridge.Request{JSON: []byte(`{"op":"pointers","dump":1,"addresses":["0x10","up"]}`)}); err == nil || err.Error() != `viewer: "up" is no address` {
		t.Errorf("a wrong address: %v", err)
	}
}

// A page may ask for more words than are answered. The rest is not even read.
func TestPointersAreBounded(t *testing.T) {
	v := openExample(t)
	many := strings.Repeat(`"0x10",`, analyze.MostPointers) + `"up"`
	if got := string(ask(t, v, `{"op":"pointers","dump":0,"addresses":[`+many+`]}`).JSON); got != "[]" && got != "null" {
		t.Errorf("got %.200s", got)
	}
}

// Without a dump, modules are those that symbol files name. A symbol file is not made of a symbol file.
func TestSymsWithoutADump(t *testing.T) {
	v := newViewer()
	add(t, v, OpenRequest{}, exampleFile(t, "desk.sym"))
	for request, want := range map[string]string{
		`{"op":"syms","dump":-1,"module":0}`: "symbols: this is a Breakpad symbol file already",
		`{"op":"syms","dump":-1,"module":1}`: "viewer: no module 1: there are 1",
	} {
		if _, err := v.handle(bridge.Request{JSON: []byte(request), Progress: func([]byte) error { return nil }}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", request, err, want)
		}
	}
}

// A message that is no request is refused with the part that is wrong.
func TestRequestsRefused(t *testing.T) {
	for request, want := range map[string]string{
		"":                                "viewer: request: ",
		"[]":                              "viewer: request: ",
		`{}`:                              `viewer: request: unknown op ""`,
		`{"op":"Report"}`:                 `viewer: request: unknown op "Report"`,
		`{"op":"report","dump":"1"}`:      "viewer: request report: ",
		`{"op":"report","dump":1.5}`:      "viewer: request report: ",
		`{"op":"memory","size":1e99}`:     "viewer: request memory: ",
		`{"op":"pointers","addresses":1}`: "viewer: request pointers: ",
	} {
		if _, err := newViewer().handle(bridge.Request{JSON: []byte(request)}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", request, err, want)
		}
	}
}

// An answer about memory is as large as what was captured, whatever size is asked for.
func TestMemoryIsBounded(t *testing.T) {
	v, opened := openWithSymbols(t)
	stack := crashing(t, opened.Report).Stack
	for _, size := range []int{-1, 0, 1 << 30} {
		got := ask(t, v, fmt.Sprintf(`{"op":"memory","dump":1,"address":"%s","size":%d}`, stack.Base, size)).Bytes
		if size <= 0 && len(got) != 0 || size > 0 && (len(got) == 0 || len(got) > 16<<20) {
			t.Errorf("%d bytes for %d", len(got), size)
		}
	}
}
