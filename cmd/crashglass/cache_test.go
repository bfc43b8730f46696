package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func testCache(t *testing.T, limit int64) *diskCache {
	return &diskCache{dir: t.TempDir(), limit: limit, warn: func(why string) { t.Error(why) }}
}

// got returns the value of a key in a cache, or nil.
func got(c *diskCache, key string) []byte {
	src, err := c.Get("a file", key)
	if err != nil || src.Size() == 0 {
		return nil
	}
	data, err := src.Read("index", 0, uint64(src.Size()))
	if err != nil {
		return nil
	}
	return data
}

func put(c *diskCache, key string, data []byte) { c.Put(key, func() []byte { return data }) }

// inCache lists the names of the files in a cache.
func inCache(t *testing.T, c *diskCache) (names []string) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestDiskCache(t *testing.T) {
	c := testCache(t, 1000)
	if have := got(c, "a"); have != nil {
		t.Errorf("got %q of nothing", have)
	}
	put(c, "a", []byte("one"))
	put(c, "a", []byte("two"))
	if have := got(c, "a"); string(have) != "two" {
		t.Errorf("got %q", have)
	}
	put(c, "large", make([]byte, 1001))
	if got := strings.Join(inCache(t, c), " "); got != "a" {
		t.Errorf("in the cache: %s", got)
	}
}

// TestEviction uses one file repeatedly: others are evicted, it stays.
func TestEviction(t *testing.T) {
	c := testCache(t, 1000)
	age := time.Now().Add(-24 * time.Hour)
	for i := range 20 {
		name := fmt.Sprintf("%02d", i)
		put(c, name, make([]byte, 300))
		age = age.Add(time.Minute) // not every file system keeps fractions of seconds
		if err := os.Chtimes(filepath.Join(c.dir, name), age, age); err != nil {
			t.Fatal(err)
		}
		if i >= 1 && got(c, "00") == nil {
			t.Fatalf("00 is gone after %d more", i)
		}
	}
	if got, want := strings.Join(inCache(t, c), " "), "00 18 19"; got != want {
		t.Errorf("in the cache: %s, want %s", got, want)
	}
}

// TestUnfinished has files that a run left behind: they are never read, and removed when they are
// old.
func TestUnfinished(t *testing.T) {
	c := testCache(t, 1000)
	for name, age := range map[string]time.Duration{"a.1.part": 2 * time.Hour, "b.2.part": time.Minute} {
		path := file(t, c.dir, name, []byte("half"))
		then := time.Now().Add(-age)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
	if got(c, "a") != nil || got(c, "b") != nil {
		t.Error("half a file was read")
	}
	put(c, "c", []byte("whole"))
	if got, want := strings.Join(inCache(t, c), " "), "b.2.part c"; got != want {
		t.Errorf("in the cache: %s, want %s", got, want)
	}
}

// A cache that fails is reported once, and the run continues.
func TestCacheFails(t *testing.T) {
	dir := t.TempDir()
	var said []string
	c := &diskCache{dir: file(t, dir, "a file", nil), limit: 1000}
	c.warn = func(why string) { said = append(said, why); c.warn = func(string) {} }
	put(c, "a", []byte("x"))
	put(c, "b", []byte("x"))
	if got(c, "a") != nil || len(said) != 1 {
		t.Errorf("said %q", said)
	}
}

// TestWalkWithCache walks three times: without, to fill the cache, from it;
// and once more when everything in it is damaged.
func TestWalkWithCache(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	t.Setenv("HOME", dir) // macOS
	t.Setenv("LocalAppData", dir)
	dmp := file(t, dir, "small.dmp", smallDump(t))
	sym := file(t, dir, "app.sym", append([]byte(smallSym), bytes.Repeat([]byte("FUNC 9000 10 0 more\n"), 300_000)...))
	want, _, _ := crashglass("walk", "-symbols", sym, dmp)
	if !strings.Contains(want, "app!crash()") {
		t.Fatal(want)
	}
	base, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	c := &diskCache{dir: filepath.Join(base, "crashglass")}
	if _, err := os.Stat(c.dir); err == nil {
		t.Error("there is a cache without --cache")
	}
	for _, state := range []string{"empty", "filled", "damaged"} {
		got, errs, status := crashglass("walk", "-cache", "-symbols", sym, dmp)
		if got != want || errs != "" || status != exitOK {
			t.Errorf("%s: status %d, %s%s", state, status, errs, got)
		}
		names := inCache(t, c)
		if len(names) != 1 || len(names[0]) != 64 {
			t.Fatalf("%s: in the cache: %q", state, names)
		}
		path := filepath.Join(c.dir, names[0])
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)/2] ^= 1
		if state == "filled" {
			file(t, c.dir, names[0], data)
		}
	}
}
