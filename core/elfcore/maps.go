package elfcore

import (
	"slices"

	"strings"

	"crashglass/core/cpu"
	"crashglass/core/minidump"
)

// mappings returns the mappings of the process: the segments with names from NT_FILE, and the
// mappings of NT_FILE without a segment, which gdb leaves out. The module's program headers give
// the permissions of the latter. A mapping with unknown permissions is not listed, because "---p"
// would be wrong.
func (c *core) mappings() (out []minidump.Mapping) {
	for i := range c.segments {
		s := &c.segments[i]
		out = c.split(out, s)
	}
	modules := accessReader{core: c}
	for i := range c.files {
		f := &c.files[i]
		if c.mappingAt(f.start) != nil || f.end <= f.start {
			continue
		}
		if flags, ok := modules.of(f.start); ok {
			out = append(out, minidump.Mapping{Base: f.start, End: f.end, Access: access(flags), Offset: f.offset, Device: noDevice, Name: oneLine(f.name)})
		}
	}
	byAddress(out, func(m *minidump.Mapping) uint64 { return m.Base })
	return out
}

// noDevice replaces the device, which a core does not have.
const noDevice = "00:00"

// split adds the mappings of a segment. QEMU joins mappings, so one segment may have several files.
func (c *core) split(out []minidump.Mapping, s *segment) []minidump.Mapping {
	if s.end() <= s.addr {
		return out
	}
	m := minidump.Mapping{Base: s.addr, End: s.end(), Access: access(s.flags), Device: noDevice}
	if f := c.fileAt(s.addr); f != nil {
		m.Name, m.Offset = oneLine(f.name), f.offset+(s.addr-f.start)
	} else {
		m.Name = c.special(s)
	}
	return append(out, m)
}

// oneLine escapes a name as the kernel does, because each line is a mapping.
func oneLine(name string) string { return strings.ReplaceAll(name, "\n", `\012`) }

// special names a mapping without a file.
func (c *core) special(s *segment) string {
	in := func(addr uint64) bool { return addr != 0 && addr-s.addr < s.size }
	switch {
	case in(c.aux(auxVDSO)):
		return "[vdso]"
	case in(c.aux(auxFile)):
		return "[stack]"
	}
	return ""
}

// access writes a segment's flags as /proc/PID/maps does, always as private: a core does not say
// whether a mapping is shared.
func access(flags uint32) string {
	text := []byte("---p")
	for i, f := range []uint32{flagRead, flagWrite, flagExec} {
		if flags&f != 0 {
			text[i] = "rwx"[i]
		}
	}
	return string(text)
}

// An accessReader reads the program headers of modules again, one module at a time. That suffices,
// because files are in the order of addresses, and so are all modules but the program.
type accessReader struct {
	*core
	last *image
}

// of returns the permissions by the program headers of the module at an address.
func (r *accessReader) of(addr uint64) (flags uint32, ok bool) {
	m := r.moduleBelow(addr)
	if m == nil || addr-m.base >= m.size {
		return 0, false
	}
	if r.last == nil || r.last.base != m.base {
		if r.last = r.image(m.base); r.last == nil {
			return 0, false
		}
	}
	return r.last.access(addr)
}

// moduleBelow returns the program if the address is in it. Otherwise it returns the last module
// that begins at or before the address, or nil.
func (c *core) moduleBelow(addr uint64) *image {
	if len(c.modules) == 0 {
		return nil
	}
	rest := c.modules[1:]
	if m := &c.modules[0]; addr-m.base < m.size {
		return m
	}
	if i := at(len(rest), addr, func(i int) uint64 { return rest[i].base }); i >= 0 {
		return &rest[i]
	}
	return nil
}

// The bounds of kept memory without Full: the stack of one thread, the code on each side of its
// program counter, and all memory together.
const (
	maxStack   = 16 << 20
	codeAround = 256
	maxKept    = 2 << 30
)

// kept lists the memory that stacks are walked with. Threads may share it.
func (c *core) kept() []minidump.Range {
	all := c.wanted()
	if out := disjoint(slices.Clone(all)); total(out) <= maxKept {
		return out
	}
	n := 0
	for left := uint64(maxKept); n < len(all) && all[n].Size <= left; n++ {
		left -= all[n].Size
	}
	c.note("memory", 0, "stacks of more than %d bytes: those of the last threads are left out", uint64(maxKept))
	return disjoint(all[:n])
}

func total(list []minidump.Range) (n uint64) {
	for _, r := range list {
		n += r.Size
	}
	return n
}

// wanted lists the stacks of all threads and the code around their program counters, beginning with
// the thread that crashed.
func (c *core) wanted() (out []minidump.Range) {
	searched := searchedFrames
	arch := c.machine.layout.Arch
	for _, t := range c.threads {
		stack := c.stack(t, arch)
		pc := t.regs.Value(arch.PC)
		code := c.captured(pc-min(codeAround, pc), codeAround+min(codeAround, pc))
		out = append(out, stack, c.interrupted(stack, &searched), code)
	}
	return out
}

// belowStack is the number of bytes that are kept below the stack pointer: the red zone has 128
// bytes on amd64 and 288 on ppc64.
const belowStack = 512

// stack returns the captured memory from a thread's stack pointer on.
func (c *core) stack(t *thread, arch *cpu.Arch) minidump.Range {
	sp, known := t.regs.Get(arch.SP)
	if !known {
		return minidump.Range{}
	}
	return c.captured(sp-min(belowStack, sp), maxStack)
}

// captured returns the part of a range that was captured without a gap. It begins with the segment
// if the range begins before it. It continues into the next segment if the file does, too: mlock of
// a page of a stack makes three mappings.
func (c *core) captured(addr, size uint64) minidump.Range {
	i := c.segmentFrom(addr)
	if c.segmentAt(addr) == nil {
		i++
		if i == len(c.segments) || c.segments[i].addr-addr >= size {
			return minidump.Range{}
		}
		size -= c.segments[i].addr - addr
		addr = c.segments[i].addr
	}
	s := &c.segments[i]
	skip := addr - s.addr
	have := s.have - skip
	for ; have < size && i+1 < len(c.segments) && c.segments[i].goesOn(&c.segments[i+1]); i++ {
		have += c.segments[i+1].have
	}
	return minidump.Range{Base: addr, Location: minidump.Location{RVA: uint64(s.off) + skip, Size: min(size, have)}}
}

// goesOn reports whether another segment follows directly, in memory and in the file.
func (s *segment) goesOn(next *segment) bool {
	return s.have == s.size && next.addr == s.addr+s.size && next.off == s.off+int64(s.size)
}

// disjoint sorts ranges and removes overlaps.
func disjoint(list []minidump.Range) (out []minidump.Range) {
	byAddress(list, func(r *minidump.Range) uint64 { return r.Base })
	end := uint64(0) // the first address that is free
	for _, r := range list {
		if r.Base < end {
			cut := min(end-r.Base, r.Size)
			r.Base, r.RVA, r.Size = r.Base+cut, r.RVA+cut, r.Size-cut
		}
		if r.Size > 0 {
			out, end = append(out, r), r.Base+r.Size
		}
	}
	return out
}
