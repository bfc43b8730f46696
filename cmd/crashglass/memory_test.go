package main

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// TestMemoryEndsInASentence has a limit that the program exceeds from the start.
func TestMemoryEndsInASentence(t *testing.T) {
	was := debug.SetMemoryLimit(1 << 20)
	defer debug.SetMemoryLimit(was)
	var errs bytes.Buffer
	status := make(chan int)
	stop := limitMemory(&errs, func(s int) { status <- s; select {} })
	defer stop()
	select {
	case s := <-status:
		if s != exitInput || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), "more than 2 MiB of memory") {
			t.Errorf("status %d, %q", s, errs.String())
		}
	case <-time.After(10 * time.Second):
		t.Fatal("nothing happened")
	}
}

// TestCollectLate has the usual collector back after the first collection.
func TestCollectLate(t *testing.T) {
	t.Setenv("GOGC", "")
	was := debug.SetGCPercent(77)
	defer debug.SetGCPercent(was)
	percent := func() int {
		now := debug.SetGCPercent(-1)
		debug.SetGCPercent(now)
		return now
	}
	collectLate()
	if now := percent(); now != lateCollection {
		t.Errorf("before: %d", now)
	}
	for range 1000 {
		if runtime.GC(); percent() == 77 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("after: %d, want 77", percent())
}

// A small heap doubles. A large heap grows by less, so that the program does not take twice the memory
// that a report needs.
func TestGrowth(t *testing.T) {
	for _, test := range []struct {
		heap uint64
		want int
	}{
		{0, 100}, {1 << 20, 100}, {128 << 20, 100}, {256 << 20, 50}, {512 << 20, 25}, {8 << 30, 25},
	} {
		if got := growth(test.heap, 100); got != test.want {
			t.Errorf("%d MiB may grow by %d percent, want %d", test.heap>>20, got, test.want)
		}
	}
	if got := growth(8<<30, 10); got != 10 {
		t.Errorf("GOGC of 10 became %d", got)
	}
}
