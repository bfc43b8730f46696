package main

import (
	"testing"

	"crashglass/core/testkit/corefile"
)

// The page opens a core as it opens a minidump: by pages of the file.
func TestCore(t *testing.T) {
	v := newViewer()
	got := add(t, v, OpenRequest{}, file("core.1234", corefile.AMD64(t)))
	if len(got.Opened) != 1 || got.Opened[0].Report.Dump.Kind != "ELF core" {
		t.Fatalf("opened %+v, files %+v", got.Opened, got.Files)
	}
	if n := len(got.Opened[0].Report.Threads); n != 2 {
		t.Errorf("%d threads, want 2", n)
	}
}
