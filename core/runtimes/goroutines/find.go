package goroutines

import (
	"bytes"
	"fmt"

	"crashglass/core/process"
	"crashglass/core/runtimes"
)

// Runtime is the row of Go.
func Runtime() runtimes.Runtime {
	return runtimes.Runtime{Name: "goroutines", Task: "goroutine", Frame: "go", Find: Find}
}

// The bounds of a search.
const (
	mostSearched   = 64 << 20 // bytes of the data of all modules
	mostCandidates = 1 << 18  // slices whose first element is examined
	mostGoroutines = 1 << 17
)

// buildInfo begins the information about a build. It is aligned, and a version follows at 32.
var buildInfo = []byte("\xff Go buildinf:")

const (
	buildAlign   = 16
	buildFlags   = 15
	buildInline  = 2 // the version is here, and not behind a pointer, since Go 1.18
	buildVersion = 32
	maxVersion   = 127 // its length is one byte
)

type finder struct {
	p *process.Process
	*layout
	minor int
	left  int // candidates
}

// Find finds the goroutines of a process, nil if it is no Go program.
func Find(p *process.Process) *runtimes.Found {
	if p.Arch == nil || p.Arch.Word != 8 || p.Memory == nil {
		return nil
	}
	f := &finder{p: p, left: mostCandidates}
	out := &runtimes.Found{}
	program := -1
	budget := mostSearched
	for i := range p.Modules {
		runtimes.Data(p, i, &budget, func(addr uint64, b []byte) bool {
			out.Version = version(b)
			return out.Version == ""
		})
		if out.Version != "" {
			program = i
			break
		}
	}
	if program < 0 {
		return nil
	}
	out.Module = p.Modules[program].Base
	if minor, ok := minorOf(out.Version); ok {
		f.minor, f.layout = minor, layoutOf(minor)
	}
	if f.layout == nil {
		out.Note = fmt.Sprintf("the goroutines of %s are not listed: the structures of its runtime are not known", out.Version)
		return out
	}
	f.goroutines(program, out)
	return out
}

// version returns the version in a block with build information, or "".
func version(b []byte) string {
	for at := 0; ; at += buildAlign {
		i := bytes.Index(b[min(at, len(b)):], buildInfo)
		if i < 0 {
			return ""
		}
		if at += i; len(b)-at <= buildVersion || b[at+buildFlags]&buildInline == 0 {
			continue
		}
		size := int(b[at+buildVersion])
		text := b[at+buildVersion+1:]
		if size > 0 && size <= min(maxVersion, len(text)) && bytes.Contains(text[:size], []byte("go1.")) {
			return string(text[:size])
		}
	}
}

// goroutines finds the slice of all goroutines in the data of the program, and reads them.
func (f *finder) goroutines(program int, out *runtimes.Found) {
	var list, count uint64
	budget := mostSearched
	runtimes.Variables(f.p, program, &budget, func(addr uint64, b []byte) bool {
		for at := 0; at+24 <= len(b); at += 8 {
			p, length, capacity := f.number(b[at:]), f.number(b[at+8:]), f.number(b[at+16:])
			if p%8 == 0 && p != 0 && length > count && length <= capacity && capacity <= 1<<32 && f.holds(p, length) {
				list, count = p, length
			}
		}
		return f.left > 0
	})
	if count == 0 {
		out.Note = "no list of goroutines is in the captured memory"
		return
	}
	threads := map[uint64]uint32{}
	for i := range f.p.Threads {
		threads[uint64(f.p.Threads[i].ID)] = f.p.Threads[i].ID
	}
	lost, seen := 0, map[uint64]bool{}
	for i := range min(count, mostGoroutines) {
		addr, ok := f.word(list + 8*i)
		g, state := f.goroutine(addr)
		switch {
		case !ok || state == damaged || seen[addr]:
			lost++
		case state == alive:
			if g.Running || g.syscall {
				g.Thread = threads[f.owner(addr)]
			}
			out.Tasks = append(out.Tasks, g.Task)
		}
		seen[addr] = true
	}
	switch {
	case lost > 0:
		out.Note = fmt.Sprintf("%d of %d goroutines are damaged, or not captured, and are left out", lost, count)
	case count > mostGoroutines:
		out.Note = fmt.Sprintf("%d goroutines are left out: there are %d", count-mostGoroutines, count)
	}
}

// holds reports whether a list is one of goroutines, by its first two elements and its last.
func (f *finder) holds(list, count uint64) bool {
	if f.left--; f.left < 0 {
		return false
	}
	for _, i := range []uint64{0, min(1, count-1), count - 1} {
		addr, ok := f.word(list + 8*i)
		if _, state := f.goroutine(addr); !ok || state == damaged {
			return false
		}
	}
	return true
}

func (f *finder) number(b []byte) uint64 { return f.p.Memory.Number(b[:8]) }

func (f *finder) word(addr uint64) (uint64, bool) { return f.p.Memory.Word(addr, 8) }
