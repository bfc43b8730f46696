// Package analyze makes a report of a dump. It is the only package that uses all others: it reads
// the process, walks and names every thread's stack, finds the cause of the crash, and puts
// everything into one [report.Report].
//
//	s, err := analyze.Open(src)
//	if err != nil {
//		return err // not a dump
//	}
//	r, err := s.Report(nil, analyze.Options{}) // at once, without symbols
//	r, err = s.Report(symbols, analyze.Options{}) // again, when there are some
//
// A damaged or missing part of a dump costs only its own part of the report, and becomes a note
// with the file's offset. Open fails only when a file is no dump at all, and Report only when it is
// cancelled. A report never depends on the order in which symbols arrived, only on the symbols that
// are there.
//
// Nothing here reads files, knows a symbol format or formats text for people:
// dumps come in as a bin.Source, symbols behind [Symbols], and package render
// writes the report.
//
// Read this file first, then session.go, which prepares the process, and walk.go, which makes one
// report: frames.go, stated.go and lookup.go name frames, generated.go has the unwind rules of code made at run time, registered.go its object files,
// image.go fills memory from libraries, crash.go and
// crashinfo.go describe the crash, waits.go finds what threads wait for, variables.go reads values,
// wanted.go lists missing symbols, locks.go names locks, origin.go follows a bad pointer, tasks.go lists the
// tasks of runtimes. facts.go has the facts that need no symbols. queries.go,
// find.go, values.go and listing.go answer the page's queries. stage.go, notes.go and budget.go
// bound what a part may cost.
package analyze

import (
	"errors"

	"crashglass/core/cause/crash"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/runtimes"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/values/natvis"
	"crashglass/core/values/variables"
)

// A Source is the symbols of one module: names, unwind rules, code, variables. What they lack they
// answer with nothing. It is an alias, so that a
// package which cannot import this one can have a method that is [Symbols.For].
type Source = interface {
	symbolize.Source
	symbolize.Image
	symbolize.Layout
	symbolize.Search
	unwind.Rules
	Variables() variables.Symbols
}

// Symbols finds the symbols of modules.
type Symbols interface {
	// For returns what is known of a module: a Source, or nil when nothing can be used, and the
	// state of its symbols. A mismatched Source (state "wrong_build") is one that the user forced:
	// it names frames, but its unwind rules are not used. For is called once for each module and
	// report.
	For(*module.Module) (Source, report.Symbols)
}

// Which selects the threads to walk.
type Which struct {
	kind  whichKind
	index int
}

// A whichKind is the kind of a selection. Its zero value selects all threads, so that the zero
// Options walk everything.
type whichKind uint8

const (
	allThreads whichKind = iota
	crashingThread
	oneThread
)

// All walks every thread; it is the zero Which.
func All() Which { return Which{} }

// Crashing walks the thread that crashed or requested the dump, or the first one if neither is
// known.
func Crashing() Which { return Which{kind: crashingThread} }

// One walks the thread with that index.
func One(index int) Which { return Which{kind: oneThread, index: index} }

// Options select the parts of a report. The zero value is everything but evidence.
type Options struct {
	Threads Which
	Frames  int  // the most frames of a stack; 0 means unwind.MaxFrames
	Explain bool // record how each frame was found

	// Retrace, if any, returns the calls that a frame of Java with shortened names is, the innermost first, or nil.
	Retrace func(function string, line uint32) []symbolize.Inline

	// Generated, if any, names code that the process with that number made at run time.
	Generated func(pid uint32, addr uint64) (symbolize.Location, bool)

	// Variables, if any, reads the variables of a frame: variables.Read. Programs
	// that do not set it do not link its readers.
	Variables func(*variables.Context, variables.Limits) []variables.Values

	// Globals, if any, reads variables of a module that are outside of functions:
	// variables.Named. The frame is of no function.
	Globals func(*variables.Context) []*variables.Value

	// Compare, if any, compares captured code with the modules' files: CompareCode.
	Compare func(*analysis, *report.Report) ([]report.CodeChange, crash.CodeFinder)

	// Runtimes are the languages whose tasks and calls are listed in addition to Go's. Programs that do not set them do not
	// link their readers.
	Runtimes []runtimes.Runtime

	// Views, if any, define how values of types are shown.
	Views *natvis.Set

	// Lists is variables.CustomLists() if the views may have CustomListItems.
	Lists variables.Lists

	// Code, if any, are files whose code fills the gaps of the dump, in place of those of the symbols.
	Code Symbols

	// Walked is called for each read of a walk, with its use. A size of 0 is a word of the CPU.
	Walked func(addr uint64, size int, use report.ReadUse)

	// Read is called for each number in the dump's memory that the rest of the report is made of,
	// before it is read.
	Read func(addr uint64, size int)

	// Progress is called before each stack is walked, with how many are done: first those of threads, then those of tasks.
	Progress func(done, total int)

	// Cancelled is called between threads; Report returns ErrCancelled when it
	// says so.
	Cancelled func() bool
}

// ErrCancelled is returned by Report when Options.Cancelled said so.
var ErrCancelled = errors.New("analyze: cancelled")
