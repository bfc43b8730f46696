package analyze

import (
	"bytes"

	"crashglass/core/report"
)

// The bounds of Find: the bytes that one call reads, the number of places that it returns, and the
// length of a pattern.
const (
	MostSearched = 64 << 20
	MostFound    = 200
	MostPattern  = 256
)

// A CapturedRange is a run of captured bytes.
type CapturedRange struct {
	Base report.Address `json:"base"`
	Size report.Address `json:"size"`
}

// Captured lists the runs of captured memory in the order of their addresses. Memory behind page tables has too many: it is one run of all
// addresses, and a reader finds out page by page.
func (s *Session) Captured() []CapturedRange {
	out := []CapturedRange{}
	if s.p.Memory.ByPageTables() {
		return append(out, CapturedRange{Base: s.addr(0), Size: s.addr(1<<64 - 1)})
	}
	for _, r := range s.p.Memory.Runs() {
		out = append(out, CapturedRange{Base: s.addr(r.Base), Size: s.addr(r.Size)})
	}
	return out
}

// Found lists the places of a pattern in captured memory.
type Found struct {
	Addresses []report.Address `json:"addresses"`
	// Next is the address to continue from, nil at the end of memory.
	Next *report.Address `json:"next"`
}

// Find searches the captured memory for pattern, from an address on. It stops after MostFound
// places or MostSearched bytes and returns where to continue. It finds a pattern only within one
// run, and finds nothing for an empty or too long one.
func (s *Session) Find(pattern []byte, from uint64) Found {
	f := finder{Session: s, pattern: pattern, left: MostSearched, out: Found{Addresses: []report.Address{}}}
	if len(pattern) == 0 || len(pattern) > MostPattern {
		return f.out
	}
	if next := s.p.Memory.RunsFrom(from, f.run); next != 0 {
		f.out.Next = ptr(f.addr(next))
	}
	return f.out
}

// A finder searches memory for a pattern, up to a number of bytes and of places. The caller
// continues at out.Next.
type finder struct {
	*Session
	pattern []byte
	left    int // bytes that may still be read
	out     Found
}

// run searches from addr to last, block by block. Blocks overlap by one byte less than the
// pattern's length. It reports whether to continue with the next run.
func (f *finder) run(addr, last uint64) bool {
	for {
		if f.left <= 0 {
			f.out.Next = ptr(f.addr(addr))
			return false
		}
		block := f.ReadMemory(addr, int(min(last-addr, MaxRead-1))+1)
		f.left -= len(block)
		if !f.block(addr, block) {
			return false
		}
		step := len(block) - len(f.pattern) + 1 // a place at the border is in one block only
		if step <= 0 || uint64(len(block)) > last-addr {
			return true
		}
		addr += uint64(step)
	}
}

// block adds the places within one block, and reports whether there is room
// for more.
func (f *finder) block(addr uint64, block []byte) bool {
	for at := 0; ; at++ {
		i := bytes.Index(block[at:], f.pattern)
		if i < 0 {
			return true
		}
		at += i
		if len(f.out.Addresses) == MostFound {
			f.out.Next = ptr(f.addr(addr + uint64(at)))
			return false
		}
		f.out.Addresses = append(f.out.Addresses, f.addr(addr+uint64(at)))
	}
}
