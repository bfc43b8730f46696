package main

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/wasm/internal/bridge"
)

// TestThousandsOfStoreFiles drops a folder with a symbol store that has the dump's own symbols. The
// other files are not opened, and the report is the same as with these symbols alone.
func TestThousandsOfStoreFiles(t *testing.T) {
	const id = "DC720202CE6471F9BFD976B1DF32E9250"
	read := map[string]int{}
	noted := func(path, data string) bridge.File {
		fetch := func(p []byte, off int64) error { read[path]++; copy(p, data[off:]); return nil }
		return bridge.File{Path: path, Pages: bridge.NewPages(int64(len(data)), bridge.NewCache(1<<20), fetch)}
	}
	own := exampleFile(t, "desk.sym")
	text := make([]byte, own.Size())
	if _, err := own.ReadAt(text, 0); err != nil {
		t.Fatal(err)
	}
	wanted := "symbols/desk/" + id + "/desk.sym"
	files := []bridge.File{noted(wanted, string(text)), exampleFile(t, "crash.dmp")}
	for i := range 3000 {
		other := fmt.Sprintf("%032X1", i+1)
		files = append(files, noted(fmt.Sprintf("symbols/other%d/%s/other.sym", i%50, other), "MODULE Linux x86_64 "+other+" other\nFUNC 0 10 0 f\n"))
	}
	v := newViewer()
	got := add(t, v, OpenRequest{Next: 1}, files...)
	if len(got.Files) != len(files) || got.Files[0].Kind != "symbols" || got.Files[0].Name != wanted {
		t.Errorf("%d files are told of, the first as %+v", len(got.Files), got.Files[0])
	}
	if len(read) != 1 || read[wanted] == 0 {
		t.Errorf("%d files were read", len(read))
	}
	alone := add(t, newViewer(), OpenRequest{Next: 1}, file(wanted, text), exampleFile(t, "crash.dmp"))
	if a, b := jsonOf(t, got.Opened[0].Report), jsonOf(t, alone.Opened[0].Report); a != b || !strings.Contains(a, "desk::available") {
		t.Errorf("another report:\n%.1000s\nwant\n%.1000s", a, b)
	}
}
