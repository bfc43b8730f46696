package sanitize

import (
	"bytes"
	"io"

	"crashglass/core/analyze"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

// A needs is the memory that the reports of a dump used.
type needs struct {
	words   map[uint64]int     // memory that decided a walk: number of bytes by address, 0 for a word
	code    map[uint64]int     // the same for memory that was read as code
	zeros   []piece            // what the instruction of the crash accesses, which stays if it is zero
	passed  map[uint64]bool    // words that a scan skipped: they stay captured, as zeros
	running map[uint64]running // what is known of the code at threads' program counters

	// protected says that what runs is no data: 64-bit Windows stops with bug check 0xFC if its kernel executes memory that is not code.
	protected bool

	// ranPages are the pages where an instruction ran, by their numbers: true if a thread that did
	// not crash ran it.
	ranPages map[uint64]bool

	listed   []listed       // where frames continue
	listedAt map[uint64]int // their indexes, by address

	outside []uint64 // addresses of frames outside of modules

	modules *module.Map
}

// A view is a report that must stay the same: with symbols, or without.
type view struct {
	prefix string // of the crash's description
	syms   analyze.Symbols
	before *report.Report
}

func newNeeds(s *analyze.Session) *needs {
	return &needs{words: map[uint64]int{}, code: map[uint64]int{}, passed: map[uint64]bool{}, running: map[uint64]running{}, ranPages: map[uint64]bool{}, listedAt: map[uint64]int{},
		modules: module.NewMap(s.Modules()), protected: s.Process().Event.IsBugCheck() && s.Process().Arch.Word == 8}
}

// looked records the memory of modules that a report reads: the instructions of the crash.
func (n *needs) looked(addr uint64, size int) {
	if n.modules.At(addr) != nil {
		n.code[addr] = max(n.code[addr], size)
	}
}

// walked records a read of a walk. The values of words that a scan skipped decide nothing.
func (n *needs) walked(addr uint64, size int, use report.ReadUse) {
	switch use {
	case report.ReadScanned:
		n.passed[addr] = true
	case report.ReadCode:
		n.code[addr] = max(n.code[addr], size)
	default:
		n.words[addr] = max(n.words[addr], size)
	}
}

// gather makes reports with and without symbols, because the reader of the new dump may have none. Both
// have the code of the modules' files, of which the new dump has what was read.
func (n *needs) gather(s *analyze.Session, syms analyze.Symbols) ([]view, error) {
	views := []view{{}}
	if syms != nil {
		views = []view{{syms: syms}, {prefix: "without symbols: "}}
	}
	for i := range views {
		r, err := s.Report(views[i].syms, analyze.Options{Read: n.looked, Walked: n.walked, Code: syms})
		if err != nil {
			return nil, err
		}
		n.findRunning(r)
		n.findAccessed(r)
		n.findOutside(r)
		views[i].before = &report.Report{SystemInfo: r.SystemInfo, Verdict: r.Verdict, CrashInfo: r.CrashInfo, Threads: r.Threads} // what is compared
	}
	return views, nil
}

// findAccessed finds the memory that the instruction of the crash accesses. A divisor of 0 is there.
func (n *needs) findAccessed(r *report.Report) {
	for _, a := range r.CrashInfo.MemoryAccesses {
		if at := number(a.Address); a.Size != nil && *a.Size <= 8 && at < at+uint64(*a.Size) {
			n.zeros = append(n.zeros, piece{at, at + uint64(*a.Size)})
		}
	}
}

// findOutside adds the frames outside of modules.
func (n *needs) findOutside(r *report.Report) {
	for i := range r.Threads {
		for j := range r.Threads[i].Frames {
			if f := &r.Threads[i].Frames[j]; f.Module == nil {
				n.outside = append(n.outside, number(f.Offset))
			}
		}
	}
}

// number is short for an address of a report as a number.
func number(a report.Address) uint64 { return a.Number() }

func reader(data []byte) io.ReaderAt { return bytes.NewReader(data) }
