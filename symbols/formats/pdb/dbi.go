package pdb

import (
	"bytes"
	"fmt"

	"crashglass/core/base/bin"
)

// dbiVersion is VC70's, which every later version writes, too: V70 of
// microsoft-pdb's DBIImpv.
const dbiVersion = 19990903

// A dbi is the header of the DBI stream, with the ranges of its parts.
//
// Spec: https://llvm.org/docs/PDB/DbiStream.html
type dbi struct {
	s       *stream
	age     uint32 // the one that the image names
	machine uint16 // IMAGE_FILE_HEADER.Machine
	symbols int    // stream with the records of globals and publics
	globals int    // stream with the hash table of globals
	publics int    // stream with the hash table of publics, and their order

	modules  byteRange
	contribs byteRange
	optional byteRange
}

// A byteRange is a range of the stream.
type byteRange struct{ off, size int64 }

const dbiHeaderSize = 64

// parseDBI reads the header of stream 3.
func parseDBI(s *stream) (d dbi, err error) {
	c, err := s.cursor(0, dbiHeaderSize)
	if err != nil {
		return d, err
	}
	signature, version := c.U32(), c.U32()
	if signature != 0xffffffff || version < dbiVersion {
		return d, &bin.Error{What: s.what, Why: fmt.Sprintf("signature %#x and version %d, want %#x and at least %d", signature, version, uint32(0xffffffff), dbiVersion)}
	}
	d.s, d.age = s, c.U32()
	d.globals = int(c.U16())
	c.Skip(2) // a version
	d.publics = int(c.U16())
	c.Skip(2) // another version
	d.symbols = int(c.U16())
	c.Skip(2)
	sizes := [5]uint32{c.U32(), c.U32(), c.U32(), c.U32(), c.U32()} // modules, contributions, section map, files, type servers
	c.Skip(4)
	optional, ec := c.U32(), c.U32()
	c.Skip(2)
	d.machine = c.U16()
	at := int64(dbiHeaderSize)
	take := func(size uint32) byteRange {
		p := byteRange{at, int64(size)}
		at += int64(size)
		return p
	}
	d.modules, d.contribs = take(sizes[0]), take(sizes[1])
	take(sizes[2])
	take(sizes[3])
	take(sizes[4])
	take(ec)
	d.optional = take(optional)
	if at > s.size {
		d.modules, d.contribs, d.optional = byteRange{}, byteRange{}, byteRange{}
		return d, &bin.Error{What: s.what, Off: 0x18, Why: fmt.Sprintf("its parts take %d bytes, it has %d", at, s.size)}
	}
	return d, c.Err()
}

// A mod is one module of the program: the contents of one object file.
type mod struct {
	stream  int    // of its symbols and lines; noStream when it has none, takenStream when another module has it
	symbols uint32 // bytes of symbol records, with the signature before them
	c11     uint32 // bytes of line information in a format of the last century
	c13     uint32
	name    uint32 // where in the part its name is
}

// parseModules reads the module list. A truncated part is skipped and noted.
//
// Spec: https://llvm.org/docs/PDB/DbiStream.html#module-info-substream
func (d *dbi) parseModules() (mods []mod, raw []byte, err error) {
	if d.s == nil {
		return nil, nil, nil
	}
	raw, err = d.s.read(d.modules.off, uint64(d.modules.size))
	if err != nil {
		return nil, nil, err
	}
	c := bin.NewCursor("module list of "+d.s.what, d.modules.off, raw)
	var taken streamSet
	for c.Len() > 0 {
		m := parseModule(c, len(raw))
		if c.Err() != nil {
			return mods, raw, c.Err()
		}
		mods = append(mods, taken.first(m))
	}
	return mods, raw, nil
}

type streamSet [1 << 16 / 64]uint64

// Thousands of modules that share a stream would each be as much to read as all.
func (s *streamSet) first(m mod) mod {
	if m.stream == noStream {
		return m
	}
	word, bit := &s[m.stream/64], uint64(1)<<(m.stream%64)
	if *word&bit != 0 {
		m.stream = takenStream
	}
	*word |= bit
	return m
}

// takenStream stands for a stream that another module has.
const takenStream = -1

// parseModule reads one entry of a list of so many bytes.
func parseModule(c *bin.Cursor, size int) (m mod) {
	c.Skip(34) // unused, its first contribution, flags
	m.stream = int(c.U16())
	m.symbols, m.c11, m.c13 = c.U32(), c.U32(), c.U32()
	c.Skip(16) // counts and names of source files
	m.name = uint32(size - c.Len())
	skipText(c)
	skipText(c) // the archive that it was in
	if c.Err() == nil {
		c.Skip(min(-(size-c.Len())&3, c.Len()))
	}
	return m
}

// skipText moves behind a zero byte.
func skipText(c *bin.Cursor) {
	for c.Err() == nil && c.U8() != 0 {
	}
}

// The optional debug streams, in the order of DBGTYPE of microsoft-pdb's pdb.h.
const (
	optFPO          = 0
	optOmapToSource = 3
	optOmapFromSrc  = 4
	optSections     = 5
	optFrameData    = 9
	optOldSections  = 10
)

// parseOptional reads the numbers of the optional debug streams.
func (d *dbi) parseOptional() ([]int, error) {
	if d.s == nil || d.optional.size == 0 {
		return nil, nil
	}
	c, err := d.s.cursor(d.optional.off, uint64(d.optional.size))
	if err != nil {
		return nil, err
	}
	var out []int
	for c.Len() >= 2 {
		out = append(out, int(c.U16()))
	}
	return out, nil
}

// A modReader reads the list of modules from its beginning.
type modReader struct {
	list []mod

	taken streamSet
	next  int64 // in the list
	done  bool
}

const modsAtOnce = 256 << 10

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
