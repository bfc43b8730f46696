package main

import (
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// TestStreamListedOften has a text that is listed a thousand times, and another text last: only the
// last one is read, once.
func TestStreamListedOften(t *testing.T) {
	d := dump.New().Stream(uint32(minidump.CommentAStream), asm.At(0).Text(strings.Repeat("never shown ", 1000)))
	for range 1000 {
		d.Entry(uint32(minidump.CommentAStream), 12000, 32)
	}
	d.Stream(uint32(minidump.CommentAStream), asm.At(0).Text("the last one"))
	out, errs, status := crashglass("dump", file(t, t.TempDir(), "often.dmp", d.Build(t)))
	if status != exitOK || errs != "" {
		t.Fatalf("%d %s", status, errs)
	}
	if n := strings.Count(out, "not read, stream 1001 has the same type"); n != 1001 {
		t.Errorf("%d entries are not read, want 1001", n)
	}
	if _, last, ok := strings.Cut(out, "\nStream 1001: "); !ok || !strings.Contains(last, "the last one") || strings.Contains(out, "never shown") {
		t.Errorf("%.300s\n...\n%s", out, last)
	}
}

// TestStreamsShareBytes has thousands of streams of unknown kinds with the same bytes. The output
// shows not many more bytes than the file has.
func TestStreamsShareBytes(t *testing.T) {
	const kinds = 5000
	d := dump.New().Stream(0x70_0000, asm.At(0).Zeros(1<<16))
	for n := range uint32(kinds) {
		d.Entry(0x70_0001+n, 4096, 1<<16)
	}
	data := d.Build(t)
	out, errs, status := crashglass("dump", file(t, t.TempDir(), "shared.dmp", data))
	if status != exitOK || errs != "" {
		t.Fatalf("%d %s", status, errs)
	}
	if shown := 16 * strings.Count(out, "|................|"); shown > leastBytes+2*len(data) || shown < leastBytes {
		t.Errorf("%d bytes are shown of %d", shown, len(data))
	}
	if n := strings.Count(out, "\nStream "); n != kinds+1 {
		t.Errorf("%d streams", n)
	}
}
