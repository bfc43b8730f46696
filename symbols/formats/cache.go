package formats

import (
	"errors"

	"crashglass/core/base/bin"
	"crashglass/symbols/formats/breakpad"
)

// A Cache keeps indexes of symbol files from one run to the next. Keys are 64 hex digits. It may
// lose, damage or confuse them: an incomplete or wrong index costs a scan and never causes a wrong
// answer. It must not call its caller, and may be called from several goroutines.
type Cache interface {
	// Get returns the index of a key, or an empty source. name is the file's name in reports. With
	// [ErrLater] the file is not read now, as if its reading had been stopped.
	Get(name, key string) (index bin.Source, err error)

	// Put may keep the result of index under a key. It must not call index after it returns.
	Put(key string, index func() []byte)
}

// ErrLater is a Cache's error for a file whose index another worker is making: the lookup may be
// repeated when it is there.
var ErrLater = errors.New("its index is still being made")

// leastCached is the size of the smallest file whose index is worth keeping: below it a scan is as
// fast as the search for an index.
const leastCached = 4 << 20

// useCache adds the index that a cache has of a file to the options. A searched file uses the cache
// only when an answer is not certain.
func useCache(c Cache, name string, src bin.Source, opt *breakpad.Options) error {
	if c == nil || src.Size() < leastCached && !opt.Search {
		return nil
	}
	key, err := breakpad.Key(src)
	if err != nil {
		return nil // opening it gives the same error
	}
	get := func() (bin.Source, error) { return c.Get(name, key) }
	if opt.Search {
		opt.Late = get
	} else {
		opt.Index, err = get()
	}
	opt.Scanned = func(index func() []byte) { c.Put(key, index) }
	return err
}
