package dwarf

import (
	"fmt"
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

// UnitIDs returns the IDs that skeleton units have in common with their split units: those of all
// units in the sections of a program, of a .dwo file, or of a .dwp file, whose index lists them.
func UnitIDs(sections Sections, opt Options) (ids []uint64, err error) {
	f := Open(sections, opt)
	if err := f.main.readPackage(); err != nil || f.main.filed != nil {
		return f.main.filed, err
	}
	err = f.main.readUnits(f.progress)
	for _, u := range f.main.units {
		if u.id != 0 {
			ids = append(ids, u.id)
		}
	}
	return ids, err
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
