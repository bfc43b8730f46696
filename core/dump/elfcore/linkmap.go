package elfcore

import "crashglass/core/base/bin"

// Entries of a dynamic section. Source: System V ABI, "Dynamic Section"; of
// mips glibc, elf/elf.h.
const (
	dynamicEnd   = 0
	dynamicDebug = 21          // DT_DEBUG: the address of struct r_debug
	mipsDebug    = 0x7000_0016 // DT_MIPS_RLD_MAP: the address of a pointer to it
	mipsDebugRel = 0x7000_0035 // DT_MIPS_RLD_MAP_REL: the same, from this entry on
)

// Bounds of reading a process's lists.
const (
	maxDynamic = 1 << 10
	maxLinks   = 1 << 14
)

// A link is struct link_map, the dynamic linker's entry for a module.
//
// Source: glibc, elf/link.h, which musl and Android's linker have as well.
type link struct {
	bias    uint64 // l_addr: the difference between addresses in memory and in the file
	nameAt  uint64
	dynamic uint64 // l_ld
	next    uint64
	prev    uint64
}

func (c *core) readLink(at uint64) (l link, ok bool) {
	data := c.bytes(at, 5*c.word)
	n := bin.NewOrderedCursor("struct link_map", 0, data, c.order)
	l = link{address(n, c.word), address(n, c.word), address(n, c.word), address(n, c.word), address(n, c.word)}
	return l, n.Err() == nil
}

func (l *moduleList) fromLinker() {
	seen := map[uint64]bool{}
	for at := l.firstLink(); at != 0 && !seen[at] && len(seen) < maxLinks; {
		link, ok := l.readLink(at)
		if !ok {
			l.note("modules", 0, "the list of the dynamic linker continues at %#x, where no memory was captured", at)
			return
		}
		l.link(link, len(seen) == 0)
		seen[at] = true
		at = link.next
	}
}

// link skips the first link, the program, because the auxiliary vector has its name and address.
func (l *moduleList) link(k link, first bool) {
	base := k.bias
	name, _ := l.text(k.nameAt, maxPath)
	if first {
		base, name = l.aux(auxPrograms)&^(headSize-1), l.programName()
		if l.main != nil {
			base = l.main.base
		}
	}
	if base == 0 || name == "" || l.bases[base] {
		return
	}
	m := l.image(base)
	if m == nil {
		m = &image{base: base}
	}
	if len(m.programs) == 0 {
		m.size = max(l.extent(base, k.dynamic), l.reach(base, k.dynamic))
	}
	m.name = name
	l.add(*m)
}

// extent returns the end of a module whose program headers were not captured: the end of the
// mapping with its dynamic section, or of an adjacent mapping behind it, which has its variables.
func (c *core) extent(base, dynamic uint64) uint64 {
	s := c.mappingAt(dynamic)
	if s == nil || dynamic < base {
		return 0
	}
	end := s.end()
	if next := c.mappingAt(end); next != nil && next.addr == end && s.flags&flagWrite == 0 && next.flags&flagWrite != 0 {
		end = next.end()
	}
	return end - base
}

// firstLink returns the head of the list: r_debug.r_map, by the program's DT_DEBUG.
func (l *moduleList) firstLink() uint64 {
	if l.main == nil || len(l.main.programs) == 0 {
		return l.searchDebug()
	}
	if d := l.main.find(typeDynamic); d != nil {
		return l.findDebug(l.main.at(d.addr), d.size)
	}
	return 0
}

// findDebug searches a dynamic section for an entry that leads to the list.
func (c *core) findDebug(at, size uint64) uint64 {
	entry := uint64(2 * c.word)
	for i := range min(size/entry, maxDynamic) {
		here := at + i*entry
		tag, ok := c.wordAt(here)
		value, known := c.wordAt(here + uint64(c.word))
		if !ok || !known || tag == dynamicEnd {
			return 0
		}
		if first := c.linkOf(here, tag, value); first != 0 {
			return first
		}
	}
	return 0
}

// linkOf returns the first link by one entry of the dynamic section, or 0.
func (c *core) linkOf(here, tag, value uint64) uint64 {
	switch tag {
	case dynamicDebug:
	case mipsDebug:
		value, _ = c.wordAt(value)
	case mipsDebugRel:
		value, _ = c.wordAt((here + value) & c.machine.layout.Arch.Mask())
	default:
		return 0
	}
	if value == 0 {
		return 0
	}
	first, _ := c.wordAt(value + uint64(c.word)) // behind r_version and its padding
	return first
}

// Bounds of the search for the dynamic section.
const (
	mostSearched   = 16 << 20
	mostSearchedIn = 32 // segments
)

// searchDebug searches the memory behind the program's headers for DT_DEBUG. QEMU captures the
// dynamic section, but not the headers with its address. A match counts only if it leads to a link
// that points back to the same dynamic section.
func (l *moduleList) searchDebug() uint64 {
	c, base := l.core, l.aux(auxPrograms)
	if l.main != nil {
		base = l.main.base
	}
	left := mostSearched
	n := 0
	for i := range c.segments {
		s := &c.segments[i]
		if base == 0 || s.addr < base&^(headSize-1) || s.have == 0 {
			continue
		}
		if n++; n > mostSearchedIn || left <= 0 {
			break
		}
		data := c.bytes(s.addr, int(min(s.have, uint64(left))))
		left -= len(data)
		if first := c.searchSegment(s.addr, data); first != 0 {
			return first
		}
	}
	return 0
}

func (c *core) searchSegment(base uint64, data []byte) uint64 {
	n := bin.NewOrderedCursor("memory", 0, data, c.order)
	tag := address(n, c.word)
	for here := base; n.Len() >= c.word; here += uint64(c.word) {
		value := address(n, c.word)
		if first := c.linkOf(here, tag, value); first != 0 && c.leadsBack(first, base, here) {
			return first
		}
		tag = value
	}
	return 0
}

// leadsBack reports whether a link is the first of a list, and its dynamic section has the entry
// that led to it.
func (c *core) leadsBack(first, base, entry uint64) bool {
	l, ok := c.readLink(first)
	return ok && l.prev == 0 && l.dynamic >= base && l.dynamic <= entry && entry-l.dynamic < maxDynamic*uint64(2*c.word)
}
