package dwarf

import (
	"fmt"
	"sync"
	"sync/atomic"

	"crashglass/core/bin"
	"crashglass/core/symbolize"
	"crashglass/core/variables"
)

// Options are the options of Open.
type Options struct {
	BigEndian bool

	// Base is the address of the module's first byte in DWARF. Addresses in questions and answers
	// are relative to it.
	Base uint64

	// Linkage, if any, returns the name that the linker has for the function that begins at rel, ""
	// when it has none. name is what DWARF says; it may be one of several. The linker's table has
	// names that DWARF lacks: those of local functions, and of parts of one ("main.cold").
	Linkage func(rel uint64, name string) string

	// Ask reads only the units that an address needs, as far as .debug_aranges names them.
	Ask bool

	// Later, if any, is called before and while the headers of all units of a searched file are
	// read, with the progress. If it returns an error, the question stays unanswered, and the next
	// one continues there.
	Later func(done int64) error

	// Progress is called now and then while much is read. The error that it
	// returns, if any, ends the reading; EachFunction returns it.
	Progress func(done, total int64) error
}

// A File is debug information. It may be used from several goroutines at once.
type File struct {
	opt   Options
	main  *group
	parts []*group         // with split units
	split map[uint64]*unit // by what ties them to their skeletons

	mu    sync.Mutex // guards what follows
	x     *index
	waits bool                   // reading all headers may have to wait
	begun bool                   // it is decided whether the file is searched
	asked atomic.Pointer[asking] // nil when it is not, or not any more

	unanswered, differ int // questions, and answers that turned out to be others
	namer              namer
	cache              unitCache
	nodes              nodes            // with a lock of its own
	exact              map[int32][]span // where functions are, of units that were read for it

	covered []symbolize.Range // where functions are, when all were listed

	once  sync.Mutex // guards fixed
	fixed statics

	work  *bin.Budget // what may still be read
	looks *bin.Budget // inlined calls that questions may still look at
	names *bin.Budget // bytes of long names that may still be made
	steps *bin.Budget // of expressions of variables that may still be evaluated

	scopes map[uint64][]variables.Scope // what was asked for last

	notes   bin.Notes
	missing atomic.Pointer[Missing]
}

// Open takes the sections of a program or of a file with its debug
// information. It reads none of them.
func Open(sections Sections, opt Options) *File {
	f := &File{opt: opt, work: bin.NewBudget(leastWork), looks: bin.NewBudget(leastLooks), names: bin.NewBudget(leastNames), steps: bin.NewBudget(leastSteps)}
	f.nodes.work = bin.NewBudget(leastWork)
	f.main = f.newGroup(sections)
	return f
}

// Empty reports whether there are no units at all.
func (f *File) Empty() bool { return f.main.section("info").size() == 0 }

// note takes down damage. Each sentence is kept once.
func (f *File) note(format string, args ...any) { f.notes.Add(fmt.Sprintf(format, args...)) }

// Notes lists the damage in the parts that were read.
func (f *File) Notes() []string {
	out, _ := f.notes.List()
	return out
}

// progress tells the caller how far reading is. An error ends it.
func (f *File) progress(done, total int64) error {
	if f.opt.Progress == nil {
		return nil
	}
	return f.opt.Progress(done, total)
}
