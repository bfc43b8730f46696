package elfcore

import (
	"strings"

	"crashglass/core/process"
)

// mappings returns the mappings of the process: the segments with names from NT_FILE, and the
// mappings of NT_FILE without a segment, which gdb leaves out. The module's program headers give
// the permissions of the latter. A mapping with unknown permissions is not listed, because "---p"
// would be wrong.
func (c *core) mappings() (out []process.Mapping) {
	for i := range c.segments {
		s := &c.segments[i]
		out = c.split(out, s)
	}
	modules, twins := accessReader{core: c}, 0
	for i := range c.files {
		f := &c.files[i]
		if c.mappingAt(f.start) != nil || f.end <= f.start {
			continue
		}
		flags, ok := modules.of(f.start)
		if !ok && twins < mostTwins {
			twins++
			flags, ok = modules.of(c.twin(f))
		}
		if ok {
			out = append(out, process.Mapping{Base: f.start, End: f.end, Access: access(flags), Offset: f.offset, Device: noDevice, Name: oneLine(f.name)})
		}
	}
	byAddress(out, func(m *process.Mapping) uint64 { return m.Base })
	return out
}

// mostTwins bounds the mappings whose twin is searched.
const mostTwins = 16

// twin returns where a module has the part of its file that a mapping outside of modules begins with, 0 for nowhere: V8 maps the code of its
// builtins a second time, near the code that it generates (OS::RemapShared, src/base/platform/platform-linux.cc).
func (c *core) twin(f *fileRange) uint64 {
	for i := range c.files {
		g := &c.files[i]
		if g.name == f.name && g.start != f.start && f.offset >= g.offset && f.offset-g.offset < g.end-g.start {
			return g.start + (f.offset - g.offset)
		}
	}
	return 0
}

// noDevice replaces the device, which a core does not have.
const noDevice = "00:00"

// split adds the mappings of a segment. QEMU joins mappings, so one segment may have several files.
func (c *core) split(out []process.Mapping, s *segment) []process.Mapping {
	if s.end() <= s.addr {
		return out
	}
	m := process.Mapping{Base: s.addr, End: s.end(), Access: access(s.flags), Device: noDevice}
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

// accessFlags are the bits of the letters "rwx".
var accessFlags = []uint32{flagRead, flagWrite, flagExec}

// access writes a segment's flags as /proc/PID/maps does, always as private: a core does not say
// whether a mapping is shared.
func access(flags uint32) string {
	text := []byte("---p")
	for i, f := range accessFlags {
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
