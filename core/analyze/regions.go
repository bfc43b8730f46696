package analyze

import (
	"cmp"
	"slices"
	"strings"

	"crashglass/core/minidump"
	"crashglass/core/ranges"
	"crashglass/core/report"
)

// A region is a range of the address space as the operating system describes
// it: an entry of Windows' memory info list, or a line of /proc/PID/maps.
type region struct {
	start, last       uint64 // inclusive
	access            string // "rwx" with dashes; "" when unknown, or when there are no pages
	guard             bool
	state, kind, name string
}

// readRegions reads the operating system's list of regions. A dump has at most one.
func (s *Session) readRegions() {
	for _, m := range keep(&s.notes, s.file.MemoryInfo) {
		if m.Size == 0 || m.Size-1 > ^uint64(0)-m.Base {
			continue
		}
		s.regions = append(s.regions, region{
			start: m.Base, last: m.Base + (m.Size - 1), access: m.Access(), guard: m.Guard(),
			state: m.StateName(), kind: m.Kind(),
		})
	}
	if len(s.regions) == 0 {
		s.readMaps()
	}
	s.regions = disjoint(s.regions)
}

// readMaps makes regions of /proc/PID/maps.
func (s *Session) readMaps() {
	for _, m := range keep(&s.notes, s.file.LinuxMaps) {
		if m.End <= m.Base {
			continue
		}
		s.regions = append(s.regions, region{
			start: m.Base, last: m.End - 1, access: m.Access[:3],
			state: stateCommitted, kind: mappingKind(m.Name), name: m.Name,
		})
	}
}

// mappingKind distinguishes mapped files from private memory.
func mappingKind(name string) string {
	switch {
	case strings.HasPrefix(name, "[stack"):
		return kindStack
	case strings.HasPrefix(name, "/"):
		return kindMapped
	}
	return kindPrivate
}

// allows reports whether an access is allowed: 'r', 'w' or 'x'.
func (g *region) allows(access byte) bool { return strings.IndexByte(g.access, access) >= 0 }

// What report.Region calls states and kinds.
const (
	stateCommitted = "committed"
	stateFree      = "free"

	kindImage   = "image"
	kindMapped  = "mapped"
	kindPrivate = "private"
	kindStack   = "stack"
)

// disjoint sorts regions and resolves overlaps: an address has the protection of the region that
// starts last.
func disjoint(list []region) []region {
	var t ranges.Table
	for i, g := range list {
		t.Add(g.start, g.last-g.start+1, int64(i))
	}
	t.Finish()
	out := make([]region, t.Len())
	for i := range out {
		r := t.Range(i)
		out[i] = list[r.Value]
		out[i].start, out[i].last = r.Start, r.Last()
	}
	return out
}

// findRunnable finds the modules with at least one executable page.
func (s *Session) findRunnable() {
	s.runnable = make([]bool, len(s.modules.Modules()))
	for i := range s.regions {
		if g := &s.regions[i]; g.allows('x') {
			for _, addr := range [...]uint64{g.start, g.last} {
				if m := s.modules.IndexAt(addr); m >= 0 {
					s.runnable[m] = true
				}
			}
		}
	}
}

// executable reports whether an address is executable, and whether the dump has that information.
// If no page of a module is executable, the information is not usable: qemu has no NX bit and maps
// the code of x86 programs as "r--".
func (s *Session) executable(addr uint64) (executable, known bool) {
	i, exact := slices.BinarySearchFunc(s.regions, addr, func(g region, a uint64) int { return cmp.Compare(g.start, a) })
	if !exact {
		i--
	}
	if i < 0 || addr > s.regions[i].last || s.regions[i].access == "" {
		return false, false
	}
	if s.regions[i].allows('x') {
		return true, true
	}
	m := s.modules.IndexAt(addr)
	return false, m < 0 || s.runnable[m]
}

// maxRegions bounds the list in a report; a browser's process has some 10,000.
const maxRegions = 1 << 16

// memoryRegions returns the known address space: the regions of the operating system, divided where
// captured memory begins and ends, and captured memory outside of any region.
func (s *Session) memoryRegions() []report.Region {
	b := regionBuilder{s: s, captured: s.memory.Ranges(), stacks: s.stackPointers(), out: []report.Region{}}
	for i := range s.regions {
		g := &s.regions[i]
		if g.start > 0 {
			b.capturedUpTo(g.start - 1)
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
	captured []minidump.Range // the captured ranges that are left
	stacks   []uint64
	out      []report.Region
	dropped  int
}

// capturedUpTo adds the captured memory up to and including end that is in no region.
func (b *regionBuilder) capturedUpTo(end uint64) {
	for len(b.captured) > 0 && b.captured[0].Base <= end {
		c := b.captured[0]
		last := min(c.Base+(c.Size-1), end)
		b.emit(&region{state: stateCommitted}, c.Base, last, true)
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
func (b *regionBuilder) cut(g *region) {
	at := g.start
	for {
		last, captured := g.last, false
		if len(b.captured) > 0 && b.captured[0].Base <= g.last {
			c := b.captured[0]
			if captured = c.Base <= at; captured {
				last = min(last, c.Base+(c.Size-1))
			} else {
				last = c.Base - 1
			}
		}
		b.emit(g, at, last, captured)
		b.consume(last)
		if last >= g.last {
			return
		}
		at = last + 1
	}
}

// emit adds the part of a region from start to last, of which all bytes are captured or none. The
// stack of a thread and the image of a module are named here: /proc/PID/maps marks the main
// thread's stack only.
func (b *regionBuilder) emit(g *region, start, last uint64, captured bool) {
	if len(b.out) >= maxRegions {
		b.dropped++
		return
	}
	r := report.Region{
		Base: b.s.addr(start), Size: report.Hex(last - start + 1),
		Protection: g.access, State: g.state, Kind: g.kind, Name: g.name, Captured: captured,
	}
	if i, found := slices.BinarySearch(b.stacks, start); found || i < len(b.stacks) && b.stacks[i] <= last {
		r.Kind = kindStack
	}
	if m := b.s.modules.At(start); m != nil && r.Kind != kindStack {
		r.Kind = kindImage
		if r.Name == "" {
			r.Name = m.CodeFile
		}
	}
	b.out = append(b.out, r)
}

// stackPointers lists the threads' stack pointers, sorted.
func (s *Session) stackPointers() []uint64 {
	var out []uint64
	for i := range s.threads {
		if ctx := s.threadContext(i); ctx != nil {
			if sp, ok := ctx.Regs.Get(ctx.Arch.SP); ok {
				out = append(out, sp)
			}
		}
	}
	slices.Sort(out)
	return out
}
