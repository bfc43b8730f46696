package waits

import (
	"strings"

	"crashglass/core/funcname"
)

// depth is the number of innermost frames that are examined: a wait passes through a few wrappers
// of libraries.
const depth = 16

// named refines the wait by the functions of the thread. Of the most specific ones the innermost
// counts: a condition variable's function that locks its mutex again waits for the mutex.
func (l *look) named() {
	blocked, entered, itself := l.wait.Kind != "", true, true
	var best told
	var lib Library
	for i := range min(len(l.Frames), depth) {
		t := l.told(i)
		blocked = blocked || entered && l.proves(&t) && !l.Stopped
		if t.rank > best.rank && (itself || !callers[t.kind]) {
			best = t
		}
		itself = itself && (t.rank > 0 || l.passes(i))
		if lib == "" {
			lib = t.library
		}
		entered = entered && l.passes(i)
		if !blocked && !entered || !l.inLibrary(i) {
			break
		}
	}
	if blocked && best.rank > 0 {
		l.wait.Kind, l.wait.Function = best.kind, best.function
		l.prove(Evidence{Kind: Function, Name: best.function, Frame: best.frame, Meaning: WaitsIn})
	}
	l.library(lib, best.frame)
}

// callers are waits in functions that also run other code. They count only if every frame inside
// them is a wait.
var callers = map[Kind]bool{Once: true, Worker: true}

// proves reports whether the names of a frame's functions alone prove a wait. A program's own
// functions may have names of system calls, but not with two leading underscores, which C reserves
// for its libraries.
func (l *look) proves(t *told) bool {
	own := t.library == "" && !l.Frames[t.frame].System && !strings.HasPrefix(t.function, "__")
	return t.rank > rankCall || t.rank == rankCall && !own
}

// told returns the meanings of a frame's functions.
type told struct {
	meaning
	function string
	frame    int
}

// told returns the most specific meaning of a frame, or nothing if the system call is more
// specific.
func (l *look) told(i int) (t told) {
	t.frame = i
	for _, name := range l.Frames[i].Functions {
		m := meanings[funcname.C(name)]
		if t.library == "" {
			t.library = m.library
		}
		if l.fits(m) && m.rank > t.rank {
			t.function, t.meaning = name, meaning{m.kind, m.rank, t.library}
		}
	}
	return t
}

// passes reports whether a frame shows only that the thread is in the kernel.
func (l *look) passes(i int) bool {
	for _, name := range l.Frames[i].Functions {
		if !passages[funcname.C(name)] {
			return false
		}
	}
	return len(l.Frames[i].Functions) > 0
}

// fits reports whether a function can refine the wait. A proved system call decides, except for
// futexes, which all locks use.
func (l *look) fits(m meaning) bool {
	return l.wait.Kind == "" || l.wait.Kind == Futex && m.rank > rankCall
}

// inLibrary reports whether the frame belongs to the waiting code: to the system, or to the module
// that waits.
func (l *look) inLibrary(i int) bool {
	f := &l.Frames[i]
	return f.System || f.Module == l.Frames[0].Module
}

// library identifies the library by its functions, or by the module of a frame.
func (l *look) library(named Library, frame int) {
	switch {
	case l.wait.Library != "":
	case named != "":
		l.wait.Library = named
	case len(l.Frames) > 0:
		l.wait.Library = libraryOf(l.Frames[frame].Module, l.OS)
	}
}

// libraryOf returns the C library with a module's name. Sources: glibc's shlib-versions and the
// names of its files before 2.34, musl's Makefile.
func libraryOf(module, os string) Library {
	switch {
	case strings.HasPrefix(module, "ld-musl-"), strings.HasPrefix(module, "libc.musl-"):
		return Musl
	case module == "libc.so.6", module == "libpthread.so.0", strings.HasPrefix(module, "libc-2."), strings.HasPrefix(module, "libpthread-2."):
		return Glibc
	case module == "libc.so" && os == "android":
		return Bionic
	}
	return ""
}
