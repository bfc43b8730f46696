package elfcore

// program returns the program, or nil if its ELF header was not captured. The kernel gives the address
// of its program headers in AT_PHDR.
func (l *moduleList) program() *image {
	at := l.aux(auxPrograms)
	if at == 0 {
		return nil
	}
	m := l.image(l.programBase(at))
	if m == nil {
		return nil
	}
	if started := l.started(m); started != nil {
		m, at = started, started.base
	}
	m.name = l.programName()
	if f := l.fileAt(at); f != nil {
		m.name = f.name
	}
	if m.size == 0 {
		m.size = l.reach(m.base, at)
	}
	return m
}

// mostBelow bounds the segments that are searched below AT_PHDR for the program's ELF header.
const mostBelow = 64

// programBase returns the address of the program's ELF header. Mostly it is in the page of the program
// headers. If patchelf or llvm-bolt has moved these, their own entry (PT_PHDR) gives the distance; if
// they were not captured, it is the ELF header that names this distance as their offset.
func (l *moduleList) programBase(at uint64) uint64 {
	page := at &^ (headSize - 1)
	if l.isHeader(page) {
		return page
	}
	table := image{programs: programsIn(l.bytes(at, int(min(l.aux(auxEntries), mostPrograms))*programSize(l.word)), l.order, l.word)}
	table.measure()
	for _, p := range table.programs {
		if p.kind == typeTable {
			return (at - p.addr + table.low) & l.machine.layout.Arch.Mask()
		}
	}
	first := l.segmentFrom(at)
	for i := first; i >= 0 && i > first-mostBelow; i-- {
		if h, ok := l.headerAt(l.segments[i].addr); ok && l.segments[i].addr+h.programs == at {
			return l.segments[i].addr
		}
	}
	return page
}

func (l *moduleList) isHeader(addr uint64) bool {
	_, ok := l.headerAt(addr)
	return ok
}

// started returns the program that the dynamic linker was run with, as in "ld.so ./prog". The kernel
// then knows only the linker: AT_BASE is 0, and AT_PHDR is the linker's. The program is the module
// whose dynamic section leads to a list of modules that begins with itself.
func (l *moduleList) started(linker *image) *image {
	if l.aux(auxLinker) != 0 || linker.find(typeInterpreter) != nil || linker.find(typeDynamic) == nil {
		return nil
	}
	searched := 0
	for i := range l.segments {
		addr := l.segments[i].addr
		if addr == linker.base || l.segments[i].have == 0 || !l.isHeader(addr) {
			continue
		}
		m := l.image(addr)
		if m != nil && len(m.programs) == 0 && searched < mostSearchedIn {
			if searched++; l.leads(addr) {
				return m
			}
			continue
		}
		if m == nil || m.find(typeInterpreter) == nil {
			continue
		}
		if d := m.find(typeDynamic); d != nil {
			if link, ok := l.readLink(l.findDebug(m.at(d.addr), d.size)); ok && link.dynamic == m.at(d.addr) {
				return m
			}
		}
	}
	return nil
}

// mostSearchedOf bounds the bytes of a segment that are searched for the dynamic section of a program without program headers.
const mostSearchedOf = 64 << 10

// leads reports whether the file that is mapped at the address of a segment has a dynamic section that leads to a list of modules, which begins with
// that file. Its program headers, which would say where the section is, were not captured.
func (l *moduleList) leads(base uint64) bool {
	end, _ := l.fileEnd(base)
	first := l.segmentFrom(base)
	for i := first; i < min(first+mostSearchedIn, len(l.segments)) && l.segments[i].addr < end; i++ {
		s := &l.segments[i]
		if l.searchSegment(s.addr, l.bytes(s.addr, int(min(s.have, end-s.addr, mostSearchedOf)))) != 0 {
			return true
		}
	}
	return false
}

// find returns the first program header of a type, or nil.
func (m *image) find(kind uint32) *program {
	for i := range m.programs {
		if m.programs[i].kind == kind {
			return &m.programs[i]
		}
	}
	return nil
}

// reach returns the size of a module without program headers: to the end of the last mapping of its
// file or, without NT_FILE, of the mapping with an address inside of it.
func (l *moduleList) reach(base, inside uint64) uint64 {
	if end, ok := l.fileEnd(base); ok {
		return end - base
	}
	if s := l.mappingAt(inside); s != nil && s.end() > base {
		return s.end() - base
	}
	return 0
}
