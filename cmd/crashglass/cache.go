package main

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"crashglass/core/base/bin"
	"crashglass/symbols/formats"
)

// cacheLimit bounds the size of the cache. The indexes of 6 GB of symbol files fit.
const cacheLimit = 256 << 20

// unfinished is the suffix of a file that is being written. A file with it that is older than
// staleAfter was left by a run that was killed.
const (
	unfinished = ".part"
	staleAfter = time.Hour
)

// A diskCache keeps indexes in a folder, one file each, and evicts the least recently used. Several
// runs may share the folder: a file appears complete, by a rename, and a file that vanishes or is
// damaged counts as a miss.
type diskCache struct {
	dir   string
	limit int64            // bytes of all files together
	warn  func(why string) // called once
}

var _ formats.Cache = (*diskCache)(nil)

// openCache opens the user's cache and creates its folder if necessary. Only the user may read it: an
// index has the addresses and sizes of a program's functions, and shows which builds the user opened.
func openCache(warn func(path, why string)) (*diskCache, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir = filepath.Join(dir, "crashglass")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	c := &diskCache{dir: dir, limit: cacheLimit}
	c.warn = func(why string) {
		c.warn = func(string) {}
		warn(dir, why)
	}
	return c, nil
}

// Get implements formats.Cache. Reading counts as use: it sets the file's time, by which evict sorts.
// A file that is larger than the whole cache was not written by this program, and counts as a miss.
func (c *diskCache) Get(_, key string) (bin.Source, error) {
	path := filepath.Join(c.dir, key)
	info, err := os.Stat(path)
	if err != nil || info.Size() > c.limit {
		return bin.Source{}, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		c.failed(err)
		return bin.Source{}, nil
	}
	now := time.Now()
	c.failed(os.Chtimes(path, now, now))
	return bin.NewSource(bytes.NewReader(data), int64(len(data))), nil
}

// Put implements formats.Cache. An index that is larger than the whole cache is not kept.
func (c *diskCache) Put(key string, index func() []byte) {
	data := index()
	if int64(len(data)) > c.limit {
		return
	}
	c.failed(c.write(key, data))
	c.failed(c.evict())
}

// write writes a file under a temporary name and renames it when it is complete. It is synced before,
// because some file systems keep the new name but not the bytes after a power failure.
func (c *diskCache) write(key string, data []byte) error {
	f, err := os.CreateTemp(c.dir, key+".*"+unfinished)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(c.dir, key))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// evict removes the least recently used files above cacheLimit, and stale unfinished ones. Files with
// one time are removed in the order of their names, so that two runs agree.
func (c *diskCache) evict() error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	var kept []fs.FileInfo
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil || !info.Mode().IsRegular(): // it has vanished, or belongs to another program
		case strings.HasSuffix(e.Name(), unfinished):
			if time.Since(info.ModTime()) > staleAfter {
				os.Remove(filepath.Join(c.dir, e.Name()))
			}
		default:
			kept = append(kept, info)
			total += info.Size()
		}
	}
	slices.SortFunc(kept, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, info := range kept {
		if total <= c.limit {
			break
		}
		if err := os.Remove(filepath.Join(c.dir, info.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		total -= info.Size()
	}
	return nil
}

// failed reports once why the cache cannot be used. A missing file is no failure: another run may
// have evicted it.
func (c *diskCache) failed(err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.warn(cause(err).Error())
	}
}
