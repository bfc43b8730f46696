package main

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"crashglass/wasm/internal/bridge"
)

// More dumps than a page has room for are left out, and counted; when some are closed there is room again.
func TestManyDumps(t *testing.T) {
	header := append([]byte("MDMP"), make([]byte, 28)...)
	binary.LittleEndian.PutUint32(header[4:], 0xa793)
	binary.LittleEndian.PutUint32(header[12:], 32)
	some := func(from, to int) (files []bridge.File) {
		for i := from; i < to; i++ {
			binary.LittleEndian.PutUint32(header[20:], uint32(i))
			files = append(files, file(fmt.Sprintf("%d.dmp", i), append([]byte(nil), header...)))
		}
		return files
	}
	v := newViewer()
	result := v.openFiles(&OpenRequest{}, some(0, mostDumps+3))
	last := result.Files[len(result.Files)-1]
	if len(result.Opened) != mostDumps || last.Left != 3 || last.Message == nil || !strings.Contains(*last.Message, "3 dumps were not opened") {
		t.Fatalf("%d are open; the last line is %+v", len(result.Opened), last)
	}
	ask(t, v, `{"op":"close","dumps":[0,1]}`)
	again := v.openFiles(&OpenRequest{Next: mostDumps}, some(mostDumps, mostDumps+3))
	if last := again.Files[len(again.Files)-1]; len(again.Opened) != 2 || last.Left != 1 {
		t.Errorf("%d are open, want 2; the last line is %+v", len(again.Opened), last)
	}
}
