package waits

import (
	"cmp"
	"slices"
	"strings"

	"crashglass/core/process"
	"crashglass/core/report"
	"crashglass/core/stack/funcname"
)

// depth is the number of innermost frames that are examined: a wait passes through a few wrappers
// of libraries.
const depth = 16

// named refines the wait by the functions of the thread. Of the most specific ones the innermost
// counts: a condition variable's function that locks its mutex again waits for the mutex.
func (x *examination) named() {
	blocked, entered, itself := x.wait.Kind != "", true, true
	var best purpose
	var lib Library
	for i := range min(len(x.Frames), depth) {
		t := x.purposeOf(i)
		blocked = blocked || entered && x.proves(&t) && !x.Stopped
		if t.rank > best.rank && (itself || !callers[t.kind]) && (t.rank < rankUse || best.kind == Park || best.kind == "") {
			best = t
		}
		itself = itself && (t.rank > 0 || x.passes(i))
		lib = cmp.Or(lib, t.library)
		entered = entered && x.passes(i)
		if !blocked && !entered || !x.inLibrary(i) {
			break
		}
	}
	if blocked && best.rank > 0 {
		x.wait.Kind, x.wait.Function = best.kind, best.function
		x.prove(Evidence{Kind: Function, Name: best.function, Frame: best.frame, Meaning: WaitsIn})
		if best.rank == rankUse { // the futex is the thread's own
			x.wait.Object, x.wait.Word = nil, 0
		}
	}
	x.library(lib, best.frame)
}

// callers are waits in functions that also run other code. They count only if every frame inside
// them is a wait.
var callers = map[Kind]bool{Once: true, Worker: true}

// proves reports whether the names of a frame's functions alone prove a wait. A program's own
// functions may have names of system calls, but not with two leading underscores, which C reserves
// for its libraries.
func (x *examination) proves(t *purpose) bool {
	own := t.library == "" && !x.Frames[t.frame].System && !strings.HasPrefix(t.function, "__")
	return t.rank > rankCall || t.rank == rankCall && !own
}

// A purpose is the meaning of one of a frame's functions.
type purpose struct {
	meaning
	function string
	frame    int
}

// purposeOf returns the most specific meaning of a frame, or nothing if the system call is more
// specific.
func (x *examination) purposeOf(i int) (t purpose) {
	t.frame = i
	for _, name := range x.Frames[i].CertainNames() {
		m := meaningOf(name)
		t.library = cmp.Or(t.library, m.library)
		if x.fits(m) && m.rank > t.rank {
			t.function, t.meaning = name, meaning{m.kind, m.rank, t.library}
		}
	}
	return t
}

// passes reports whether a frame shows only that the thread is in the kernel.
func (x *examination) passes(i int) bool {
	names := x.Frames[i].CertainNames()
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return !passages[funcname.C(name)] })
}

// fits reports whether a function can refine the wait. A proved system call decides, except for
// futexes, which all locks use.
func (x *examination) fits(m meaning) bool {
	return x.wait.Kind == "" || x.wait.Kind == Futex && m.rank > rankCall
}

// inLibrary reports whether the frame belongs to the waiting code: to the system, to the module that
// waits, or to Rust's libraries, which are part of the program.
func (x *examination) inLibrary(i int) bool {
	f := &x.Frames[i]
	if f.System || moduleOf(f) == moduleOf(&x.Frames[0]) {
		return true
	}
	names := f.CertainNames()
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
		crate, _, _ := strings.Cut(funcname.Path(name), "::")
		return !crates[crate]
	})
}

// crates are Rust's libraries between a wait and the code that waits.
var crates = map[string]bool{"std": true, "core": true, "parking_lot": true, "parking_lot_core": true, "lock_api": true}

// library identifies the library by its functions, or by the module of a frame.
func (x *examination) library(named Library, frame int) {
	switch {
	case x.wait.Library != "":
	case named != "":
		x.wait.Library = named
	case len(x.Frames) > 0:
		x.wait.Library = libraryOf(moduleOf(&x.Frames[frame]), x.OS)
	}
}

// libraryOf returns the C library with a module's name. Sources: glibc's shlib-versions and the
// names of its files before 2.34, musl's Makefile.
func libraryOf(module string, os process.OS) Library {
	switch {
	case strings.HasPrefix(module, "ld-musl-"), strings.HasPrefix(module, "libc.musl-"):
		return Musl
	case module == "libc.so.6", module == "libpthread.so.0", strings.HasPrefix(module, "libc-2."), strings.HasPrefix(module, "libpthread-2."):
		return Glibc
	case module == "libc.so" && os.IsAndroid():
		return Bionic
	}
	return ""
}

// moduleOf is the name of a frame's module without folders, "" for none.
func moduleOf(f *report.Frame) string {
	if f.Module == nil {
		return ""
	}
	return *f.Module
}
