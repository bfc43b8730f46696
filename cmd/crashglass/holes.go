package main

import (
	"bytes"
	"io"
	"os"
)

// A holeWriter writes a new file and leaves holes for pages of zeros. A core is as large as its
// process, and so is a minidump with all memory, but the process never touched most of that memory.
type holeWriter struct {
	file *os.File // empty at the beginning
	end  int64    // bytes written, including the last hole
}

// holePage is the size of a block of most file systems: a smaller hole saves nothing.
const holePage = 4 << 10

// zeroPage is compared with each page that is written.
var zeroPage [holePage]byte

// Write implements io.Writer.
func (h *holeWriter) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		run := untilHole(p[n:])
		if run > 0 {
			_, err = h.file.WriteAt(p[n:n+run], h.end)
		} else {
			run = holePage
		}
		n, h.end = n+run, h.end+int64(run)
	}
	return n, err
}

// untilHole counts the bytes before the first page of zeros. Pages are counted from the beginning
// of p.
func untilHole(p []byte) (n int) {
	for len(p)-n >= holePage && !bytes.Equal(p[n:n+holePage], zeroPage[:]) {
		n += holePage
	}
	if len(p)-n < holePage {
		return len(p)
	}
	return n
}

// Close sets the file's size, because a hole at the end does not extend it.
func (h *holeWriter) Close() error {
	err := h.file.Truncate(h.end)
	if closed := h.file.Close(); err == nil {
		err = closed
	}
	return err
}

var _ io.WriteCloser = &holeWriter{}
