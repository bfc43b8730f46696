package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A walked has the fields of a report that the test reads.
type walked struct {
	CrashingThread struct {
		Frames []struct {
			Offset   string `json:"module_offset"`
			Function string `json:"function"`
		} `json:"frames"`
	} `json:"crashing_thread"`
	Notes []struct{ Where, Text string } `json:"notes"`
}

func walk(t *testing.T, args ...string) (w walked) {
	t.Helper()
	out, errs, status := crashglass(append([]string{"walk", "--format", "json"}, args...)...)
	if status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	if err := json.Unmarshal([]byte(out), &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestVerify searches a file of 34 MB in which a second function, far from its place, covers the
// innermost frame. A scan finds that one, and with --verify the report says so.
func TestVerify(t *testing.T) {
	const example = "../../web/example/"
	plain := walk(t, "--symbols", example, example+"crash.dmp")
	frame := plain.CrashingThread.Frames[0]
	data, err := os.ReadFile(example + "desk.sym")
	if err != nil {
		t.Fatal(err)
	}
	var offset uint64
	fmt.Sscanf(frame.Offset, "0x%x", &offset)
	store := t.TempDir()
	if err := os.WriteFile(filepath.Join(store, "desk.sym"), withFarAway(data, offset-1), 0o644); err != nil {
		t.Fatal(err)
	}
	searched := walk(t, "--thread", "crashing", "--symbols", store, example+"crash.dmp")
	if len(searched.Notes) != len(plain.Notes) {
		t.Errorf("without --verify the notes are %+v", searched.Notes)
	}
	verified := walk(t, "--verify", "--thread", "crashing", "--symbols", store, example+"crash.dmp")
	if got := verified.CrashingThread.Frames[0].Function; got != "far_away" || frame.Function == got {
		t.Errorf("frame 0 is %s, and was %s", got, frame.Function)
	}
	if n := len(plain.Notes); len(verified.Notes) != n+1 || !strings.Contains(verified.Notes[n].Text, "a scan of the file finds") || !strings.HasSuffix(verified.Notes[n].Where, "desk.sym") {
		t.Errorf("notes %+v", verified.Notes)
	}
}

// withFarAway enlarges symbols to 34 MB with made-up functions. One is at an address of the program.
func withFarAway(symbols []byte, rel uint64) []byte {
	at := bytes.Index(symbols, []byte("\nSTACK ")) + 1
	text := bytes.NewBuffer(symbols[:at:at])
	const far, count = 1 << 30, 300_000
	for n := range count {
		start := far + 0x100*n
		fmt.Fprintf(text, "FUNC %x 100 0 padding_%d\nINLINE 0 1 0 0 %x 8\n%x 80 1 0\n%x 80 2 0\n", start, n, start, start, start+0x80)
		if n == count/3 {
			fmt.Fprintf(text, "FUNC %x 2 0 far_away\n", rel)
		}
	}
	text.Write(symbols[at:])
	for n := range count / 3 {
		fmt.Fprintf(text, "STACK CFI INIT %x 100 .cfa: $rsp 8 + .ra: .cfa -8 + ^\n", far+0x100*n)
	}
	return text.Bytes()
}
