package main

import (
	"bytes"
	"io"
	"os"
)

// A holeWriter writes a new file and leaves holes for its pages of zeros: a core
// is as large as its process, and so is the minidump of all its memory. Most of
// both was never touched.
type holeWriter struct {
	file *os.File
	end  int64 // of what was written, with its last hole
}

// holePage is the size of a block of most file systems.
const holePage = 4 << 10

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

// untilHole is how many bytes come before the first page of zeros, counted in
// pages from the beginning of p.
func untilHole(p []byte) (n int) {
	for len(p)-n >= holePage && !bytes.Equal(p[n:n+holePage], zeroPage[:]) {
		n += holePage
	}
	if len(p)-n < holePage {
		return len(p)
	}
	return n
}

// Close gives the file its size, which a hole at its end does not.
func (h *holeWriter) Close() error {
	err := h.file.Truncate(h.end)
	if closed := h.file.Close(); err == nil {
		err = closed
	}
	return err
}

var _ io.WriteCloser = &holeWriter{}
