package sanitize

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"crashglass/core/analyze"
	"crashglass/core/module"
	"crashglass/core/report"
)

// needs is what the reports of a dump were made of.
type needs struct {
	words map[uint64]bool // addresses of words that decided a walk
	code  map[uint64]bool // addresses of what of modules was looked at, in steps of 4 bytes

	modules *module.Map
}

// looked notes what of modules a report looks at.
func (n *needs) looked(addr uint64, size int) {
	if n.modules.At(addr) == nil {
		return
	}
	for off := uint64(0); off < uint64(max(size, 0))+addr&3; off += 4 {
		n.code[addr&^3+off] = true
	}
}

// gather makes reports with symbols and without, as whoever gets the dump may
// have them or not, and returns the one with.
func (n *needs) gather(s *analyze.Session, syms analyze.Symbols) (*report.Report, error) {
	n.modules = module.NewMap(s.Modules())
	if syms != nil {
		if _, err := n.report(s, nil); err != nil {
			return nil, err
		}
	}
	return n.report(s, syms)
}

func (n *needs) report(s *analyze.Session, syms analyze.Symbols) (*report.Report, error) {
	opt := analyze.Options{Explain: true, Read: n.looked}
	r, err := s.Report(syms, opt)
	if err != nil {
		return nil, err
	}
	for i := range r.Threads {
		t := &r.Threads[i]
		if !explained(t) { // the report ran out of room for evidence
			if *t, err = s.Explain(syms, i, opt); err != nil {
				return nil, err
			}
		}
		n.thread(t)
	}
	return r, nil
}

// explained reports whether a thread has the evidence of its frames.
func explained(t *report.Thread) bool {
	last := len(t.Frames) - 1
	return last < 1 || len(t.Frames[last].Evidence) > 0
}

// thread adds the words that decided how a stack was walked. A scan looks at
// many words and uses one, which is an address in a module and kept as such.
func (n *needs) thread(t *report.Thread) {
	for i := range t.Frames {
		n.steps(t.Frames[i].Evidence)
	}
	n.steps(t.End.Evidence)
}

func (n *needs) steps(steps []report.Step) {
	for i := range steps {
		for _, r := range steps[i].Reads {
			if r.Use != report.ReadScanned {
				n.words[number(r.Address)] = true
			}
		}
	}
}

// number is an address of a report as a number.
func number(a report.Address) uint64 {
	v, _ := strconv.ParseUint(strings.TrimPrefix(string(a), "0x"), 16, 64) // reports write no others
	return v
}

func reader(data []byte) io.ReaderAt { return bytes.NewReader(data) }
