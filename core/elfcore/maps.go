package elfcore

import (
	"cmp"
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
	for i := range c.files {
		f := &c.files[i]
		if flags, ok := c.moduleAccess(f.start); ok && c.mappingAt(f.start) == nil && f.end > f.start {
			out = append(out, minidump.Mapping{Base: f.start, End: f.end, Access: access(flags), Offset: f.offset, Device: noDevice, Name: oneLine(f.name)})
		}
	}
	slices.SortStableFunc(out, func(a, b minidump.Mapping) int { return cmp.Compare(a.Base, b.Base) })
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

// moduleAccess is what the program headers of the module at an address say.
func (c *core) moduleAccess(addr uint64) (flags uint32, ok bool) {
	for i := range c.modules {
		if m := &c.modules[i]; addr-m.base < m.size {
			return m.access(addr)
		}
	}
	return 0, false
}

// The bounds of what is kept of memory where not all of it is wanted: the
// stack of one thread, the code around its program counter on each side, and
// all of it together.
const (
	maxStack   = 16 << 20
	codeAround = 256
	maxKept    = 2 << 30
)

// kept lists the memory that stacks are walked with.
func (c *core) kept() (out []minidump.Range) {
	total := uint64(0)
	arch := c.machine.layout.Arch
	for _, t := range c.threads {
		stack := c.stack(t, arch)
		pc := t.regs.Value(arch.PC)
		code := c.captured(pc-min(codeAround, pc), codeAround+min(codeAround, pc))
		for _, r := range []minidump.Range{stack, code} {
			if r.Size > 0 && total+r.Size <= maxKept {
				total += r.Size
				out = append(out, r)
			}
		}
	}
	return disjoint(out)
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

// captured is as much of a range as lies in one segment and was captured. A
// range that begins before the segment begins with it.
func (c *core) captured(addr, size uint64) minidump.Range {
	s := c.segmentAt(addr)
	if s == nil {
		i, _ := slices.BinarySearchFunc(c.segments, addr, func(s segment, a uint64) int { return cmp.Compare(s.addr, a) })
		if i == len(c.segments) || c.segments[i].addr-addr >= size {
			return minidump.Range{}
		}
		s = &c.segments[i]
		size -= s.addr - addr
		addr = s.addr
	}
	skip := addr - s.addr
	return minidump.Range{Base: addr, Location: minidump.Location{RVA: uint64(s.off) + skip, Size: min(size, s.have-skip)}}
}

// disjoint sorts ranges and leaves out what another has already.
func disjoint(list []minidump.Range) (out []minidump.Range) {
	slices.SortStableFunc(list, func(a, b minidump.Range) int { return cmp.Compare(a.Base, b.Base) })
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
