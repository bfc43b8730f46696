package main

import (
	"slices"

	"crashglass/core/base/bin"
	"crashglass/symbols"
	"crashglass/symbols/formats"
	"crashglass/symbols/formats/breakpad"
	"crashglass/wasm/internal/bridge"
)

// indexes is the Store's cache. The page keeps indexes, and other workers make them; this worker
// can only answer that one is missing. Members of archives have no kept indexes: unpacking takes
// ten times as long as the scan, and only this worker can do it.
type indexes struct {
	files    map[string]inputFile
	count    int                      // of files
	received map[string]receivedIndex // by keys
	workers  int

	wanted []Scan
	stale  []string
	large  map[string]bool // keys of searched files whose scan would need too much memory in this worker
	made   []madeIndex     // by scans of this worker
}

// A madeIndex is an index that the page may keep for the next worker.
type madeIndex struct {
	key  string
	data []byte
}

// A receivedIndex is an index that the page brought, and the name of the file that it is of. Without
// bytes it has to be made here.
type receivedIndex struct {
	src  bin.Source
	file bridge.File
	of   string
}

// An inputFile is a file that the page can give to other workers, too.
type inputFile struct {
	number int
	src    bin.Source
	twice  bool // another file has the same path
}

var _ formats.Cache = (*indexes)(nil)

// add numbers a file.
func (x *indexes) add(path string, src bin.Source) {
	_, twice := x.files[path]
	x.files[path] = inputFile{x.count, src, twice}
	x.count++
}

// closed forgets a file, but not that its name is of several.
func (x *indexes) closed(path string) {
	if x.files[path].twice {
		x.files[path] = inputFile{twice: true}
	} else {
		delete(x.files, path)
	}
}

// index takes a requested index, or nothing if there is none.
func (c *call) index(q *IndexRequest) (empty, error) {
	c.indexes.received[q.Key] = receivedIndex{}
	if len(c.files) > 0 {
		c.indexes.received[q.Key] = receivedIndex{src: sourceOf(c.files[0]), file: c.files[0]}
	}
	return empty{}, nil
}

// unload releases the indexes of files that are no longer used. The page brings them again.
func (x *indexes) unload(names []string) {
	for key, index := range x.received {
		if slices.Contains(names, index.of) {
			if index.file.Pages != nil {
				index.file.Close()
			}
			delete(x.received, key)
		}
	}
}

// begin begins a request; workers is how many other workers may scan.
func (x *indexes) begin(workers int) {
	x.workers, x.wanted, x.stale = workers, []Scan{}, []string{}
}

// end returns the indexes that were missing since begin, and the keys of those that proved wrong.
func (x *indexes) end() (wanted []Scan, stale []string) {
	x.workers = 0
	return x.wanted, x.stale
}

// Get implements formats.Cache.
func (x *indexes) Get(name, key string) (bin.Source, error) {
	file, ok := x.files[name]
	x.large[key] = ok && file.src.Size() >= symbols.LeastSearched
	if index, ok := x.received[key]; ok {
		index.of = name
		x.received[key] = index
		return index.src, nil
	}
	if !ok || file.twice || x.workers == 0 {
		return bin.Source{}, nil
	}
	for _, scan := range x.wanted {
		if scan.Key == key {
			return bin.Source{}, formats.ErrPending
		}
	}
	cuts, err := breakpad.Cut(file.src, breakpad.PartsFor(file.src.Size(), x.workers))
	if err != nil {
		return bin.Source{}, nil // opening it gives the same error
	}
	x.wanted = append(x.wanted, Scan{Key: key, Name: name, File: file.number, Size: file.src.Size(), Cuts: cuts})
	return bin.Source{}, formats.ErrPending
}

// Put implements formats.Cache. It is called after this worker had to scan a file itself, because
// its index was missing or wrong.
func (x *indexes) Put(key string, index func() []byte) {
	if x.large[key] {
		x.made = append(x.made, madeIndex{key, index()})
	}
	if index := x.received[key]; index.src.Size() > 0 {
		x.stale = append(x.stale, key)
		index.src = bin.Source{}
		x.received[key] = index
	}
}

// scanned returns the next index of a large file that this worker scanned itself, and forgets it.
func (c *call) scanned(*ScannedRequest) (*ScannedResult, error) {
	x := c.indexes
	if len(x.made) == 0 {
		return &ScannedResult{}, nil
	}
	next := x.made[0]
	x.made, c.attached = x.made[1:], next.data
	return &ScannedResult{next.key}, nil
}
