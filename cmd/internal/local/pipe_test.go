//go:build unix

package local

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe without a writer is refused at once, also when it takes the place of a file after the first check.
func TestPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	within(t, "Open", func() {
		if file, err := This().Open(pipe); err == nil {
			file.Close()
			t.Error("a pipe was opened")
		}
	})
	within(t, "open", func() {
		if file, err := (wholeMachine{}).open(pipe); err == nil {
			file.Close()
		}
	})
}
