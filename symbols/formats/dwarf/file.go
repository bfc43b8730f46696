// Package dwarf reads the DWARF debug information of versions 2 to 5: which
// function is at an address, on which line, and which calls were inlined there.
//
//	f := dwarf.Open(dwarf.Sections{"info": info, "abbrev": abbrev, "line": line, "str": str}, dwarf.Options{})
//	loc, ok := f.Locate(rel)
//
// The first query reads the headers of all units. After that a unit is read when an address in
// it is looked up. A bounded cache keeps units; EachFunction reads the file unit by unit.
//
// Damage costs only the damaged part and causes a note: a broken entry ends its unit, but the
// functions before it stay; a broken line program loses the lines after the defect. Behind a hole
// of zeros, or a length that is wrong, the next unit is searched for. Circular references, ranges at
// 0, -1 and -2 (code that the linker dropped), and line numbers of 0 are expected.
//
// A name is the mangled linkage name, if DWARF or the linker's tables have it, and otherwise
// DW_AT_name without enclosing scopes. Mozilla's dump_syms writes the same into .sym files.
//
// Variables are read separately, entry by entry ([File.Scopes]): their types, including type units,
// their locations, and the arguments of calls. Such a unit is kept as a whole; the amount of
// reading is bounded.
//
// It does not read macros or .debug_names. .debug_aranges is only a hint which unit to try first,
// because not all compilers write it. Package cfi reads call frame information. The readers of
// containers (ELF, Mach-O, PE) find and decompress the sections, and pass them in.
//
// Read file.go first, which lists the concerns of a File and the order of their locks, then group.go,
// unit.go and abbrev.go, which read the structure of .debug_info, and form.go and die.go, which read entries. index.go finds the units of an address, code.go and parsed.go
// their functions, program.go and line.go their lines, and locate.go joins them. nextunit.go finds
// units behind damage, and resync.go entries. scopes.go begins with variables, types.go with types,
// expr.go with locations; work.go bounds the work.
//
// Specification: https://dwarfstd.org/doc/DWARF5.pdf, with sections named in
// the code; GNU's extensions: https://gcc.gnu.org/wiki/DebugFission and
// https://sourceware.org/dwz.
package dwarf

import (
	"fmt"
	"sync"
	"sync/atomic"

	"crashglass/core/base/bin"
	"crashglass/core/base/recent"
	"crashglass/core/stack/symbolize"
	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

// Options are the options of Open.
type Options struct {
	BigEndian bool

	// Base is the address of the module's first byte in DWARF. Addresses in queries and answers
	// are relative to it.
	Base uint64

	// Linkage, if any, returns the name that the linker has for the function that begins at rel, ""
	// when it has none. name is what DWARF says; it may be one of several. The linker's table has
	// names that DWARF lacks: those of local functions, and of parts of one ("main.cold").
	Linkage func(rel uint64, name string) string

	// Waits says that reading the headers of all units, which a query needs, may have to wait.
	Waits bool

	// BeforeRead, if any, is called before and while the headers of all units of a file that waits are
	// read, with the progress. If it returns an error, the query stays unanswered, and the next
	// one continues there.
	BeforeRead func(done int64) error

	// Progress is called now and then while much is read. The error that it
	// returns, if any, ends the reading; EachFunction returns it.
	Progress func(done, total int64) error
}

// A File is debug information. It may be used from several goroutines at once.
//
// Each concern guards its state by a lock of its own. Locks are taken in this order, never two of
// one line: that of statics; those of functions and entries; those of tables and of caches.
type File struct {
	opt    Options
	main   *group
	parts  []*group // with split units
	limits limits
	notes  bin.Notes

	functions // the units, and the functions in them by address
	entries   entries
	made      recent.Shared[typeKey, *types.Type]
	statics   statics
	scopes    recent.Shared[uint64, []variables.Scope]
	missing   atomic.Pointer[Missing]
}

// Open takes the sections of a program or of a file with its debug
// information. It reads none of them.
func Open(sections Sections, opt Options) *File {
	f := &File{opt: opt, limits: limits{bin.NewBudget(leastWork), bin.NewBudget(leastCalls), bin.NewBudget(leastNames), bin.NewBudget(leastWork), bin.NewBudget(leastSteps)}}
	f.scopes.Limit, f.made.Limit, f.entries.nodes.Limit, f.cache.Limit = maxKnownScopes, maxTypes, maxNodes, maxCached
	f.main = f.newGroup(sections)
	return f
}

// Empty reports whether there are no units at all.
func (f *File) Empty() bool { return f.main.section("info").size() == 0 }

// note records damage. Each sentence is kept once.
func (f *File) note(format string, args ...any) { f.notes.Add(fmt.Sprintf(format, args...)) }

func (f *File) noteError(err error) {
	if err != nil {
		f.notes.Add(err.Error())
	}
}

// Notes lists the damage in the parts that were read.
func (f *File) Notes() []string {
	out, _ := f.notes.List()
	return out
}

// progress reports the progress of reading to the caller, whose error ends it.
func (f *File) progress(done, total int64) error {
	if f.opt.Progress == nil {
		return nil
	}
	return f.opt.Progress(done, total)
}

// functions has the units of a file, and finds functions in them by address.
type functions struct {
	mu    sync.Mutex // guards all of it, apart from the atomic values
	x     *index
	split map[uint64]*unit // by the IDs of their skeletons
	types map[uint64]*unit // by signature; nil until they are read

	waiting    bool // a query reads the headers of all units
	unanswered int  // queries that are open because the headers could not be read at the time

	namer namer
	cache recent.Cache[uint64, *parsed] // by the offset of the unit of the program: joined units are made anew
	last  *parsed                       // the unit that was read last
	exact map[int32][]span              // the functions of units that were read for them

	covered atomic.Pointer[[]symbolize.Range] // of functions, when all were listed
}

// index returns the index of all units, which it reads if need be.
func (f *File) index() (*index, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.readIndex()
}

// find answers a query about an address, unless the headers of the units have to wait.
func find[T any](f *File, query func() (T, bool)) (none T, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting = f.opt.Waits
	_, err := f.readIndex()
	if f.waiting = false; err != nil {
		if f.opt.Waits {
			f.unanswered++
		}
		return none, false
	}
	return query()
}

// passing is called while the headers of all units are read.
func (f *File) passing(done, total int64) error {
	if f.waiting && f.opt.BeforeRead != nil {
		if err := f.opt.BeforeRead(done); err != nil {
			return err
		}
	}
	return f.progress(done, total)
}

// Scan reads the headers of all units. No earlier answer changes: each was given after all headers were read.
func (f *File) Scan() (differ int, err error) {
	_, err = f.index()
	return 0, err
}

// Unanswered returns the number of queries that are open because the headers of all units could
// not be read at the time.
func (f *File) Unanswered() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unanswered
}
