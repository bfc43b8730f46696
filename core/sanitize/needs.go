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

// needs is what the reports of a dump were made of.
type needs struct {
	words  map[uint64]int  // what decided a walk, and code: bytes by address, 0 for a word
	passed map[uint64]bool // words that a scan passed over: they stay captured, as zeros
	exact  map[uint64]bool // words that stay even where they are text
	whole  map[int]bool    // threads whose stacks stay as they are

	registers map[int]bool // threads whose registers stay even where they are text
	crash     bool         // the same for those of the exception, and its parameters

	modules *module.Map
}

// A view is a report that must stay the same: with symbols, or without.
type view struct {
	prefix string // of what is said of it
	syms   analyze.Symbols
	before *report.Report
}

func newNeeds(s *analyze.Session) *needs {
	return &needs{
		words: map[uint64]int{}, passed: map[uint64]bool{}, exact: map[uint64]bool{}, whole: map[int]bool{}, registers: map[int]bool{},
		modules: module.NewMap(s.Modules()),
	}
}

// keep notes bytes that stay.
func (n *needs) keep(addr uint64, size int) { n.words[addr] = max(n.words[addr], size) }

// keepExactly notes bytes that stay even where they are text.
func (n *needs) keepExactly(addr uint64, size int) {
	n.keep(addr, size)
	n.exact[addr] = true
}

// looked notes what of modules a report looks at.
func (n *needs) looked(addr uint64, size int) {
	if n.modules.At(addr) != nil {
		n.keep(addr, size)
	}
}

// gather makes reports with symbols and without, as the reader of the new dump
// may have them or not.
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

// asLong are options for a walk as long as the one that found a stack. Where that
// ended because all stacks together had too many frames, it would go on alone.
func asLong(opt analyze.Options, t *report.Thread) analyze.Options {
	if t.End.Kind == report.FrameLimit {
		opt.Frames = t.End.Limit
	}
	return opt
}

// maxAgain is how many threads are walked again one by one. Stacks of others
// that have changed are kept whole.
const maxAgain = 1 << 12

// explained reports whether a thread has the evidence of its frames. The first
// has none, so that alone it is the end's that counts.
func explained(t *report.Thread) bool {
	switch last := len(t.Frames) - 1; last {
	case -1:
		return true
	case 0:
		return len(t.End.Evidence) > 0 || t.End.Kind == report.FrameLimit // no other was looked for
	default:
		return len(t.Frames[last].Evidence) > 0
	}
}

// thread adds the words that decided how a stack was walked, and drops the
// evidence.
func (n *needs) thread(t *report.Thread) {
	for i := range t.Frames {
		f := &t.Frames[i]
		n.steps(f.Evidence)
		f.Evidence = nil
	}
	n.steps(t.End.Evidence)
	t.End.Evidence = nil
}

// steps adds what was read to find a frame. Words that a scan passed over decide
// nothing by their values.
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

// maxReports is how many threads get a report of their own to be mended.
const maxReports = 256

// rounds is how often needs are mended.
const rounds = 3

// mend keeps more of threads whose stacks have changed: every word that their
// walks read and, where that is not it, the stacks as they are. Stacks that are
// no better for it are not kept whole.
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

// walkAgain keeps every word that the walks of a thread read. A report reads
// what the crash is about as well; it lists all threads, so that there is none
// for each of them.
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

// number is an address of a report as a number.
func number(a report.Address) uint64 {
	v, _ := strconv.ParseUint(strings.TrimPrefix(string(a), "0x"), 16, 64) // reports write no others
	return v
}

func reader(data []byte) io.ReaderAt { return bytes.NewReader(data) }
