package dwarf

import (
	"fmt"
	"path"
)

// A contribution is where the pieces of one .dwo file begin in the sections of
// a .dwp file.
type contribution struct {
	abbrev, strOffsets, rnglists, loclists uint64
}

// Numbers of sections in the index of a package: those of version 5
// (section 7.3.5.3) and those of GNU, version 2. The ones here are the same.
const (
	packageInfo       = 1
	packageAbbrev     = 3
	packageLoclists   = 5 // .debug_loc in version 2
	packageStrOffsets = 6
	packageRnglists   = 8 // of version 5 alone
)

// maxColumns bounds the sections of an index. Each version has eight.
const maxColumns = 64

// readPackage reads .debug_cu_index, if there is one.
func (g *group) readPackage() error {
	s := g.section("cu_index")
	if s.size() == 0 {
		return nil
	}
	data, err := s.src.Read("dwarf: .debug_cu_index", 0, s.size())
	if err != nil {
		return err
	}
	r := buffer{b: data, big: g.big}
	version := r.u32() // in version 5 two bytes and two of padding
	if g.big && version>>16 == 5 {
		version = 5
	}
	columns, units, slots := uint64(r.u32()), uint64(r.u32()), uint64(r.u32())
	if r.bad || version != 2 && version != 5 || columns > maxColumns || units > maxUnits || slots > 4*maxUnits {
		return fmt.Errorf("dwarf: .debug_cu_index: version %d with %d sections, %d units in %d slots", version, columns, units, slots)
	}
	g.filed = readSlots(&r, slots)
	kinds := make([]uint32, columns)
	for i := range kinds {
		kinds[i] = r.u32()
	}
	g.packed = map[uint64]contribution{}
	for range units {
		var c contribution
		info := uint64(0)
		for _, kind := range kinds {
			c.take(kind, uint64(r.u32()), version, &info)
		}
		if !r.bad {
			g.packed[info] = c
		}
	}
	if r.bad {
		return fmt.Errorf("dwarf: .debug_cu_index: %d units of %d sections do not fit %d bytes", units, columns, len(data))
	}
	return nil
}

// readSlots reads the hash table of an index: the IDs of its units, and then the row of each, 0 in a
// slot without a unit.
func readSlots(r *buffer, slots uint64) (ids []uint64) {
	rows := *r
	rows.skip(slots * 8)
	for range slots {
		if id, row := r.u64(), rows.u32(); row != 0 && !rows.bad {
			ids = append(ids, id)
		}
	}
	*r = rows
	return ids
}

// A SplitUnit is what ties a skeleton unit to its split unit.
type SplitUnit struct {
	ID   uint64 // that both have
	Path string // of a skeleton: where the compiler wrote the .dwo file, as far as the unit says
}

// SplitUnits returns the units of a program, a .dwo file or a .dwp file that have an ID. Those of a .dwp file are in its index.
func SplitUnits(sections Sections, opt Options) (found []SplitUnit, err error) {
	f := Open(sections, opt)
	if err := f.main.readPackage(); err != nil {
		return nil, err
	}
	for _, id := range f.main.filed {
		found = append(found, SplitUnit{ID: id})
	}
	if found != nil {
		return found, nil
	}
	err = f.main.readUnits(f.progress)
	for _, u := range f.main.units {
		if u.id == 0 {
			continue
		}
		path := u.readText(u.dwo)
		if path != "" && !isAbsolute(path) {
			path = join(u.readText(u.dir), path)
		}
		found = append(found, SplitUnit{u.id, path})
	}
	return found, err
}

// take keeps where the unit begins in one section. Columns of other sections are not needed.
func (c *contribution) take(kind uint32, off uint64, version uint32, info *uint64) {
	switch {
	case kind == packageInfo:
		*info = off
	case kind == packageAbbrev:
		c.abbrev = off
	case kind == packageStrOffsets:
		c.strOffsets = off
	case kind == packageLoclists:
		c.loclists = off
	case kind == packageRnglists && version == 5:
		c.rnglists = off
	}
}

// Supplement adds the sections of the file that .gnu_debugaltlink or
// .debug_sup names: what dwz found in several files (section 7.3.6). It must
// be called before the first query.
func (f *File) Supplement(sections Sections) {
	f.main.extra = f.newGroup(sections)
}

// AddSplit adds the sections of a .dwo file, or of a .dwp file with many of
// them (section 7.3.5). Their names are those of other sections, without
// ".dwo". It must be called before the first query.
func (f *File) AddSplit(sections Sections) {
	f.parts = append(f.parts, f.newGroup(sections))
}

// readSupplementary reads the headers of units in supplementary and split files.
func (f *File) readSupplementary() error {
	if extra := f.main.extra; extra != nil {
		if err := extra.readUnits(f.progress); err != nil {
			return err
		}
	}
	f.split = map[uint64]*unit{}
	for _, g := range f.parts {
		f.noteError(g.readPackage())
		if err := g.readUnits(f.progress); err != nil {
			return err
		}
		for _, u := range g.units {
			if f.split[u.id] == nil && u.id != 0 {
				f.split[u.id] = u
			}
		}
	}
	return nil
}

// namedMissing is how many missing files are kept by name.
const namedMissing = 3

// A Missing is split DWARF that skeleton units name and no given file has (section 7.3.2): the
// compiler wrote it to files beside the object files. A unit without code that names one is Clang's
// or Swift's reference to a module (.pcm), which has no function.
type Missing struct {
	Units int      // without their entries
	Files []string // the first of them, without folders
}

// add counts a skeleton unit without its split unit.
func (m *Missing) add(file string) {
	m.Units++
	if file = path.Base(file); len(m.Files) < namedMissing && (len(m.Files) == 0 || m.Files[len(m.Files)-1] != file) {
		m.Files = append(m.Files, file)
	}
}

// Missing lists the split units that are missing, as far as units were read. It may be called while
// functions are listed.
func (f *File) Missing() Missing {
	if m := f.missing.Load(); m != nil {
		return *m
	}
	return Missing{}
}
