package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"crashglass/core/sanitize"
	"crashglass/wasm/internal/bridge"
)

func openExample(t *testing.T) *viewer {
	t.Helper()
	v := newViewer()
	if opened := add(t, v, OpenRequest{}, exampleFile(t, "crash.dmp")).Opened; len(opened) != 1 {
		t.Fatalf("%d dumps are open, want 1", len(opened))
	}
	return v
}

func answerTo(t *testing.T, v *viewer, request string) bridge.Answer {
	t.Helper()
	answer, err := v.handle(bridge.Request{JSON: []byte(request)})
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestChecklist(t *testing.T) {
	var list sanitize.Checklist
	if err := json.Unmarshal(answerTo(t, openExample(t), `{"op":"checklist","dump":0}`).JSON, &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Items) == 0 || list.People == nil || list.Secrets == nil {
		t.Errorf("got %+v", list)
	}
}

func TestSanitize(t *testing.T) {
	v := openExample(t)
	answer := answerTo(t, v, `{"op":"sanitize","dump":0}`)
	var result SanitizeResult
	if err := json.Unmarshal(answer.JSON, &result); err != nil {
		t.Fatal(err)
	}
	data := answer.Bytes
	if int64(len(data)) != result.After || len(result.Changed) > 0 || len(result.Removed) == 0 {
		t.Errorf("%d bytes, %+v", len(data), result)
	}
	again := newViewer()
	opened := add(t, again, OpenRequest{}, file("clean.dmp", data)).Opened
	if len(opened) != 1 || opened[0].Report.Verdict.What != v.dumps[0].report.Verdict.What {
		t.Errorf("the new dump opens as %+v", opened)
	}
}

// A report that is text stays text, without the names that the checklist has.
func TestSanitizeText(t *testing.T) {
	const log = "app-1  | thread 'main' (7) panicked at /home/mallory/desk/src/main.rs:4:5:\napp-1  | token ghp_16C7e42F292c6912E7710c838347Ae178B4a\n" +
		"app-1  | stack backtrace:\napp-1  |    0: desk::main\napp-1  |              at /home/mallory/desk/src/main.rs:4:5\n"
	v := newViewer()
	if opened := add(t, v, OpenRequest{}, file("desk.log", []byte(log))).Opened; len(opened) != 1 {
		t.Fatalf("%d reports are open, want 1", len(opened))
	}
	var list sanitize.Checklist
	if err := json.Unmarshal(answerTo(t, v, `{"op":"checklist","dump":0}`).JSON, &list); err != nil {
		t.Fatal(err)
	}
	if !list.Text || !slices.Equal(list.People, []string{"mallory"}) || len(list.Secrets) != 1 {
		t.Errorf("the checklist is %+v", list)
	}
	answer := answerTo(t, v, `{"op":"sanitize","dump":0}`)
	text := string(answer.Bytes)
	if !strings.Contains(text, "panicked at /home/") || strings.Contains(text, "mallory") || strings.Contains(text, "ghp_") {
		t.Errorf("%s\n%s", answer.JSON, text)
	}
	if opened := add(t, newViewer(), OpenRequest{}, file("desk.log", answer.Bytes)).Opened; len(opened) != 1 {
		t.Errorf("%d reports are open again", len(opened))
	}
}

func TestHTML(t *testing.T) {
	v := openExample(t)
	plain := answerTo(t, v, `{"op":"render","dump":0,"format":"html"}`).Bytes
	masked := answerTo(t, v, `{"op":"render","dump":0,"format":"html","masked":true,"memory":true}`).Bytes
	if !bytes.HasPrefix(plain, []byte("<!doctype html>")) || strings.Contains(string(plain), "<h2>Memory: ") {
		t.Errorf("not a page without memory: %.200s", plain)
	}
	if !strings.Contains(string(masked), "<h2>Memory: the stack of thread ") {
		t.Error("the page has no memory although it was asked for")
	}
}

func TestSymsRefuses(t *testing.T) {
	v := openExample(t)
	for request, want := range map[string]string{
		`{"op":"syms","dump":0,"module":-1}`:    "viewer: no module -1",
		`{"op":"syms","dump":0,"module":65536}`: "viewer: no module 65536",
		`{"op":"syms","dump":0,"module":0}`:     "symbols: desk: there is no file of it",
		`{"op":"syms","dump":9,"module":0}`:     "viewer: dump 9 is not open",
	} {
		if _, err := v.handle(bridge.Request{JSON: []byte(request)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", request, err, want)
		}
	}
}
