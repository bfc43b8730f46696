package waits

import (
	"strings"

	"crashglass/core/funcname"
)

// depth is how many innermost frames are looked at: a wait passes through a few
// wrappers of libraries.
const depth = 16

// named refines the wait by the functions that the thread is in. Of those that
// say most, the innermost counts: a condition variable's function that takes its
// mutex again waits for the mutex.
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

// callers are waits of functions that run code of others, too. They are the wait
// where every frame within says that it waits.
var callers = map[Kind]bool{Once: true, Worker: true}

// proves reports whether a frame's functions prove a wait by their names alone. A
// program may have functions of its own that are called like system calls, but
// not with two underscores in front, which C reserves for its libraries.
func (l *look) proves(t *told) bool {
	own := t.library == "" && !l.Frames[t.frame].System && !strings.HasPrefix(t.function, "__")
	return t.rank > rankCall || t.rank == rankCall && !own
}

// told is what a frame's functions say.
type told struct {
	meaning
	function string
	frame    int
}

// told is what a frame says most, which is nothing where the system call says more.
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

// passes reports whether a frame says only that the thread is in the kernel.
func (l *look) passes(i int) bool {
	for _, name := range l.Frames[i].Functions {
		if !passages[funcname.C(name)] {
			return false
		}
	}
	return len(l.Frames[i].Functions) > 0
}

// fits reports whether a function can say more of the wait than is known. A
// proved system call decides, but for futexes, which all locks are made of.
func (l *look) fits(m meaning) bool {
	return l.wait.Kind == "" || l.wait.Kind == Futex && m.rank > rankCall
}

// inLibrary reports whether the frame is a part of how the thread waits: of the
// system, or of the module that waits.
func (l *look) inLibrary(i int) bool {
	f := &l.Frames[i]
	return f.System || f.Module == l.Frames[0].Module
}

// library tells the library by its functions, or by the module of a frame.
func (l *look) library(named Library, frame int) {
	switch {
	case l.wait.Library != "":
	case named != "":
		l.wait.Library = named
	case len(l.Frames) > 0:
		l.wait.Library = libraryOf(l.Frames[frame].Module, l.OS)
	}
}

// libraryOf is the C library with a module's name. Sources: glibc's
// shlib-versions and the names of its files before 2.34, musl's Makefile.
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
