package symbols

import (
	"crashglass/core/bin"
	"crashglass/symbols/breakpad"
)

// A Cache keeps indexes of symbol files from one run to the next. Keys are 64
// hex digits. It may lose, damage or mix up what it keeps: an index that is not
// whole, or not of the file, costs a scan and never a wrong answer. It must not
// call the Store, which may call it from several goroutines.
type Cache interface {
	// Get returns what was put under a key, or nil.
	Get(key string) []byte

	// Put keeps data under a key, or does not.
	Put(key string, data []byte)
}

// leastCached is the size of the smallest file whose index is worth keeping:
// below it a scan takes no longer than to find out.
const leastCached = 4 << 20

// useCache completes the options to open a file with what a cache has of it.
func useCache(c Cache, src bin.Source, opt *breakpad.Options) {
	if c == nil || src.Size() < leastCached {
		return
	}
	key, err := breakpad.Key(src)
	if err != nil {
		return // opening it will say the same
	}
	opt.Index = c.Get(key)
	opt.Scanned = func(index []byte) { c.Put(key, index) }
}
