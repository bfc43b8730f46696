package pdb

import (
	"bytes"

	"crashglass/core/base/bin"
)

// A modReader reads the list of modules from its beginning.
type modReader struct {
	list []mod

	taken streamSet
	next  int64 // in the list
	done  bool
}

// modsAtOnce is how much of the list is read at once.
const modsAtOnce = 256 << 10

// modsUpTo reads the list until it has entry i.
func (f *File) modsUpTo(i int) []mod {
	r := &f.modReader
	for !r.done && len(r.list) <= i {
		f.moreMods(r)
	}
	return r.list
}

// moreMods reads a piece of the list. An entry that it ends in is read with the
// next one.
func (f *File) moreMods(r *modReader) {
	left := f.dbi.modules.size - r.next
	n := min(left, modsAtOnce)
	raw, err := f.dbi.s.read(f.dbi.modules.off+r.next, uint64(max(n, 0)))
	if err != nil || n <= 0 {
		r.done = true
		return
	}
	c := bin.NewCursor("module list of "+f.dbi.s.what, f.dbi.modules.off+r.next, raw)
	read := 0
	for c.Len() > 0 {
		m := parseModule(c, len(raw))
		if c.Err() != nil || c.Len() == 0 && n < left {
			break
		}
		read = len(raw) - c.Len()
		r.list = append(r.list, r.taken.first(m))
	}
	r.next += int64(read)
	r.done = read == 0 || r.next >= f.dbi.modules.size
}

// linkerUnit is the module that the linker wrote about itself, nil where there is
// none. It is the last in its list, so only the end of that is read.
func (f *File) linkerUnit() *unit {
	if m, ok := f.lastModule(linkerModule); ok {
		return f.readModule(-1, m)
	}
	i, ok := f.moduleNamed(linkerModule)
	if !ok {
		return nil
	}
	return f.unit(i)
}

// moduleHead is what an entry of the list has before its name.
const moduleHead = 64

// lastModule reads the last entry of the list, if that is a module with a name.
func (f *File) lastModule(name string) (m mod, ok bool) {
	if f.dbi.s == nil || f.modList != nil {
		return m, false
	}
	size := min(f.dbi.modules.size, 4<<10)
	raw, err := f.dbi.s.read(f.dbi.modules.off+f.dbi.modules.size-size, uint64(size))
	if err != nil {
		return m, false
	}
	at := bytes.LastIndex(raw, append([]byte(name), 0)) - moduleHead
	if at < 0 || (int64(at)-size+f.dbi.modules.size)%4 != 0 {
		return m, false
	}
	c := bin.NewCursor("last module", 0, raw[at:])
	m = parseModule(c, len(raw)-at)
	return m, c.Err() == nil && c.Len() == 0
}
