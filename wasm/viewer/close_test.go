package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"crashglass/core/testkit/sample"
	"crashglass/wasm/internal/bridge"
)

// heap is how many bytes are in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what finalizers freed
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// rest is how much more than that many bytes may be in use after 100 dumps.
const rest = 1 << 20

// paddedDump is the example with so many zeros behind it, and another hash for each number.
func paddedDump(t *testing.T, zeros, number int) []byte {
	t.Helper()
	data, err := os.ReadFile(example + "crash.dmp")
	if err != nil {
		t.Fatal(err)
	}
	return append(data, make([]byte, zeros+number)...)
}

func zstdOf(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// A hundred dumps that are opened, looked at and closed, one after another, leave no memory in use: no session,
// no decompressed dump, nothing that was read of symbols. The symbols name the next one all the same.
func TestClosedDumpsTakeNoMemory(t *testing.T) {
	filler := bytes.Repeat([]byte("PUBLIC ff0000 0 filler\n"), 1<<16)
	desk, err := os.ReadFile(example + "desk.sym")
	if err != nil {
		t.Fatal(err)
	}
	count := sample.Of(100)
	v := newViewer()
	v.openFiles(&OpenRequest{}, []bridge.File{file("desk.sym.zst", zstdOf(t, append(desk, filler...)))})
	turn := func(number int) {
		padded := paddedDump(t, 1<<20, number)
		plain, packed := file("crash.dmp", padded), file("crash.dmp.zst", zstdOf(t, padded))
		opened := add(t, v, OpenRequest{Next: 2 * number}, plain, packed).Opened
		if len(opened) != 2 || !strings.HasPrefix(calls(crashing(t, opened[1].Report))[0], "desk::available") {
			t.Fatalf("%d: %d dumps, %q", number, len(opened), calls(crashing(t, opened[1].Report)))
		}
		ask(t, v, fmt.Sprintf(`{"op":"explain","dump":%d,"thread":0}`, 2*number))
		ask(t, v, fmt.Sprintf(`{"op":"sanitize","dump":%d}`, 2*number))
		ask(t, v, fmt.Sprintf(`{"op":"close","dumps":[%d,%d]}`, 2*number, 2*number+1))
		for _, f := range []bridge.File{plain, packed} {
			if _, err := f.ReadAt(make([]byte, 1), 0); !errors.Is(err, bridge.ErrClosed) {
				t.Errorf("%s is still open: %v", f.Path, err)
			}
		}
		if _, err := v.report(2*number, &ReportRequest{}); err == nil {
			t.Error("a closed dump is answered")
		}
	}
	before := heap()
	turn(1)
	first := heap()
	for i := 2; i <= count; i++ {
		turn(i)
	}
	after := heap()
	t.Logf("%d bytes are in use before, %d after one dump, %d after %d", before, first, after, count)
	if first-before > rest || after-before > rest {
		t.Errorf("%d bytes are in use before, %d after one dump, %d after %d", before, first, after, count)
	}
	runtime.KeepAlive(v)
}

// What another dump uses stays: its symbols, and its file although that was given twice.
func TestCloseKeepsTheOthers(t *testing.T) {
	v, _ := openWithSymbols(t)
	before := calls(crashing(t, reportOf(t, v, 1, 0)[0].Report))
	v.openFiles(&OpenRequest{Next: 2}, []bridge.File{exampleFile(t, "crash.dmp"), file("other.dmp", paddedDump(t, 0, 1))})
	ask(t, v, `{"op":"close","dumps":[2,3,99]}`)
	if len(v.dumps) != 1 {
		t.Errorf("%d dumps are open, want 1", len(v.dumps))
	}
	if after := calls(crashing(t, reportOf(t, v, 1, 0)[0].Report)); strings.Join(after, "\n") != strings.Join(before, "\n") {
		t.Errorf("%q, before it %q", after, before)
	}
}

// A file without a use is closed at once; symbols are not.
func TestFilesWithoutAUseAreClosed(t *testing.T) {
	v := newViewer()
	for name, open := range map[string]bool{"crash.dmp": true, "desk.sym": true, "crash.cpp": false} {
		f := exampleFile(t, name)
		v.openFiles(&OpenRequest{Next: 1}, []bridge.File{f})
		if _, err := f.ReadAt(make([]byte, 1), 0); errors.Is(err, bridge.ErrClosed) == open {
			t.Errorf("%s is open: %v", name, !open)
		}
	}
	f := exampleFile(t, "crash.dmp")
	v.openFiles(&OpenRequest{Restores: true}, []bridge.File{f})
	if _, err := f.ReadAt(make([]byte, 1), 0); !errors.Is(err, bridge.ErrClosed) {
		t.Error("a dump that is not opened again keeps its file open")
	}
}
