package elfcore

import (
	"slices"

	"strings"

	"crashglass/core/cpu"
	"crashglass/core/minidump"
)

// mappings are the mappings of the process: those of the segments, named by
// NT_FILE, and those of NT_FILE that have no segment, which gdb leaves out. Of
// these the program headers of the module say what may be done with them; where
// they do not, the mapping is not listed: what is unknown is not "---p".
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

// noDevice stands for the device, which a core does not have.
const noDevice = "00:00"

// split adds the mapping of a segment. QEMU joins mappings, and the files in
// one segment may be several.
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

// oneLine writes a name as the kernel does: a line is a mapping.
func oneLine(name string) string { return strings.ReplaceAll(name, "\n", `\012`) }

// special names a mapping that is of no file.
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

// access writes a segment's flags as /proc/PID/maps does. A core does not say
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

// An accessReader reads the program headers of modules again, of one at a time:
// files are in the order of addresses, and so are all modules but the program.
type accessReader struct {
	*core
	last *image
}

// of is what the program headers of the module at an address say.
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

// moduleBelow is the program where an address is in it, and otherwise the last
// module that begins at the address or before it, or nil.
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

// The bounds of what is kept of memory where not all of it is wanted: the
// stack of one thread, the code around its program counter on each side, and
// all of it together.
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

// wanted lists the stacks of all threads and the code around their program
// counters, those of the thread that crashed first.
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

// belowStack is how much is kept below the stack pointer: the red zone of
// amd64 is 128 bytes, that of ppc64 288.
const belowStack = 512

// stack is the captured memory from a thread's stack pointer on.
func (c *core) stack(t *thread, arch *cpu.Arch) minidump.Range {
	sp, known := t.regs.Get(arch.SP)
	if !known {
		return minidump.Range{}
	}
	return c.captured(sp-min(belowStack, sp), maxStack)
}

// captured is as much of a range as was captured without a gap. A range that
// begins before a segment begins with it. It goes on into the next segment where
// the file does, too: mlock of a page of a stack makes three mappings of it.
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

// goesOn reports whether another segment follows one in memory and in the file.
func (s *segment) goesOn(next *segment) bool {
	return s.have == s.size && next.addr == s.addr+s.size && next.off == s.off+int64(s.size)
}

// disjoint sorts ranges and leaves out what another has already.
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
