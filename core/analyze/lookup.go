package analyze

import (
	"io"
	"sort"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/values/variables"
)

// A lookup gets each module's symbols once for a report, and records the modules whose symbols it got:
// those on a stack.
type lookup struct {
	syms   Symbols
	memory process.ByteReader                              // with images, nil for none
	walked func(addr uint64, size int, use report.ReadUse) // is passed what is read of images; may be nil
	known  map[*module.Module]*found

	generated generated
	objects   func(addr uint64) Object   // those that the program registered with debuggers
	goProgram func(*module.Module) Names // by Go's table in memory, nil for none
}

// A found is what a lookup knows about one module: its source, which is nil without symbols, and
// the state for the report.
type found struct {
	source Source
	state  report.Symbols
	before int // queries that other reports left open

	rules    unwind.Rules // the source, with a cache
	captured unwind.Rules // of the image in the dump's memory, nil for none
	own      Names        // those in captured, nil for none
	searched bool         // captured was looked for

	located map[uint64]location  // the recent answers
	statics []variables.Variable // outside of functions, once they are listed
}

type location struct {
	symbolize.Location
	ok bool
}

// maxLocated bounds the answers that are kept. It is for recursions: they have few addresses, which
// may have hundreds of inlined calls each.
const maxLocated = 256

// names are those of the source or, without one, those that the program itself has in memory, as far as rules found them; nil for none.
func (f *found) names() symbolize.Source {
	switch {
	case f.source != nil:
		return f.source
	case f.own != nil:
		return f.own
	}
	return nil
}

// locate is Locate of the names with a cache of recent answers. Without names there is no answer, although the image in the
// dump's memory may have unwind rules.
func (f *found) locate(rel uint64) (symbolize.Location, bool) {
	names := f.names()
	if names == nil {
		return symbolize.Location{}, false
	}
	if loc, ok := f.located[rel]; ok {
		return loc.Location, loc.ok
	}
	before := f.unanswered()
	loc, ok := names.Locate(rel)
	if f.unanswered() > before { // the answer is provisional, and a later one may differ
		return loc, ok
	}
	if f.located == nil || len(f.located) >= maxLocated { // empty it: cheaper than to track the oldest
		f.located = map[uint64]location{}
	}
	f.located[rel] = location{loc, ok}
	return loc, ok
}

// newLookup returns a lookup for one report. Nil symbols stand for none.
func newLookup(syms Symbols) *lookup {
	return &lookup{syms: syms, known: map[*module.Module]*found{}}
}

// of returns the symbols of a module. It gets them on the first call only, because that may
// open a file.
func (l *lookup) of(m *module.Module) *found {
	if f, ok := l.known[m]; ok {
		return f
	}
	f := &found{state: report.Symbols{State: report.SymbolsMissing}}
	if l.syms != nil {
		f.source, f.state = l.syms.For(m)
		f.before = f.unanswered()
	}
	l.known[m] = f
	return f
}

// now returns the present state of a module's symbols. It includes damage that was found after they
// were opened, because native files are read lazily.
func (l *lookup) now(m *module.Module) report.Symbols {
	f := l.known[m]
	if f.source == nil {
		return f.state
	}
	// a file that was replaced meanwhile has another state, which the frames do not have
	if _, now := l.syms.For(m); now.State == f.state.State {
		return now
	}
	return f.state
}

// An Imager is Symbols that read the unwind rules of an image in memory, whose first byte is at offset 0. It returns nil for other
// memory.
type Imager interface {
	Image(memory io.ReaderAt, size int64) unwind.Rules

	// FunctionTable is the same for code without an image, which has unwind entries. They are relative to the first byte of memory.
	FunctionTable(memory io.ReaderAt, arch *cpu.Arch, entries []byte) unwind.EntryRules

	// GoTable returns what Go's table of functions knows of the program at base, whose CPU is arch.
	GoTable(memory io.ReaderAt, size int64, base uint64, arch string) Names
}

// Names are the names of code, with unwind rules.
type Names = interface {
	symbolize.Source
	unwind.Rules
}

// An Object is the names and unwind rules of code.
type Object = interface {
	symbolize.Source
	unwind.Rules
	Base() uint64                          // the others are relative to it
	EachCode(each func(addr, size uint64)) // the memory of its code
}

// An Objector is Symbols that read object files in memory whose sections have addresses. It returns nil for other memory.
type Objector interface {
	Object(memory io.ReaderAt, size int64) Object
}

// matches reports whether there are symbols of the module's own build. Values are read with no others.
func (f *found) matches() bool {
	return f.source != nil && f.state.State != report.SymbolsWrongBuild
}

// rules returns the unwind rules. A nil Source must become a nil Rules, not a Rules that holds nil.
// Mismatched symbols name frames but give no rules, because theirs belong to other code. Without
// symbols, the image in the dump's memory may have rules.
func (l *lookup) rules(m *module.Module) unwind.Rules {
	f := l.of(m)
	if f.matches() {
		if f.rules == nil {
			f.rules = recall(f.source, f.source.Unanswered)
		}
		return f.rules
	}
	if images, ok := l.syms.(Imager); ok && l.memory != nil && !f.searched {
		f.searched = true
		if l.goProgram != nil {
			f.own = l.goProgram(m)
		}
		if f.own != nil {
			f.captured = recall(f.own, nil)
			return f.captured
		}
		f.captured = recall(images.Image(captured{l.memory, m.Base, l.walked}, int64(m.Size)), nil)
	}
	return f.captured
}

// captured is memory from an address on.
type captured struct {
	process.ByteReader
	base   uint64
	walked func(addr uint64, size int, use report.ReadUse) // is passed what is read; may be nil
}

// ReadAt implements io.ReaderAt.
func (c captured) ReadAt(p []byte, off int64) (int, error) {
	n := c.Read(c.base+uint64(off), p)
	if c.walked != nil && n > 0 {
		c.walked(c.base+uint64(off), n, "")
	}
	if n < len(p) {
		return n, io.ErrUnexpectedEOF
	}
	return n, nil
}

// unanswered counts the open queries of this report.
func (l *lookup) unanswered() (n int) {
	for _, f := range l.known {
		n += f.unanswered()
	}
	return n
}

// unanswered counts the queries about one module that this report made and the source has not
// answered.
func (f *found) unanswered() int {
	if f.source == nil {
		return 0
	}
	return f.source.Unanswered() - f.before
}

// answered truncates a stack before the first frame with an open query. It walks the
// stack again to find that frame: the queries for a frame do not depend on the number of frames
// that follow.
func (a *analysis) answered(input unwind.Input, stack *unwind.Stack, before int) (left bool) {
	if a.lookup.unanswered() == before {
		return false
	}
	n := sort.Search(len(stack.Frames), func(n int) bool {
		input.Frames = n + 1
		before := a.lookup.unanswered()
		unwind.Walk(input)
		return a.lookup.unanswered() > before
	})
	stack.Frames = stack.Frames[:min(max(n, 1), len(stack.Frames))]
	return true
}
