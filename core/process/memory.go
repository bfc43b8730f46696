package process

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"

	"crashglass/core/base/bin"
)

// A Location is a range of a file that has not been checked against it.
type Location struct {
	RVA  uint64 // file offset
	Size uint64
}

// A Range is memory of the process whose bytes lie at a location of a file.
type Range struct {
	Base uint64
	Location
}

// A WordReader reads words of a process's memory.
type WordReader interface {
	// Word reads size bytes (1, 2, 4 or 8) at addr in the process's byte order. It reports false when
	// not all of them were captured.
	Word(addr uint64, size int) (uint64, bool)
}

// A ByteReader reads a process's memory.
type ByteReader interface {
	// Read copies memory from addr on, up to the first gap, and returns the number of bytes.
	Read(addr uint64, p []byte) int
}

// Memory is the captured memory of a process. Its bytes are read from the file on demand. The nil
// Memory is empty.
type Memory struct {
	pages *Pager
	big   bool
	spans []capture // disjoint, sorted
	runs  []run     // adjacent captures, joined
	total uint64

	removed Removed // of the file: not readable, but captured

	pageTables Mapper               // in place of captures, nil for none
	lastRun    *atomic.Pointer[run] // that page tables were read for
}

// A run is captured memory without a gap.
type run struct{ base, last uint64 }

// NewMemory indexes ranges of a file. Where ranges overlap, the first one in the list has
// precedence. beyond gets an error for each range that lies beyond the end of the file, and was left out
// or truncated: there may be millions, so it should not keep them all.
func NewMemory(pages *Pager, big bool, ranges []Range, beyond func(error)) *Memory {
	m := &Memory{pages: pages, big: big, spans: overlay(clip(pages.src, ranges, beyond))}
	m.join()
	return m
}

// clip makes captures from the ranges that have bytes in the file.
func clip(src bin.Source, ranges []Range, beyond func(error)) []capture {
	spans := make([]capture, 0, len(ranges))
	for _, r := range ranges {
		if r.Size == 0 {
			continue
		}
		off, size := int64(r.RVA), r.Size
		if !src.Has(off, size) {
			beyond(&bin.Error{What: "memory", Off: off, Beyond: true, Why: fmt.Sprintf(
				"%d bytes of memory at %#x reach beyond the end of the file at %#x", size, r.Base, src.Size())})
			if !src.Has(off, 1) {
				continue
			}
			size = uint64(src.Size() - off)
		}
		last := r.Base + (size - 1)
		if last < r.Base {
			last = ^uint64(0)
		}
		spans = append(spans, capture{r.Base, last, off})
	}
	return spans
}

func (m *Memory) join() {
	for _, s := range m.spans {
		m.total += s.last - s.base + 1
		if n := len(m.runs); n > 0 && m.runs[n-1].last+1 == s.base {
			m.runs[n-1].last = s.last
			continue
		}
		m.runs = append(m.runs, run{s.base, s.last})
	}
}

// Read copies memory from addr on into p, up to the first gap or removed byte, and returns the number of
// bytes.
func (m *Memory) Read(addr uint64, p []byte) int {
	if m == nil {
		return 0
	}
	if m.pageTables != nil {
		return m.fill(addr, p)
	}
	return m.captured(addr, p)
}

// captured is Read from the captures.
func (m *Memory) captured(addr uint64, p []byte) int {
	done := 0
	for i := m.find(addr); i >= 0 && done < len(p); i++ {
		if i == len(m.spans) || m.spans[i].base > addr {
			break
		}
		s := m.spans[i]
		n := min(uint64(len(p)-done), s.last-addr+1)
		if n == 0 { // the capture is the whole address space
			n = uint64(len(p) - done)
		}
		off := s.off + int64(addr-s.base)
		got := m.pages.Fill(p[done:done+int(m.removed.intact(uint64(off), n))], off)
		done += got
		if uint64(got) < n || s.last == ^uint64(0) {
			break
		}
		addr = s.last + 1
	}
	return done
}

// Word reads a value of 1, 2, 4 or 8 bytes in the byte order of the process.
func (m *Memory) Word(addr uint64, size int) (uint64, bool) {
	var b [8]byte
	if size != 1 && size != 2 && size != 4 && size != 8 || m.Read(addr, b[:size]) < size {
		return 0, false
	}
	return m.Number(b[:size]), true
}

// Number returns the number in at most 8 bytes, in the target's byte order.
func (m *Memory) Number(b []byte) (v uint64) {
	// A call of binary.ByteOrder would make b escape to the heap.
	big := m != nil && m.big
	for i, c := range b {
		if big {
			v = v<<8 | uint64(c)
		} else {
			v |= uint64(c) << (8 * i)
		}
	}
	return v
}

// Range returns the captured memory around addr, up to the gaps on both sides. Removed bytes are no gap. Of memory with page
// tables it returns a part that is large enough for a stack.
func (m *Memory) Range(addr uint64) (base, size uint64, ok bool) {
	if m == nil {
		return 0, 0, false
	}
	if m.pageTables != nil {
		return m.mapped(addr)
	}
	return m.run(addr)
}

// run is Range by the captures.
func (m *Memory) run(addr uint64) (base, size uint64, ok bool) {
	i, exact := slices.BinarySearchFunc(m.runs, addr, func(r run, a uint64) int { return cmp.Compare(r.base, a) })
	if !exact {
		i--
	}
	if i < 0 || addr > m.runs[i].last {
		return 0, 0, false
	}
	return m.runs[i].base, m.runs[i].last - m.runs[i].base + 1, true
}

// Next returns the first address at or above addr whose byte can be read, if there is one. With page tables it may be the next page
// that is not captured either.
func (m *Memory) Next(addr uint64) (uint64, bool) {
	if m == nil {
		return 0, false
	}
	if m.pageTables != nil {
		return m.nextMapped(addr)
	}
	i, _ := slices.BinarySearchFunc(m.spans, addr, func(s capture, a uint64) int { return cmp.Compare(s.last, a) })
	for ; i < len(m.spans); i++ {
		s := m.spans[i]
		at := max(addr, s.base)
		if lost := m.removed.lost(uint64(s.off) + (at - s.base)); lost <= s.last-at {
			return at + lost, true
		}
	}
	return 0, false
}

// Ranges returns the captured memory, sorted by address and without overlaps.
func (m *Memory) Ranges() []Range {
	if m == nil {
		return nil
	}
	ranges := make([]Range, len(m.spans))
	for i, s := range m.spans {
		ranges[i] = Range{s.base, Location{RVA: uint64(s.off), Size: s.last - s.base + 1}}
	}
	return ranges
}

// Runs returns the memory that can be read, sorted by address, with adjacent ranges joined.
func (m *Memory) Runs() []Range {
	if m == nil {
		return nil
	}
	runs := m.runs
	if m.removed != nil {
		runs = m.parts()
	}
	out := make([]Range, len(runs))
	for i, r := range runs {
		out[i] = Range{Base: r.base, Location: Location{Size: r.last - r.base + 1}}
	}
	return out
}

// Total returns the number of captured bytes.
func (m *Memory) Total() uint64 {
	if m == nil {
		return 0
	}
	return m.total
}

// find returns the index of the capture that contains addr, or -1.
func (m *Memory) find(addr uint64) int {
	i, exact := slices.BinarySearchFunc(m.spans, addr, func(s capture, a uint64) int { return cmp.Compare(s.base, a) })
	if !exact {
		i--
	}
	if i < 0 || addr > m.spans[i].last {
		return -1
	}
	return i
}

// The bounds of a stack: its size, and the bytes below the stack pointer that belong to it. The red
// zone has 128 bytes on amd64 and 288 on ppc64.
const (
	maxStack   = 16 << 20
	belowStack = 512
)

// StackOf returns the captured memory of a thread's stack from its Stack on, or from the stack pointer on
// if that is 0. It is none if neither is known.
func (p *Process) StackOf(i int) Range {
	t := &p.Threads[i]
	if t.Stack != 0 || t.Registers == nil {
		return p.Memory.Piece(t.Stack, maxStack)
	}
	sp, known := t.Registers.Regs.Get(t.Registers.Arch.SP)
	if !known {
		return Range{}
	}
	return p.StackAt(sp)
}

// StackAt returns the captured memory of a stack with a stack pointer.
func (p *Process) StackAt(sp uint64) Range { return p.Memory.Piece(sp-min(belowStack, sp), maxStack) }

// Piece returns the part of a range of addresses that the file has without a gap, in memory and in the
// file. It begins with captured memory if the range begins before it. The stack of one thread may follow
// that of another one in memory; a stack with a page that was locked has three mappings.
func (m *Memory) Piece(addr, size uint64) Range {
	if m == nil {
		return Range{}
	}
	i, _ := slices.BinarySearchFunc(m.spans, addr, func(s capture, a uint64) int { return cmp.Compare(s.last, a) })
	if i == len(m.spans) {
		return Range{}
	}
	s := m.spans[i]
	start := max(addr, s.base)
	if start-addr >= size {
		return Range{}
	}
	have := min(size-(start-addr)-1, s.last-start) + 1
	return Range{start, Location{RVA: uint64(s.off) + (start - s.base), Size: have}}
}
