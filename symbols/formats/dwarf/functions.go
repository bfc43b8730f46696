package dwarf

import (
	"sync"
	"sync/atomic"

	"crashglass/core/base/recent"
	"crashglass/core/stack/symbolize"
)

// functions has the units of a file, and finds functions in them by address.
type functions struct {
	mu    sync.Mutex // guards all of it, apart from the atomic values
	x     *index
	split map[uint64]*unit // by the IDs of their skeletons
	types map[uint64]*unit // by signature; nil until they are read

	waits bool                   // reading all headers may have to wait
	begun bool                   // it is decided whether the file is searched
	asked atomic.Pointer[asking] // nil when it is not, or no longer

	unanswered, differ int // open queries, and answers that the index contradicts
	namer              namer
	cache              recent.Cache[uint64, *parsed] // by the offset of the unit of the program: joined units are made anew
	last               *parsed                       // the unit that was read last
	exact              map[int32][]span              // the functions of units that were read for them

	covered atomic.Pointer[[]symbolize.Range] // of functions, when all were listed
}

// index returns the index of all units, which it reads if need be.
func (f *File) index() (*index, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.readIndex()
}

// find answers a query about an address. It may call the query twice: see certainly.
func find[T any](f *File, query func() (T, bool)) (T, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return certainly(f, query)
}
