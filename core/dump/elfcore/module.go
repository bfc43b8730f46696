package elfcore

const maxModules = 1 << 16

// A moduleList finds the modules of a process. It has three sources, and each may be missing:
// NT_FILE (not in cores of QEMU), the list of the dynamic linker (not in static programs), and the
// auxiliary vector (only the program and the vDSO).
type moduleList struct {
	*core
	bases map[uint64]bool // that are listed
	main  *image          // the program, if its header was captured
}

func (c *core) readModules() {
	l := &moduleList{core: c, bases: map[uint64]bool{}}
	l.fromAuxv()
	l.fromFiles()
	l.fromLinker()
	l.fromEntry()
	l.programFirst()
	byAddress(c.modules[min(1, len(c.modules)):], func(m *image) uint64 { return m.base })
}

// add drops the program headers: those of a process with 20,000 libraries take 64 MiB.
func (l *moduleList) add(m image) {
	if m.size == 0 || l.bases[m.base] || len(l.modules) == maxModules {
		return
	}
	l.bases[m.base] = true
	m.programs = nil
	l.modules = append(l.modules, m)
}

// vdsoName is Breakpad's and Crashpad's name of the kernel's library.
const vdsoName = "linux-gate.so"

// fromAuxv finds the program, which minidumps list first, and the vDSO.
func (l *moduleList) fromAuxv() {
	if l.main = l.program(); l.main != nil {
		l.add(*l.main)
	}
	if at := l.aux(auxVDSO); at != 0 {
		if m := l.image(at); m != nil {
			m.name = vdsoName
			l.add(*m)
		}
	}
}

// maxHole is the largest hole between mappings of one module: arm64 aligns
// segments to 64 KiB.
const maxHole = 64 << 10

// fromEntry adds a program that no list has: in cores of QEMU a static program has neither headers
// nor a list. It reaches up to the first writable mapping.
func (l *moduleList) fromEntry() {
	at := l.aux(auxPrograms)
	i := l.segmentFrom(at)
	if at == 0 || l.moduleAt(at) != nil {
		return
	}
	if i < 0 || at >= l.segments[i].end() {
		l.upToEntry(at)
		return
	}
	m := image{base: l.segments[i].addr, name: l.programName()}
	for ; i < len(l.segments); i++ {
		s := &l.segments[i]
		if m.size > 0 && s.addr-m.base > m.size+maxHole {
			break
		}
		m.size = s.end() - m.base
		if s.flags&flagWrite != 0 {
			break
		}
	}
	l.add(m)
}

// programFirst moves the program to the front, as in minidumps.
func (l *moduleList) programFirst() {
	at := l.aux(auxPrograms)
	if l.main != nil {
		at = l.main.base
	}
	if m := l.moduleAt(at); at != 0 && m != nil {
		l.modules[0], *m = *m, l.modules[0]
	}
}

// upToEntry adds a program without known mappings, because old versions of gdb leave out all of
// them. Its range covers its headers and its entry point.
func (l *moduleList) upToEntry(headers uint64) {
	const most = 1 << 30
	base, entry := headers&^(headSize-1), l.aux(auxEntry)
	if entry > base && entry-base < most {
		l.add(image{base: base, size: (entry | (headSize - 1)) + 1 - base, name: l.programName()})
	}
}

// moduleAt returns the first module in the list that contains an address, or nil.
func (c *core) moduleAt(addr uint64) *image {
	for i := range c.modules {
		if m := &c.modules[i]; addr-m.base < m.size {
			return m
		}
	}
	return nil
}

// programName returns the path that was passed to execve, or the name of the process.
func (l *moduleList) programName() string {
	if path, ok := l.text(l.aux(auxFile), maxPath); ok && path != "" {
		return path
	}
	return l.process.name
}

// maxPath is PATH_MAX.
const maxPath = 4096

// fileAt returns the file that is mapped at an address, or nil.
func (c *core) fileAt(addr uint64) *fileRange {
	i := c.fileFrom(addr)
	if i < 0 || addr >= c.files[i].end {
		return nil
	}
	return &c.files[i]
}

// fileFrom returns the index of the last mapped file that begins at or before an address, or -1.
func (c *core) fileFrom(addr uint64) int {
	return at(len(c.files), addr, func(i int) uint64 { return c.files[i].start })
}

// fileEnd returns the end of the mappings of the file whose first one begins at base.
func (l *moduleList) fileEnd(base uint64) (end uint64, ok bool) {
	i := l.fileFrom(base)
	if i < 0 || l.files[i].start != base {
		return 0, false
	}
	end, _ = l.run(i)
	return end, true
}

// fromFiles finds modules among the mapped files. A mapping that begins with an ELF header begins a
// module, at any offset of the file: Android maps libraries from within packages. It counts only if
// its code is mapped as the header says, because linkers and profilers map files to read them. If
// the header or its program headers were not captured, a file with executable mappings is a module, from the mapping of its
// beginning on.
func (l *moduleList) fromFiles() {
	for i := 0; i < len(l.files); i++ {
		f := &l.files[i]
		if l.covered(f.start) {
			continue
		}
		m := l.image(f.start)
		if m != nil && len(m.programs) > 0 {
			if !l.loaded(m, f) {
				continue
			}
			m.name = f.name
			m.size = max(m.size, f.end-f.start)
			l.add(*m)
			continue
		}
		if f.offset > 0 {
			continue
		}
		if end, runs := l.run(i); runs {
			if m == nil {
				m = &image{base: f.start}
			}
			m.name, m.size = f.name, end-f.start
			l.add(*m)
		}
	}
}

// loaded reports whether a file is mapped as its program headers say, with executable code. gdb
// leaves out most mappings of files. In its cores the code must have a mapping of its own in
// NT_FILE.
func (l *moduleList) loaded(m *image, f *fileRange) bool {
	for _, p := range m.programs {
		if p.kind != typeLoad || p.flags&flagExec == 0 {
			continue
		}
		skip := p.addr & (headSize - 1)
		addr := m.at(p.addr - skip)
		code := l.fileAt(addr)
		same := l.shows(f, addr, p.off-skip)
		if s := l.mappingAt(addr); s != nil {
			return s.flags&flagExec != 0 && (same || code == nil)
		}
		return same && code.start == addr
	}
	return false
}

// shows reports whether an address maps an offset of a file, counted from the beginning of a range.
func (l *moduleList) shows(f *fileRange, addr, offset uint64) bool {
	g := l.fileAt(addr)
	return g != nil && g.name == f.name && g.offset+(addr-g.start) == f.offset+offset
}

// covered reports whether an address lies in the last listed module, or is the base of another.
func (l *moduleList) covered(addr uint64) bool {
	if l.bases[addr] {
		return true
	}
	n := len(l.modules)
	return n > 0 && addr-l.modules[n-1].base < l.modules[n-1].size
}

// run returns the end of a file's consecutive mappings, up to one of another file, and whether any
// of them is executable.
func (l *moduleList) run(i int) (end uint64, executable bool) {
	first := l.files[i]
	for ; i < len(l.files) && l.files[i].name == first.name && (l.files[i].offset > 0 || l.files[i].start == first.start); i++ {
		end = l.files[i].end
		executable = executable || l.executable(l.files[i].start)
	}
	return end, executable
}

// executable reports whether a mapping begins at an address and is executable.
func (c *core) executable(addr uint64) bool {
	s := c.mappingAt(addr)
	return s != nil && s.flags&flagExec != 0
}

// mappingAt returns the mapping at an address, captured or not, or nil.
func (c *core) mappingAt(addr uint64) *segment {
	i := c.segmentFrom(addr)
	if i < 0 || addr >= c.segments[i].end() {
		return nil
	}
	return &c.segments[i]
}
