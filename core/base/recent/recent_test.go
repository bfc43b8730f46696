package recent

import (
	"sync"
	"testing"
)

// TestCache caches what was requested last.
func TestCache(t *testing.T) {
	c := Cache[int, string]{Limit: 10}
	c.Put(1, "one", 3)
	c.Put(2, "two", 3) // fills the first half
	c.Get(1)
	c.Put(3, "three", 3)
	if v, ok := c.Get(1); !ok || v != "one" {
		t.Errorf("1: %q", v)
	}
	if _, ok := c.Get(2); ok {
		t.Error("2 is still there")
	}
	c.Put(4, "huge", 1000)
	if v, ok := c.Get(4); !ok || v != "huge" {
		t.Errorf("4: %q", v)
	}
}

// A Cache without a limit keeps 4 MiB, half of them for certain.
func TestDefault(t *testing.T) {
	var c Cache[int, int]
	for i := range 100 {
		c.Put(i, i, DefaultLimit/100)
	}
	for i := range 100 {
		if v, ok := c.Get(i); i >= 50 && (!ok || v != i) {
			t.Fatalf("%d is gone", i)
		}
	}
	c.Put(100, 100, DefaultLimit)
	c.Put(101, 101, DefaultLimit)
	if _, ok := c.Get(99); ok {
		t.Error("99 is kept beside two values of the limit's size")
	}
}

// A Shared has the limit of its Cache, and may be used by several goroutines.
func TestShared(t *testing.T) {
	s := Shared[int, int]{Limit: 16}
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for i := range 100 {
				s.Put(100*worker+i, i, 1)
				if v, ok := s.Get(i); ok && v != i {
					t.Errorf("%d: %d", i, v)
				}
			}
		})
	}
	wait.Wait()
	kept := 0
	for i := range 400 {
		if _, ok := s.kept.young[i]; ok {
			kept++
		} else if _, ok := s.kept.old[i]; ok {
			kept++
		}
	}
	if kept == 0 || kept > 16 {
		t.Errorf("%d values are kept, want at most 16", kept)
	}
}
