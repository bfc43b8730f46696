package analyze

import (
	"cmp"
	"slices"
	"strings"

	"crashglass/core/process"
	"crashglass/core/report"
)

// findRunnable finds the modules with at least one executable page.
func (s *Session) findRunnable() {
	s.runnable = make([]bool, len(s.modules.Modules()))
	for i := range s.p.Regions {
		if g := &s.p.Regions[i]; g.Allows('x') {
			for _, addr := range [...]uint64{g.Start, g.Last} {
				if m := s.modules.IndexAt(addr); m >= 0 {
					s.runnable[m] = true
				}
			}
		}
	}
}

// executable reports whether an address is executable, and whether the dump has that information.
func (s *Session) executable(addr uint64) (executable, known bool) {
	_, _, access := s.Protection(addr)
	if access != "" {
		return strings.Contains(access, "x"), true
	}
	if m := s.modules.At(addr); m != nil {
		return m.IsCode(addr)
	}
	return false, false
}

// Protection returns the region at an address, from its first to its last byte, and its access:
// "r-x", or "" if the dump does not say. If no page of a module is executable, the information is
// not usable: qemu has no NX bit and maps the code of x86 programs as "r--".
func (s *Session) Protection(addr uint64) (first, last uint64, access string) {
	g := s.p.RegionAt(addr)
	if g == nil {
		return addr, addr, ""
	}
	if m := s.modules.IndexAt(addr); !g.Allows('x') && m >= 0 && !s.runnable[m] {
		return addr, addr, ""
	}
	return g.Start, g.Last, g.Access
}

// Mapped reports whether memory is mapped from an address to another, as far as the dump says. It is true
// if the dump has no list.
func (s *Session) Mapped(first, last uint64) bool {
	i, _ := slices.BinarySearchFunc(s.p.Regions, first, func(g process.Region, a uint64) int { return cmp.Compare(g.Last, a) })
	for i < len(s.p.Regions) && s.p.Regions[i].Start <= last && s.p.Regions[i].State == process.Free {
		i++
	}
	return len(s.p.Regions) == 0 || i < len(s.p.Regions) && s.p.Regions[i].Start <= last
}

// maxRegions bounds the list in a report; a browser's process has some 10,000.
const maxRegions = 1 << 16

// memoryRegions returns the known address space: the regions of the operating system, divided where
// captured memory begins and ends, and captured memory outside of any region.
func (s *Session) memoryRegions() []report.Region {
	b := regionBuilder{s: s, captured: s.p.Memory.Ranges(), stacks: s.stackPointers(), out: []report.Region{}}
	for i := range s.p.Regions {
		g := &s.p.Regions[i]
		if g.Start > 0 {
			b.capturedUpTo(g.Start - 1)
		}
		b.cut(g)
	}
	b.capturedUpTo(^uint64(0))
	if b.dropped > 0 {
		s.notes.add(report.Note{Kind: report.NoteOdd, Where: "memory regions", Text: "further regions are left out", Count: b.dropped})
	}
	return b.out
}

// A regionBuilder merges the sorted regions and captured ranges.
type regionBuilder struct {
	s        *Session
	captured []process.Range // the captured ranges that are left
	stacks   []uint64
	out      []report.Region
	dropped  int
}

// capturedUpTo adds the captured memory up to and including end that is in no region.
func (b *regionBuilder) capturedUpTo(end uint64) {
	for len(b.captured) > 0 && b.captured[0].Base <= end {
		c := b.captured[0]
		last := min(c.Base+(c.Size-1), end)
		b.emit(&process.Region{State: process.Committed}, c.Base, last, true)
		b.consume(last)
	}
}

// consume removes captured memory up to and including last.
func (b *regionBuilder) consume(last uint64) {
	for len(b.captured) > 0 {
		c := &b.captured[0]
		if c.Base > last {
			return
		}
		if end := c.Base + (c.Size - 1); end > last {
			c.Size = end - last
			c.Base = last + 1
			return
		}
		b.captured = b.captured[1:]
	}
}

// cut divides a region into captured and other pieces.
func (b *regionBuilder) cut(g *process.Region) {
	at := g.Start
	for {
		last, captured := g.Last, false
		if len(b.captured) > 0 && b.captured[0].Base <= g.Last {
			c := b.captured[0]
			if captured = c.Base <= at; captured {
				last = min(last, c.Base+(c.Size-1))
			} else {
				last = c.Base - 1
			}
		}
		b.emit(g, at, last, captured)
		b.consume(last)
		if last >= g.Last {
			return
		}
		at = last + 1
	}
}

// emit adds the part of a region from start to last, of which all bytes are captured or none. The
// stack of a thread and the image of a module are named here: /proc/PID/maps marks the main
// thread's stack only.
func (b *regionBuilder) emit(g *process.Region, start, last uint64, captured bool) {
	if len(b.out) >= maxRegions {
		b.dropped++
		return
	}
	r := report.Region{
		Base: b.s.addr(start), Size: report.Hex(last - start + 1),
		Protection: g.Access, State: g.State, Kind: g.Kind, Name: g.Name, Captured: captured,
	}
	if i, found := slices.BinarySearch(b.stacks, start); found || i < len(b.stacks) && b.stacks[i] <= last {
		r.Kind = process.Stack
	}
	if m := b.s.modules.At(start); m != nil && r.Kind != process.Stack {
		r.Kind = process.Image
		r.Name = cmp.Or(r.Name, m.CodeFile)
	}
	b.out = append(b.out, r)
}

// stackPointers lists the threads' stack pointers, sorted.
func (s *Session) stackPointers() []uint64 {
	var out []uint64
	for i := range s.p.Threads {
		if ctx := s.p.Threads[i].Registers; ctx != nil {
			if sp, ok := ctx.Regs.Get(ctx.Arch.SP); ok {
				out = append(out, sp)
			}
		}
	}
	slices.Sort(out)
	return out
}
