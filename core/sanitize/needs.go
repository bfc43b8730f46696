package sanitize

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"crashglass/core/analyze"
	"crashglass/core/module"
	"crashglass/core/report"
)

// A needs is the data that the reports of a dump used.
type needs struct {
	words  map[uint64]int  // memory that decided a walk, and code: number of bytes by address, 0 for a word
	passed map[uint64]bool // words that a scan skipped: they stay captured, as zeros
	exact  map[uint64]bool // words that stay even if they are text
	whole  map[int]bool    // threads whose stacks stay unchanged

	registers map[int]bool // threads whose registers stay even if they are text
	crash     bool         // the same for the exception's registers and parameters

	modules *module.Map
}

// A view is a report that must stay the same: with symbols, or without.
type view struct {
	prefix string // of the crash's description
	syms   analyze.Symbols
	before *report.Report
}

func newNeeds(s *analyze.Session) *needs {
	return &needs{
		words: map[uint64]int{}, passed: map[uint64]bool{}, exact: map[uint64]bool{}, whole: map[int]bool{}, registers: map[int]bool{},
		modules: module.NewMap(s.Modules()),
	}
}

// keep records bytes that stay.
func (n *needs) keep(addr uint64, size int) { n.words[addr] = max(n.words[addr], size) }

// keepExactly records bytes that stay even if they are text.
func (n *needs) keepExactly(addr uint64, size int) {
	n.keep(addr, size)
	n.exact[addr] = true
}

// looked records the memory of modules that a report reads.
func (n *needs) looked(addr uint64, size int) {
	if n.modules.At(addr) != nil {
		n.keep(addr, size)
	}
}

// gather makes reports with and without symbols, because the reader of the new dump may have none.
func (n *needs) gather(s *analyze.Session, syms analyze.Symbols) ([]view, error) {
	views := []view{{}}
	if syms != nil {
		views = []view{{syms: syms}, {prefix: "without symbols: "}}
	}
	for i := range views {
		r, err := n.report(s, views[i].syms)
		if err != nil {
			return nil, err
		}
		views[i].before = &report.Report{SystemInfo: r.SystemInfo, Verdict: r.Verdict, CrashInfo: r.CrashInfo, Threads: r.Threads} // what is compared
	}
	return views, nil
}

func (n *needs) report(s *analyze.Session, syms analyze.Symbols) (*report.Report, error) {
	opt := analyze.Options{Explain: true, Read: n.looked}
	r, err := s.Report(syms, opt)
	if err != nil {
		return nil, err
	}
	left := maxAgain
	for i := range r.Threads {
		t := &r.Threads[i]
		if !explained(t) && left > 0 { // the report ran out of room for evidence
			left--
			if *t, err = s.Explain(syms, i, asLong(opt, t)); err != nil {
				return nil, err
			}
		}
		n.thread(t)
	}
	return r, nil
}

// asLong returns options for a walk that is as long as the earlier walk of the thread. Frames of all
// threads share one budget, and a second walk of one thread would ignore it.
func asLong(opt analyze.Options, t *report.Thread) analyze.Options {
	if t.End.Kind == report.FrameLimit {
		opt.Frames = t.End.Limit
	}
	return opt
}

// maxAgain bounds the threads that are walked again one by one. Changed stacks of further threads
// are kept completely.
const maxAgain = 1 << 12

// explained reports whether a thread has the evidence of its frames. The first frame has none, so
// for a single frame the evidence of the end counts.
func explained(t *report.Thread) bool {
	switch last := len(t.Frames) - 1; last {
	case -1:
		return true
	case 0:
		return len(t.End.Evidence) > 0 || t.End.Kind == report.FrameLimit // no other frame was looked for
	default:
		return len(t.Frames[last].Evidence) > 0
	}
}

// thread adds the words that decided the walk of a stack, and drops the evidence.
func (n *needs) thread(t *report.Thread) {
	for i := range t.Frames {
		f := &t.Frames[i]
		n.steps(f.Evidence)
		f.Evidence = nil
	}
	n.steps(t.End.Evidence)
	t.End.Evidence = nil
}

// steps adds the reads of finding a frame. The values of words that a scan skipped decide nothing.
func (n *needs) steps(steps []report.Step) {
	for i := range steps {
		for _, r := range steps[i].Reads {
			if r.Use == report.ReadScanned {
				n.passed[number(r.Address)] = true
			} else {
				n.keep(number(r.Address), r.Size)
			}
		}
	}
}

// maxReports bounds the threads that get a report of their own for mending.
const maxReports = 256

// rounds is the number of times that needs are mended.
const rounds = 3

// mend keeps more of threads with changed stacks: every word that their walks read and, if that
// does not suffice, the complete stacks. It does not keep complete stacks that do not improve the
// result.
func (n *needs) mend(round int, s *analyze.Session, views []view, threads map[int]bool) error {
	for k, i := range slices.Sorted(maps.Keys(threads)) {
		if round > 0 || k >= maxReports {
			n.whole[i] = !n.whole[i]
			continue
		}
		n.registers[i] = true
		crashing := views[0].before.CrashInfo.CrashingThread
		if err := n.walkAgain(s, views, i, k == 0 || crashing != nil && i == *crashing); err != nil {
			return err
		}
	}
	return nil
}

// walkAgain keeps every word that the walks of a thread read. A report also reads the memory around
// the crash. It lists all threads, so only some threads get a report of their own.
func (n *needs) walkAgain(s *analyze.Session, views []view, i int, crash bool) error {
	for _, v := range views {
		var err error
		opt := asLong(analyze.Options{Threads: analyze.One(i), Read: n.keepExactly}, &v.before.Threads[i])
		if crash {
			_, err = s.Report(v.syms, opt)
		} else {
			_, err = s.Explain(v.syms, i, opt)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// number parses an address of a report.
func number(a report.Address) uint64 {
	v, _ := strconv.ParseUint(strings.TrimPrefix(string(a), "0x"), 16, 64) // reports have no others
	return v
}

func reader(data []byte) io.ReaderAt { return bytes.NewReader(data) }
