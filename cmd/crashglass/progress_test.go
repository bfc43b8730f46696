package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// Progress is for terminals: a buffer, a file or a pipe gets none.
func TestProgressOnlyOnTerminals(t *testing.T) {
	var b bytes.Buffer
	p := newProgress(&b)
	p.started = time.Now().Add(-time.Hour)
	if err := p.show("x.sym", 1, 2); err != nil || b.Len() > 0 {
		t.Errorf("%q was written, error %v", b.String(), err)
	}
}

// Short work shows nothing, long work its share, and the line goes away when
// the work is done.
func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := &progress{w: &b}
	show := func(done, total int64) string {
		b.Reset()
		if err := p.show("a\x1b.sym", done, total); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := show(0, 100); got != "" {
		t.Errorf("at once: %q", got)
	}
	p.started = p.started.Add(-2 * progressDelay)
	if got, want := show(43, 100), "\r\x1b[KReading a\\x1b.sym, 43 %"; got != want {
		t.Errorf("later: %q, want %q", got, want)
	}
	if got := show(44, 100); got != "" {
		t.Errorf("right after: %q", got)
	}
	if got, want := show(100, 100), "\r\x1b[K"; got != want {
		t.Errorf("at the end: %q, want %q", got, want)
	}
	if got := share(5<<20, 0); !strings.Contains(got, "5 MiB") {
		t.Errorf("of an unknown total: %q", got)
	}
}
