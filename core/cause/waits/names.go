package waits

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"crashglass/core/stack/funcname"
)

// A meaning is the wait that a function's name stands for.
type meaning struct {
	kind    Kind
	rank    rank
	library Library // the only library with a function of this name; "" when several have one
}

// A rank is how specific a name is: locks use words, and words use system calls.
type rank uint8

const (
	_        rank = iota
	rankCall      // a system call, or its wrapper
	rankWord      // a wait at a word, by a library
	rankLock      // a lock, or another thing with a meaning of its own
	rankUse       // a thing that parks the thread itself, and uses locks beside that
)

// MeaningOf returns the kind of wait that a function's name stands for, or "".
func MeaningOf(function string) Kind { return meaningOf(function).kind }

func meaningOf(function string) meaning { return meanings()[key(function)] }

// key is a name in the form of the table: Rust's paths are without the arguments of their types.
func key(function string) string {
	if name := funcname.C(function); !strings.Contains(name, "::") {
		return name
	}
	return funcname.Path(function)
}

// ranks are the words for the ranks in functions.txt, from 1 on.
var ranks = []string{"call", "word", "lock", "use"}

//go:embed functions.txt
var functionsText string

// meanings are the functions that wait, by their names in the form of key. A line has the library, "any" for several, the rank, the kind and
// the functions. Sources: glibc nptl/ and sysdeps/nptl, musl src/thread, bionic libc/bionic, Apple's libpthread and libplatform, the exports
// of ntdll.dll and win32u.dll, Rust's library/std/src/sys/sync, Go's src/runtime, where threads wait for goroutines to run and for locks.
var meanings = sync.OnceValue(func() map[string]meaning {
	out := map[string]meaning{}
	for line := range strings.Lines(functionsText) {
		words := strings.Fields(line)
		library, _ := strings.CutPrefix(words[0], "any")
		for _, name := range words[3:] {
			out[name] = meaning{Kind(words[2]), rank(slices.Index(ranks, words[1]) + 1), Library(library)}
		}
	}
	return out
})

// passages are functions that show only that the thread is in the kernel.
var passages = map[string]bool{"KiFastSystemCallRet": true, "kernel_vsyscall": true, "syscall_cp_asm": true, "do_syscall": true, "syscall_cp": true}
