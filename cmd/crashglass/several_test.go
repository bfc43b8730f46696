package main

import (
	"io"
	"strings"
	"testing"

	"crashglass/core/report/render"
)

// Reports of one file are written completely, up to a limit for their total size.
func TestSeveral(t *testing.T) {
	var out counted
	all := several{out: &out}
	long := strings.Repeat("x", render.MaxOutput/3)
	written := 0
	for range 5 {
		if err := all.write(func(w io.Writer) error { _, err := io.WriteString(w, long); return err }); err != nil {
			break
		}
		written++
	}
	if written != 3 || int(out) != 3*len(long) {
		t.Errorf("%d reports, %d bytes", written, out)
	}
}
