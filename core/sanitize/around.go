package sanitize

import (
	"slices"
	"strings"

	"crashglass/core/machine/disasm"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

const (
	// listedBefore and listedBehind are the bytes of code that a listing of a frame needs at most: the page requests
	// 8 instructions before the address where a frame continues, and 6 behind the one there.
	listedBefore = 8 * disasm.MaxLen
	listedBehind = 7 * disasm.MaxLen

	// maxListed bounds the code that is added from modules' files for listings.
	maxListed = 1 << 20
)

// A listed is a place whose code is listed: where a frame continues.
type listed struct {
	at     uint64
	start  uint64 // of its function, by symbols; 0 when unknown
	caller bool   // it is no thread's program counter
}

// findListed adds the places of frames, each once.
func (n *needs) findListed(frames []report.Frame) {
	for i := range frames {
		f := &frames[i]
		l := listed{at: number(f.Offset), start: functionStart(f), caller: i > 0}
		if i > 0 && f.ReturnAddress != nil {
			l.at = number(*f.ReturnAddress)
		}
		k, known := n.listedAt[l.at]
		switch {
		case !known:
			n.listedAt[l.at] = len(n.listed)
			n.listed = append(n.listed, l)
		case n.listed[k].start == 0:
			n.listed[k].start = l.start
		}
	}
}

// functionStart is where the function of a frame starts, if symbols have it and no other one can be there; else 0.
func functionStart(f *report.Frame) uint64 {
	if f.Function == nil || f.FunctionOffset == nil || f.Public || f.UsedAnyway {
		return 0
	}
	return number(f.Offset) - number(*f.FunctionOffset)
}

// listing keeps the captured code around the place of a frame, as far as it is proved to be code. What may also be data
// stays without texts if an instruction ran on its page, and else not at all. Code that is in no file of a disk is the
// program's own: see code.
func (m *mapped) listing(l listed) {
	_, _, captured := m.Range(l.at)
	mod := m.fileAt(l.at)
	_, _, access := m.s.Protection(l.at)
	switch {
	case !captured:
		return
	case mod == nil:
		if access == "" || strings.Contains(access, "x") {
			m.fileless[l.at] = true
		}
		return
	}
	around := m.around(l.at, mod)
	other, ran := m.need.ranPages[l.at/page]
	switch {
	case m.isCode(l.at), m.isDriverCode(l.at), access == "" && other:
		m.kept = append(m.kept, around)
	case access == "" && l.start >= mod.Base && l.start > 0 && l.start <= l.at:
		m.kept = append(m.kept, piece{max(around.base, l.start), min(around.end, l.at+codeBehind)})
	case access == "" && ran:
		stays := m.withoutText(around)
		if !slices.Equal(stays, pieces{around}) {
			m.unproved[l.at] = true
		}
		m.kept = append(m.kept, stays...)
	case access == "" && l.caller:
		m.unproved[l.at] = true
	}
}

// around returns what a listing of the code at an address in a module needs, as far as it is all captured or all missing,
// and all has one protection. A module may be longer than its size says.
func (m *mapped) around(at uint64, mod *module.Module) piece {
	first, last, access := m.s.Protection(at)
	if access == "" {
		first, last = at&^(page-1), at|(page-1)
	}
	first, last = max(first, mod.Base, at-min(at, listedBefore)), min(last, at+(listedBehind-1))
	if base, size, captured := m.Range(at); captured {
		return piece{max(first, base), min(last, base+(size-1)) + 1}
	}
	for next, more := m.Next(first); more && next < at; next, more = m.Next(first) {
		base, size, _ := m.Range(next)
		first = base + size
	}
	if next, more := m.Next(at); more {
		last = min(last, next-1)
	}
	return piece{first, last + 1}
}

// fileListings returns the code of listings that the dump lacks, up to a limit.
func (m *mapped) fileListings() (out pieces) {
	left := uint64(maxListed)
	for _, l := range m.need.listed {
		mod := m.modules.At(l.at)
		if _, _, captured := m.Range(l.at); captured || mod == nil || left == 0 {
			continue
		}
		p := m.around(l.at, mod)
		p.end = min(p.end, p.base+left)
		left -= p.end - p.base
		out = append(out, p)
	}
	return out
}
