package python

import (
	"bytes"
	"fmt"
	"slices"

	"crashglass/core/process"
	"crashglass/core/runtimes"
)

// Runtime is the row of Python.
func Runtime() runtimes.Runtime {
	row := Calls()
	row.Find = Find
	return row
}

// Calls is the row of Python without the variables of calls, whose readers it does not link.
func Calls() runtimes.Runtime {
	find := func(p *process.Process) *runtimes.Found { return find(p, func(*finder, *runtimes.Found) {}) }
	return runtimes.Runtime{Name: "Python", Task: "python_thread", Frame: "python", Native: "_PyEval_EvalFrameDefault", Find: find}
}

// The bounds of a search, and of lists.
const (
	mostSearched = 64 << 20 // bytes of the data of all modules
	mostStates   = 1 << 12  // places that are examined as the state of the runtime
	mostInterps  = 64
	mostThreads  = 1 << 12 // of an interpreter
	mostCalls    = 1 << 17 // of all threads
	mostDepth    = 1 << 12 // of one thread
	mostCodes    = 1 << 15
)

// cookie begins the state of the runtime from 3.13 on. The version follows, as PY_VERSION_HEX.
var cookie = []byte("xdebugpy")

// candidate is the lowest release level of PY_VERSION_HEX whose layout is final: a release candidate.
const candidate = 0xc0

// Find finds the threads of Python in a process, nil if there is no Python.
func Find(p *process.Process) *runtimes.Found {
	return find(p, func(f *finder, out *runtimes.Found) { out.Variables = f.variables })
}

// find finds the threads, and passes what it found to use.
func find(p *process.Process, use func(*finder, *runtimes.Found)) *runtimes.Found {
	if p.Arch == nil || p.Arch.Word != 8 || p.Memory == nil {
		return nil
	}
	s := &search{p: p, use: use, left: mostStates, threads: map[uint64]uint32{}}
	for i := range p.Threads {
		s.threads[uint64(p.Threads[i].ID)] = p.Threads[i].ID
	}
	if !p.OS().IsWindows() { // there, long has four bytes
		s.stated = []*layout{layoutOf(11, nil), layoutOf(12, nil)}
	}
	budget, found := mostSearched, false
	for i := range p.Modules {
		runtimes.Data(p, i, &budget, func(addr uint64, b []byte) bool {
			for at := 0; at+stateSize <= len(b) && !found && s.left > 0; at += 8 {
				found = s.state(addr+uint64(at), b[at:])
			}
			return !found && s.left > 0
		})
	}
	return s.out
}

// A search is one for the state of the runtime.
type search struct {
	p       *process.Process
	threads map[uint64]uint32 // of the process, by their numbers
	stated  []*layout         // of the releases without a cookie
	left    int               // states
	use     func(*finder, *runtimes.Found)
	out     *runtimes.Found
}

// The first fields of a state in 3.11 and 3.12. Source: Include/internal/pycore_runtime.h, pyruntimestate.
const (
	stateFlags   = 4 // of initialization, with 4 bytes each; the third is set in a running process
	stateRunning = 2
	stateMutex   = 32 // of the list of interpreters, which follows
	stateHead    = 40
	stateMain    = 48
	stateNextID  = 56
	stateSize    = 64
	mostNumbered = 1 << 20
)

// state reports whether a state is at an address, and reads it.
func (s *search) state(addr uint64, b []byte) bool {
	word := func(at int) uint64 { return s.p.Memory.Number(b[at:][:8]) }
	if bytes.HasPrefix(b, cookie) {
		return s.cookie(addr, word(8))
	}
	head, first, next := word(stateHead), word(stateMain), word(stateNextID)
	if head == 0 || first == 0 || next == 0 || head%8 != 0 || first%8 != 0 || next > mostNumbered || word(stateMutex) == 0 {
		return false
	}
	for i := range stateFlags {
		if n := s.p.Memory.Number(b[4*i:][:4]); n > 1 || i == stateRunning && n == 0 {
			return false
		}
	}
	return slices.ContainsFunc(s.stated, func(l *layout) bool { return s.read(l, addr) })
}

// cookie reads a state that begins with the cookie. If it has no threads, a note says why.
func (s *search) cookie(addr, version uint64) bool {
	minor := int(version >> 16 & 0xff)
	l := layoutOf(minor, func(n uint64) (uint64, bool) { return s.p.Memory.Word(addr+8*n, 8) })
	why := "damaged, or not captured"
	if l == nil || version&0xff < candidate {
		l, why = nil, "not known"
	}
	switch {
	case version>>24 != 3:
		return false
	case l != nil && s.read(l, addr):
		return true
	}
	if s.out == nil { // until there are threads
		s.out = &runtimes.Found{Version: release(minor), Note: fmt.Sprintf("the threads of Python 3.%d (%#x) are not listed: the structures of its runtime are %s", minor, version, why)}
	}
	return false
}

// read reads a state with a layout, and reports whether it is one.
func (s *search) read(l *layout, state uint64) bool {
	if s.left--; s.left < 0 {
		return false
	}
	f := &finder{p: s.p, layout: l, threads: s.threads, codes: map[uint64]*code{}, types: map[string]uint64{}, left: mostCalls}
	found := f.interpreters(state)
	if found != nil {
		s.use(f, found)
		s.out = found
	}
	return found != nil
}

// A finder reads the memory of a process with one layout.
type finder struct {
	p *process.Process
	*layout
	threads  map[uint64]uint32 // of the process, by their numbers
	codes    map[uint64]*code  // nil for damaged ones
	types    map[string]uint64 // of code, texts and tables, as the first objects have them
	left     int               // calls
	lost     int               // threads whose calls are not all read
	nameless int               // codes whose names contradict each other
}

func release(minor int) string { return fmt.Sprintf("Python 3.%d", minor) }

// interpreters reads the threads of all interpreters, nil if the state is none: one of its threads is one of the process.
func (f *finder) interpreters(state uint64) *runtimes.Found {
	out := &runtimes.Found{Version: release(f.minor)}
	seen := map[uint64]bool{}
	own, broken := false, false
	interp, ok := f.word(state + f.at[interpHead])
	for n := 0; ok && interp != 0 && n < mostInterps; n++ {
		gil := state + f.at[runtimeGIL]
		if f.has[interpGIL] {
			gil, _ = f.word(interp + f.at[interpGIL])
		}
		holder, free := f.holder(gil), f.free(gil)
		thread, ok := f.word(interp + f.at[interpThreads])
		for n := 0; thread != 0 && n < mostThreads; n++ {
			if back, _ := f.word(thread + f.at[threadInterp]); !ok || back != interp || seen[thread] {
				broken = true
				break
			}
			seen[thread] = true
			t := f.thread(thread)
			own = own || t.Thread != 0
			switch {
			case free:
				t.State = needsNoGIL
			case holder == thread:
				t.State = holdsGIL
			case holder != 0:
				t.State = waitsGIL
			}
			if !own && len(out.Tasks) > mostUnknown {
				return nil
			}
			out.Tasks = append(out.Tasks, t)
			thread, ok = f.word(thread + f.at[threadNext])
		}
		if seen[interp] {
			break
		}
		seen[interp] = true
		interp, ok = f.word(interp + f.at[interpNext])
	}
	if !own {
		return nil
	}
	switch {
	case broken || f.lost > 0:
		out.Note = "some calls of Python are damaged or not captured: they, and those behind them, are left out"
	case f.nameless > 0:
		out.Note = "the names of a function contradict each other, and are left out"
	}
	return out
}

// mostUnknown bounds the threads that are read before one of the process is found.
const mostUnknown = 64

// The states of a thread.
const (
	holdsGIL   = "holds the GIL"
	waitsGIL   = "without the GIL"
	needsNoGIL = "free-threaded"
	unknownGIL = "unknown"
)

// free reports whether threads run without the lock: in builds for free threading, until it is enabled.
func (f *finder) free(gil uint64) bool {
	enabled, ok := f.p.Memory.Word(gil+f.at[gilEnabled], 4)
	return f.shared && gil != 0 && ok && enabled == 0
}

// holder returns the thread that holds a global interpreter lock, 0 if that is not known or none does.
func (f *finder) holder(gil uint64) uint64 {
	if gil == 0 {
		return 0
	}
	locked, _ := f.p.Memory.Word(gil+f.at[gilLocked]-f.at[gilStart], 4)
	holder, ok := f.word(gil + f.at[gilHolder] - f.at[gilStart])
	if !ok || locked != 1 {
		return 0
	}
	return holder
}

func (f *finder) thread(addr uint64) runtimes.Task {
	native, _ := f.p.Memory.Word(addr+f.at[threadNative], 4)
	t := runtimes.Task{ID: native, Address: addr, Thread: f.threads[native], State: unknownGIL}
	frame, ok := f.word(addr + f.at[threadFrame])
	if f.has[threadCFrame] {
		cframe, _ := f.word(addr + f.at[threadCFrame])
		frame, ok = f.word(cframe + f.at[cframeFrame])
	}
	if t.Runs, t.Entries, t.Whole = f.calls(frame); !ok || !t.Whole {
		f.lost, t.Whole = f.lost+1, false
	}
	raised, _ := f.word(addr + f.at[threadRaised])
	if t.Exception = f.exception(raised); t.Exception == nil {
		t.Exception = f.handled(addr)
	}
	return t
}

func (f *finder) word(addr uint64) (uint64, bool) { return f.p.Memory.Word(addr, 8) }
