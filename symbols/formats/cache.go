package formats

import (
	"errors"

	"crashglass/core/bin"
	"crashglass/symbols/breakpad"
)

// A Cache keeps indexes of symbol files from one run to the next. Keys are 64
// hex digits. It may lose, damage or mix up what it keeps: an index that is not
// whole, or not of the file, costs a scan and never a wrong answer. It must not
// call what asks it, and may be called from several goroutines.
type Cache interface {
	// Get returns what was put under a key, or an empty source. name is that of
	// the file, as reports have it. With [ErrLater] the file is not read now,
	// as if its reading had been stopped.
	Get(name, key string) (index bin.Source, err error)

	// Put keeps what index makes under a key, or does not. It must not call
	// index later.
	Put(key string, index func() []byte)
}

// ErrLater is what a Cache says of a file whose index somebody else is making:
// the file may be asked for again when it is there.
var ErrLater = errors.New("its index is still being made")

// leastCached is the size of the smallest file whose index is worth keeping:
// below it a scan takes no longer than to find out.
const leastCached = 4 << 20

// useCache completes the options to open a file with what a cache has of it. For
// a file that is asked the cache is asked when an answer is not certain.
func useCache(c Cache, name string, src bin.Source, opt *breakpad.Options) error {
	if c == nil || src.Size() < leastCached && !opt.Ask {
		return nil
	}
	key, err := breakpad.Key(src)
	if err != nil {
		return nil // opening it will say the same
	}
	get := func() (bin.Source, error) { return c.Get(name, key) }
	if opt.Ask {
		opt.Late = get
	} else {
		opt.Index, err = get()
	}
	opt.Scanned = func(index func() []byte) { c.Put(key, index) }
	return err
}
