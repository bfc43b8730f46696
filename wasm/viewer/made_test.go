package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"crashglass/symbols/formats"
	"crashglass/wasm/internal/bridge"
)

// page is a viewer.html as small as a capsule needs it.
const page = `<!doctype html><body><div id="app"></div>
    <script type="text/plain" data-file="viewer-Ce.wasm">CCCC</script>
    <script type="module">go()</script></body>
`

// openWithSymbols opens the example as dump 1.
func openWithSymbols(t *testing.T) (*viewer, Opened) {
	t.Helper()
	v := newViewer()
	return v, add(t, v, OpenRequest{Next: 1}, append(allSymbols(t), exampleFile(t, "crash.dmp"))...).Opened[0]
}

// makes sends a request that makes a file, and returns its description and the file.
func makes(t *testing.T, v *viewer, request string, files ...bridge.File) (made MadeResult, data []byte) {
	t.Helper()
	answer := ask(t, v, request, files...)
	if err := json.Unmarshal(answer.JSON, &made); err != nil {
		t.Fatal(err)
	}
	data = answer.Bytes
	if made.Size != int64(len(data)) || made.Changed == nil || len(made.Changed) > 0 {
		t.Errorf("%s: %d bytes, %+v", request, len(data), made)
	}
	return made, data
}

// A capsule is the page with the dump, its symbols, and the lines of given sources.
func TestCapsule(t *testing.T) {
	v, opened := openWithSymbols(t)
	source := ""
	for _, f := range crashing(t, opened.Report).Frames {
		if f.File != nil && strings.HasSuffix(*f.File, "crash.cpp") {
			source = *f.File
		}
	}
	code := exampleFile(t, "crash.cpp")
	code.Path = source
	made, capsule := makes(t, v, `{"op":"capsule","dump":1,"symbols":"all"}`, file("viewer.html", []byte(page)), code)
	var roles []string
	for _, f := range made.Files {
		roles = append(roles, string(f.Role))
	}
	if want := []string{"dump", "symbols", "symbols", "symbols", "source"}; !slices.Equal(roles, want) {
		t.Errorf("files %+v, want %q", made.Files, want)
	}
	if !bytes.HasPrefix(capsule, []byte(`<!doctype html>`)) || !bytes.Contains(capsule, []byte("data-capsule")) || !bytes.Contains(capsule, []byte("CCCC")) {
		t.Errorf("the page is %.200q", capsule)
	}
}

// What cannot be made says why, and an earlier file stays.
func TestNothingIsMade(t *testing.T) {
	v, _ := openWithSymbols(t)
	viewer := file("viewer.html", []byte(page))
	for _, test := range []struct {
		request string
		files   []bridge.File
		want    string
	}{
		{`{"op":"capsule","dump":1,"symbols":"all"}`, nil, `viewer: a capsule of 0 files with names "all"`},
		{`{"op":"capsule","dump":1,"symbols":"some"}`, []bridge.File{viewer}, `viewer: a capsule of 1 files with names "some"`},
		{`{"op":"capsule","dump":1,"symbols":"all"}`, []bridge.File{file("viewer.html", []byte("<p>another page"))}, "this is no viewer.html of this program"},
		{`{"op":"capsule","dump":1,"symbols":"all"}`, []bridge.File{absent("viewer.html")}, "viewer.html at 0x0: "},
	} {
		answer, err := v.handle(bridge.Request{JSON: []byte(test.request), Files: test.files})
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || answer.JSON != nil || answer.Bytes != nil {
			t.Errorf("%s: %d bytes, %v, want %s", test.request, len(answer.Bytes), err, test.want)
		}
	}
}

// absent is a remote file without any byte that has arrived.
func absent(path string) bridge.File {
	return bridge.File{Path: path, Pages: bridge.NewRemote(1<<20, func([]byte, int64) error { return bridge.ErrNotHere })}
}

// Readers wait for missing bytes of a remote file. An error of a local file is not worth a wait.
func TestRemoteFileComesLater(t *testing.T) {
	if _, err := sourceOf(absent("app.sym")).Read("head", 0, 4); !errors.Is(err, formats.ErrPending) {
		t.Errorf("a remote file: %v", err)
	}
	broken := bridge.File{Path: "app.sym", Pages: bridge.NewPages(8, bridge.NewCache(1<<20), func([]byte, int64) error { return errors.New("the file has changed") })}
	if _, err := sourceOf(broken).Read("head", 0, 4); err == nil || errors.Is(err, formats.ErrPending) {
		t.Errorf("a local file: %v", err)
	}
}

// A remote file that is needed as a whole is named once in a request.
func TestWholeFilesAreNamedOnce(t *testing.T) {
	v := newViewer()
	for _, name := range []string{"a.sym", "b.sym", "a.sym"} {
		v.needsWhole(name)
	}
	if want := []string{"a.sym", "b.sym"}; !slices.Equal(v.wholes, want) {
		t.Errorf("%q, want %q", v.wholes, want)
	}
}

// A memoryStore is a scratch that is compared only.
type memoryStore struct{ bridge.Store }

// Data that is too large for memory goes to the latest scratch of the page. Without one it is an error.
func TestScratchComesWithRequests(t *testing.T) {
	v := newViewer()
	open := v.limits().Scratch // as the store has it before the first request
	if _, err := open(); err == nil || err.Error() != "viewer: the browser has no private file system here" {
		t.Errorf("without a scratch: %v", err)
	}
	mine := &memoryStore{}
	if _, err := v.handle(bridge.Request{JSON: []byte(`{"op":"symbolFiles"}`), Scratch: mine}); err != nil {
		t.Fatal(err)
	}
	ask(t, v, `{"op":"symbolFiles"}`) // a request without one keeps it
	if got, err := open(); err != nil || got != mine {
		t.Errorf("with a scratch: %v, %v", got, err)
	}
}
